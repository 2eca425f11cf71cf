/// A signal of another program, as `IgnitionSignal=`, `MotionSignal=` and `[Driver] Signal=` name it:
/// `sender=org.example.Can path=/org/example/Can interface=org.example.Can1 member=Ignition`.
package struct SignalLine: Hashable, Sendable, CustomStringConvertible {
    /// Where the signal has its value.
    package enum Carrier: Hashable, Sendable {
        /// A signal of that name, and which of its arguments, from 0.
        case member(String, argument: Int)
        /// A property of that name, whose changes org.freedesktop.DBus.Properties signals.
        case property(String)
    }

    /// Well-known bus name of the sender.
    package let sender: String
    /// Object path.
    package let path: String
    /// Interface of the signal or of the property.
    package let interface: String
    /// Where the value is.
    package let carrier: Carrier
    /// The value that means on, as text; nil: a boolean that is true, or a number that is not 0.
    package let on: String?

    /// As the administrator wrote it.
    package let description: String

    /// From its text.
    /// - Throws: ``InputFlaw``.
    package init(_ text: String) throws(InputFlaw) {
        description = text
        let values = try Self.values(of: text)
        sender = try Self.value("sender", in: values, "a well-known bus name", Self.isBusName)
        path = try Self.value("path", in: values, "an object path", Self.isPath)
        interface = try Self.value("interface", in: values, "an interface", Self.isInterface)
        on = values["on"]
        switch (values["member"], values["property"]) {
        case (nil, nil), (_?, _?):
            throw InputFlaw(reason: "either member= or property= is needed")
        case (nil, _):
            carrier = .property(
                try Self.value("property", in: values, "a property", Self.isMember))
            guard values["argument"] == nil else {
                throw InputFlaw(reason: "argument= is for member= alone")
            }
        case (_, nil):
            let member = try Self.value("member", in: values, "a signal", Self.isMember)
            let argument = values["argument"] ?? "0"
            guard (1...2).contains(argument.utf8.count), let index = Int(argument),
                (0...63).contains(index)
            else { throw InputFlaw(reason: "not an argument from 0 to 63: \(argument)") }
            carrier = .member(member, argument: index)
        }
    }

    /// `VehicleMotion` of geofenced-can.
    package static let wheels = SignalLine(
        sender: "org.geofenced.Can1", path: "/org/geofenced/Can1", member: "VehicleMotion")

    /// An interface that is called as its sender.
    private init(sender: String, path: String, member: String) {
        self.sender = sender
        self.path = path
        interface = sender
        carrier = .member(member, argument: 0)
        on = nil
        description = "\(member) of \(sender)"
    }

    private static let names = [
        "sender", "path", "interface", "member", "argument", "property", "on",
    ]

    private static func values(of text: String) throws(InputFlaw) -> [String: String] {
        var values: [String: String] = [:]
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, names.contains(String(parts[0])), !parts[1].isEmpty else {
                let known = names.map { "\($0)=" }.joined(separator: ", ")
                throw InputFlaw(reason: "not one of \(known): \(word)")
            }
            guard values.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                throw InputFlaw(reason: "twice: \(parts[0])=")
            }
        }
        return values
    }

    private static func value(
        _ name: String, in values: [String: String], _ what: String, _ isOne: (String) -> Bool
    ) throws(InputFlaw) -> String {
        guard let value = values[name] else { throw InputFlaw(reason: "without \(name)=") }
        guard value.utf8.count <= 255, isOne(value) else {
            throw InputFlaw(reason: "not \(what): \(value)")
        }
        return value
    }

    // https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-names

    /// Well-known; unique names are refused, for the bus gives them to other programs.
    private static func isBusName(_ text: String) -> Bool { isDotted(text, and: 0x2D) }

    private static func isInterface(_ text: String) -> Bool { isDotted(text, and: 0x5F) }

    private static func isDotted(_ text: String, and other: UInt8) -> Bool {
        let elements = text.split(separator: ".", omittingEmptySubsequences: false)
        return elements.count > 1 && elements.allSatisfy { isName($0, and: other) }
    }

    private static func isMember(_ text: String) -> Bool { isName(text[...], and: 0x5F) }

    private static func isPath(_ text: String) -> Bool {
        guard text.hasPrefix("/") else { return false }
        let elements = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return text == "/"
            || elements.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { isLetter($0, and: 0x5F) } }
    }

    /// Letters, digits, `_` and `other`, and no digit first.
    private static func isName(_ text: Substring, and other: UInt8) -> Bool {
        guard let first = text.utf8.first else { return false }
        return !(0x30...0x39).contains(first) && text.utf8.allSatisfy { isLetter($0, and: other) }
    }

    private static func isLetter(_ byte: UInt8, and other: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == other
    }
}
