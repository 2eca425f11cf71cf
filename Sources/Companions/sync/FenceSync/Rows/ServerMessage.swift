import JSON
import XML

/// What a server says about an error, for people. It is cut to one short line.
package enum ServerMessage {
    private static let longest = 300

    /// From the body of an answer: JSON or XML, whichever was asked for; empty if it says nothing.
    package static func text(of body: [UInt8]) -> String {
        let first = body.first { $0 > 0x20 && $0 < 0x80 }
        switch first {
        case UInt8(ascii: "{"): return (try? JSONValue(parsing: body)).map { json($0) } ?? ""
        case UInt8(ascii: "<"): return xml(body)
        default: return ""
        }
    }

    /// From the value of `error`.
    static func text(of error: JSONValue) -> String {
        if let text = error.string { return short(text) }
        let message = error["message"]
        // Version 2 has a language and a text, version 4 a text.
        let text = message?.string ?? message?["value"]?.string ?? ""
        let code = error["code"]?.string ?? ""
        return short([code, text].filter { !$0.isEmpty }.joined(separator: ": "))
    }

    private static func json(_ value: JSONValue) -> String {
        for name in ["error", "odata.error"] {
            if let error = value[name] { return text(of: error) }
        }
        // OGC API, and RFC 9457.
        for name in ["description", "detail", "title", "message", "error_description"] {
            if let text = value[name]?.string { return short(text) }
        }
        return ""
    }

    private static func xml(_ body: [UInt8]) -> String {
        let reader = XMLReader()
        reader.feed(body.span)
        reader.feed([UInt8]().span)
        var names: [String] = []
        var codes: [String] = []
        var messages: [String] = []
        var titles: [String] = []
        // A reader that has failed gives what came before.
        while let place = try? reader.next() {
            switch place.piece {
            case .open(let name, _):
                let name = name.lowercased()
                names.append(name)
                switch name {
                case "code": codes.append("")
                case "message", "exceptiontext": messages.append("")
                case "title": titles.append("")
                default: break
                }
            case .close: if !names.isEmpty { names.removeLast() }
            case .text(let text):
                switch names.last {
                case "code": codes[codes.count - 1] += text
                case "message", "exceptiontext": messages[messages.count - 1] += text
                case "title": titles[titles.count - 1] += text
                default: break
                }
            }
        }
        // Inner errors have codes of their own, and say more.
        let message = messages.isEmpty ? titles.first ?? "" : messages.joined(separator: "; ")
        return short([codes.first ?? "", message].filter { !$0.isEmpty }.joined(separator: ": "))
    }

    /// A text as one line. It is cut by scalars: one character may have any number of them.
    static func short(_ text: String) -> String {
        // White space that goes is not counted, but what is looked at has a limit, too.
        let words = text.unicodeScalars.prefix(16 * longest)
            .map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
        let line = String(String.UnicodeScalarView(words)).split(separator: " ")
            .joined(separator: " ").unicodeScalars
        guard line.count > longest else { return String(line) }
        return String(line.prefix(longest)) + "…"
    }
}
