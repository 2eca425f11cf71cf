import Schedules

/// When a conditional value holds, as the daemon reads it for a fence.
enum ConditionHours {
    /// The schedule of a value with one condition, such as `3.5 @ (Mo-Fr 07:00-19:00)`; nil if
    /// there are several conditions, or one that is not a schedule: then the value applies at all
    /// times. The same holds for a schedule with public holidays, which only the vehicle may know.
    static func text(_ tag: String) -> String? {
        let parts = tag.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var condition = parts[1].split(separator: " ").joined(separator: " ")
        if condition.first == "(", condition.last == ")" {
            condition = String(condition.dropFirst().dropLast())
        }
        let holidays = condition.utf8.split(separator: UInt8(ascii: " ")).contains { word in
            word.split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual("PH".utf8) }
        }
        guard !holidays, (try? Schedule(condition)) != nil else { return nil }
        return condition
    }
}
