import Settings

/// By how much the errors that receivers state are too small, by gpsd's name of the driver, as
/// `ErrorScale=` has it: `u-blox:2.45, SiRF:1.5`. A name may have spaces.
enum ErrorScale {
    /// As the administrator wrote it.
    /// - Throws: ``BadValue`` where that is not valid.
    @Sendable static func read(_ text: String) throws(BadValue) -> [String: Double] {
        let refusal = BadValue(reason: "not DRIVER:FACTOR, from 0.1 to 10, with commas between")
        var factors: [String: Double] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = part.trimmed
            if item.isEmpty, text.trimmed.isEmpty { continue }
            guard let colon = item.lastIndex(of: ":"),
                let factor = Double(item[item.index(after: colon)...].trimmed),
                (0.1...10).contains(factor)
            else { throw refusal }
            let driver = String(item[..<colon].trimmed)
            guard !driver.isEmpty, factors.updateValue(factor, forKey: driver) == nil else {
                throw refusal
            }
        }
        return factors
    }

    /// The same as text, by driver.
    @Sendable static func text(_ factors: [String: Double]) -> String {
        factors.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ", ")
    }
}

extension StringProtocol {
    fileprivate var trimmed: SubSequence {
        let rest = drop { $0 == " " }
        guard let last = rest.lastIndex(where: { $0 != " " }) else { return rest[rest.endIndex...] }
        return rest[...last]
    }
}
