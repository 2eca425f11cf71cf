extension String {
    /// Between two of these marks, each of them in it written twice: so quote CSV, SQL and OData. By
    /// scalar: to Swift a mark and an accent on it are one character, and another one.
    package func quoted(by mark: Unicode.Scalar) -> String {
        var quoted = UnicodeScalarView([mark])
        for scalar in unicodeScalars {
            if scalar == mark { quoted.append(mark) }
            quoted.append(scalar)
        }
        quoted.append(mark)
        return String(quoted)
    }
}
