/// By how much the errors that receivers state are too small, by gpsd's name of the driver, as
/// `ErrorScale=` has it: `u-blox:2.45, SiRF:1.5`. A name may have spaces.
package enum ErrorScale {
    /// As the administrator wrote it; nil where that is not valid.
    package static func read(_ text: String) -> [String: Double]? {
        var factors: [String: Double] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = part.trimmed
            if item.isEmpty, text.trimmed.isEmpty { continue }
            guard let colon = item.lastIndex(of: ":"),
                let factor = Double(item[item.index(after: colon)...].trimmed),
                (0.1...10).contains(factor)
            else { return nil }
            let driver = String(item[..<colon].trimmed)
            guard !driver.isEmpty, factors.updateValue(factor, forKey: driver) == nil else {
                return nil
            }
        }
        return factors
    }
}

extension StringProtocol {
    fileprivate var trimmed: SubSequence {
        let rest = drop { $0 == " " }
        guard let last = rest.lastIndex(where: { $0 != " " }) else { return rest[rest.endIndex...] }
        return rest[...last]
    }
}
