extension TimeSpan {
    /// s, to the millisecond, as it stands in JSON.
    package var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }

    /// For people: `1 d 02 h`, `1 h 02 min`, `3 min 20 s`, `12.5 s`.
    package var text: String {
        let seconds = roundedSeconds
        guard (60..<1e9).contains(seconds) else {
            let tenths = Int64((seconds * 10).rounded())
            let sign = tenths < 0 ? "-" : ""
            return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10) s"
        }
        let whole = Int64(seconds)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
        if whole < 86_400 { return "\(whole / 3600) h \(two(whole / 60 % 60)) min" }
        return "\(whole / 86_400) d \(two(whole / 3600 % 24)) h"
    }
}
