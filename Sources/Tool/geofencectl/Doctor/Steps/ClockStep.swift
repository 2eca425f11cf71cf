import Time

extension DoctorStep {
    static let clock = DoctorStep(
        "clock", "do receiver and wall clock agree?", [.receiverDate, .clockDiffers, .noDate]
    ) { evidence in
        let report = evidence.gpsd?.report.flatMap { $0.mode >= 2 ? $0 : nil }
        if let report, report.time == nil {
            return .found(.noDate, "the receiver has a fix, and no date")
        }
        let heard = report.flatMap { report in report.time.map { $0 - report.arrival } }
        guard let difference = heard ?? evidence.daemon?.clockDifference else {
            return .unknown("there is no fix to compare with")
        }
        let amount = TimeSpan.seconds(difference.magnitude).text
        let text = "the receiver is \(amount) \(difference < 0 ? "behind" : "ahead")"
        guard difference.magnitude > tolerance else { return .good("they agree") }
        let rollovers = (difference / rollover).rounded()
        let isRollover =
            rollovers != 0 && (difference - rollovers * rollover).magnitude < 2 * 86_400
        return .found(isRollover ? .receiverDate : .clockDiffers, text)
    }

    /// gpsd passes a fix on within a second or two, s.
    private static let tolerance = 10.0
    /// 1024 weeks, after which the week number of GPS begins again, s.
    private static let rollover = 1024.0 * 7 * 86_400
}

extension Cause {
    static let receiverDate = Cause(
        "receiver-date", .bad, "update the receiver's firmware: it counts GPS weeks from 0 again")
    static let clockDiffers = Cause(
        "clock-differs", .doubtful, "set the wall clock: timedatectl")
    static let noDate = Cause(
        "no-date", .doubtful, "wait some minutes: the receiver does not know the date yet")
}
