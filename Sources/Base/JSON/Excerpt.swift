/// The beginning of a text, short enough to be quoted in an error message. Control characters are
/// written as escapes.
package func excerpt(_ text: String) -> String {
    let most = 64
    var result = ""
    for scalar in text.unicodeScalars.prefix(most) {
        if scalar.properties.generalCategory == .control {
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.dropFirst(most).isEmpty ? result : result + "…"
}
