/// The text of an array, "Array Input and Output Syntax" of PostgreSQL: many rows in one parameter.
package struct ArrayText {
    /// `{"a",NULL}`.
    package var text: String { bytes + "}" }
    private var bytes = "{"
    private var isEmpty = true

    package init() {}

    /// Adds an element; nil is NULL. Texts in PostgreSQL have no NUL: the caller refuses them.
    package mutating func append(_ element: String?) {
        if !isEmpty { bytes += "," }
        isEmpty = false
        guard let element else {
            bytes += "NULL"
            return
        }
        bytes += "\""
        for scalar in element.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { bytes.unicodeScalars.append("\\") }
            bytes.unicodeScalars.append(scalar)
        }
        bytes += "\""
    }
}
