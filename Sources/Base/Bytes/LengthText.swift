/// How far, for people.
package enum LengthText {
    /// `80 m`; from 100 m on `12.3 km`.
    /// - Parameter metres: any number; of one that is no length the number itself.
    package static func of(metres: Double) -> String {
        guard (0..<1e15).contains(metres) else { return "\(metres) m" }
        let whole = Int64(metres.rounded())
        guard whole >= 100 else { return "\(whole) m" }
        let tenths = Int64((metres / 100).rounded())
        return "\(tenths / 10).\(tenths % 10) km"
    }
}
