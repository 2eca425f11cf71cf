extension TimeSpan {
    /// For people: `1 d 02 h`, `1 h 02 min`, `3 min 20 s`, `12.5 s`.
    package var text: String {
        // As it stands in JSON, to the millisecond.
        let milliseconds = (seconds * 1000).rounded()
        guard (60_000..<1e12).contains(milliseconds) else {
            let tenths = Int64((milliseconds / 100).rounded())
            let sign = tenths < 0 ? "-" : ""
            return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10) s"
        }
        let whole = Int64(milliseconds) / 1000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
        if whole < 86_400 { return "\(whole / 3600) h \(two(whole / 60 % 60)) min" }
        return "\(whole / 86_400) d \(two(whole / 3600 % 24)) h"
    }
}
