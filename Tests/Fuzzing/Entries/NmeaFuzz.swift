import EngineTestKit
import FixSources
import Law
import Model
import Time

/// Bytes of a receiver, recorded and live; the reports go through the gates.
enum NmeaFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        for givesDate in [true, false] {
            var settings = ReceiverSettings()
            settings.dates = .recorded(givesDate: givesDate)
            var assembler = NmeaAssembler(settings)
            var reports: [PositionReport] = []
            for byte in bytes {
                if let report = assembler.feed(byte) { reports.append(report) }
            }
            reports += assembler.finish()
            if let flaw = replayFlaw(reports) { return flaw }
        }
        return live(bytes)
    }

    /// A live receiver falls silent at each byte that is a multiple of 16.
    private static func live(_ bytes: [UInt8]) -> String? {
        var now = UTCTime(nanoseconds: 1_750_000_000_000_000_000)
        var settings = ReceiverSettings()
        settings.dates = .live(floor: now)
        var assembler = NmeaAssembler(settings)
        for byte in bytes {
            now = now + .milliseconds(Int64(byte))
            _ = assembler.feed(byte, now: now)
            if byte % 16 == 0 { _ = assembler.finishIfComplete(now: now) }
            if byte % 32 == 0 { _ = assembler.finishAfterSilence(now: now) }
        }
        _ = assembler.finish(now: now)
        let counts = assembler.counts
        let sum = counts.good + counts.badChecksum + counts.unfinished + counts.overlong
        let begun = bytes.count { $0 == UInt8(ascii: "$") }
        return sum <= begun ? nil : "\(sum) sentences of \(begun) that began"
    }

    /// The engine must survive any report of a source.
    static func replayFlaw(_ reports: [PositionReport]) -> String? {
        var replay = Replay(store: MemoryFenceStore()) { _ in }
        var events: [Event] = []
        for report in reports { events += replay.handle(report).map(\.event) }
        replay.finish()
        let counters = replay.summary.fixes
        let judged = counters.accepted + counters.refused.reduce(0, +)
        guard judged <= reports.count else { return "\(judged) judged of \(reports.count)" }
        return EventLaws.alternationFlaw(events)
    }
}
