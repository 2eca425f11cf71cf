import Model
import Testing

@testable import FixSources

@Suite("NMEA live")
struct NmeaLiveTests {
    private func liveReports(_ bursts: [String]) -> (
        reports: [PositionReport], early: Int, late: Int
    ) {
        var settings = ReceiverSettings()
        settings.dates = .live(floor: utc("2024-01-01T00:00:00Z"))
        var assembler = NmeaAssembler(settings)
        var all: [PositionReport] = []
        var early = 0
        for burst in bursts {
            all += burst.utf8.compactMap { assembler.feed($0) }
            if let report = assembler.finishIfComplete(now: nil) {
                early += 1
                all.append(report)
            }
        }
        all += assembler.finish()
        return (all, early, assembler.late)
    }

    private func cycle(_ second: Int) -> String {
        let time = "1200\(second < 10 ? "0" : "")\(second)"
        return rmc(time) + gga(time) + NmeaEpochTests.gsa + NmeaEpochTests.gsa
            + nmea("GPGST,\(time),3.2,6.6,4.7,47.3,3,4,22.0")
    }

    @Test(
        "once the cycle is known, an epoch is given with its last sentence and is the same as in replay"
    )
    func learned() {
        let bursts = (0..<20).map(cycle)
        let live = liveReports(bursts)
        #expect(live.reports == reports(bursts.joined()))
        #expect(live.early == 17)
        #expect(live.late == 0)
    }

    @Test(
        "a sentence after the assumed end makes no separate epoch, and is learned from"
    )
    func late() {
        var bursts = (0..<10).map(cycle)
        // In a separate burst, after the epoch was reported.
        bursts += (10..<20).flatMap { [cycle($0), nmea("GPVTG,1,T,,M,2,N,3,K,A")] }
        bursts += (20..<30).flatMap {
            [cycle($0), nmea("GPGLL,4901.5,N,01203.9,E,1200\($0),A,A")]
        }
        let live = liveReports(bursts)
        #expect(live.reports.map(\.time) == reports(bursts.joined()).map(\.time))
        #expect(live.late > 0)
        #expect(live.reports.allSatisfy { $0.error == 8.5 })
    }

    @Test("silence gives an epoch whose end is not yet known")
    func silence() {
        var assembler = NmeaAssembler()
        #expect(cycle(0).utf8.compactMap { assembler.feed($0) }.isEmpty)
        #expect(assembler.finishIfComplete(now: nil) == nil)
        #expect(assembler.finishAfterSilence(now: nil)?.error == 8.5)
        #expect(!assembler.isOpen)
        #expect(assembler.finishAfterSilence(now: nil) == nil)
    }
}
