import Foundation
import Model
import Monitoring
import Testing

@testable import geofencectl

/// The verdicts of `geofencectl doctor` over evidence, without a box.
@Suite("geofencectl doctor over evidence")
struct DoctorStepTests {
    /// DoctorEvidence with something wrong in it, and the first cause that is to be named.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let cause: String
        let change: @Sendable (inout DoctorEvidence) -> Void

        init(
            _ name: String, _ cause: String,
            change: @escaping @Sendable (inout DoctorEvidence) -> Void
        ) {
            testDescription = name
            self.cause = cause
            self.change = change
        }
    }

    /// A box on which everything is as it should be.
    static var healthy: DoctorEvidence {
        var evidence = DoctorEvidence()
        var report = GpsdEvidence.Report()
        report.mode = 3
        report.time = 1_800_000_000
        report.arrival = 1_800_000_000.3
        report.error = 5
        report.device = "/dev/ttyUSB0"
        var gpsd = GpsdEvidence()
        gpsd.addresses = [[127, 0, 0, 1]]
        gpsd.release = "3.22"
        gpsd.devices = [.init(path: "/dev/ttyUSB0", isActive: true, driver: "u-blox")]
        gpsd.report = report
        gpsd.satellites = (12, 9)
        evidence.gpsd = gpsd
        var coverage = CoverageEvidence()
        (coverage.seconds, coverage.fixes, coverage.within) = (3600, 3600, 3420)
        evidence.coverage = coverage
        var unit = UnitEvidence()
        unit.mainPID = 7
        unit.hasPrivateDevices = true
        unit.denied = [
            AddressRange(address: [0, 0, 0, 0], bits: 0),
            AddressRange(address: [UInt8](repeating: 0, count: 16), bits: 0),
        ]
        unit.allowed = [AddressRange(address: [127, 0, 0, 0], bits: 8)]
        unit.isJournalActive = true
        evidence.unit = unit
        evidence.bus.isOwned = true
        evidence.bus.pid = 7
        evidence.bus.hasPolkit = true
        var daemon = DaemonEvidence()
        daemon.positionState = "known"
        daemon.accepted = 1000
        daemon.fenceCount = 3
        daemon.vehicle = "height 4.00 m"
        evidence.daemon = daemon
        var near = FenceEvidence.Near()
        near.name = "depot"
        near.distance = 312
        evidence.fences.nearest = near
        evidence.fences.isSearched = true
        return evidence
    }

    private static func firstCause(_ evidence: DoctorEvidence) -> String {
        DoctorStep.walk.map { $0.judge(evidence) }.compactMap(\.cause?.code).first ?? ""
    }

    @Test("a healthy box has no cause, and every step is good")
    func good() {
        for step in DoctorStep.walk {
            let finding = step.judge(Self.healthy)
            #expect(finding.verdict == .good, "\(step.name): \(finding.evidence)")
        }
    }

    @Test("the first cause", arguments: cases)
    func first(_ item: Case) {
        var evidence = Self.healthy
        item.change(&evidence)
        #expect(Self.firstCause(evidence) == item.cause)
        for step in DoctorStep.walk {
            let codes = step.causes.map(\.code)
            for cause in step.judge(evidence).all.compactMap(\.cause) {
                #expect(codes.contains(cause.code), "\(step.name) does not list \(cause.code)")
            }
        }
    }

    @Test("all causes of a step, the worst first", arguments: severalCases)
    func several(_ item: Several) {
        var evidence = Self.healthy
        item.change(&evidence)
        let finding = item.step.judge(evidence)
        #expect(finding.all.compactMap(\.cause?.code) == item.causes)
        #expect(finding.verdict == finding.cause?.verdict)
    }

    @Test("fixes that are refused, by each reason", arguments: Refusal.allCases)
    func refused(_ reason: Refusal) {
        var evidence = Self.healthy
        evidence.daemon?.newlyAccepted = 7
        evidence.daemon?.newlyRefused = [reason.name: 3]
        #expect(Self.firstCause(evidence) == "some-refused-\(reason.name)")
        evidence.daemon?.newlyAccepted = 2
        #expect(Self.firstCause(evidence) == "refused-\(reason.name)")
        // Those of long ago are history, however little was judged just now.
        evidence.daemon?.refused = [reason.name: 100_000]
        evidence.daemon?.newlyRefused = [:]
        for accepted in [10, 1, 0] as [UInt64] {
            evidence.daemon?.newlyAccepted = accepted
            #expect(Self.firstCause(evidence).isEmpty)
            let text = DoctorStep.fixes.judge(evidence).evidence
            #expect(text.contains("100000 refused before (100000 \(reason.name))"), "\(text)")
        }
        // One or two say nothing, unless there is no position at all.
        evidence.daemon?.newlyAccepted = 0
        evidence.daemon?.newlyRefused = [reason.name: 2]
        #expect(Self.firstCause(evidence).isEmpty)
        evidence.daemon?.positionState = "unknown"
        #expect(Self.firstCause(evidence) == "refused-\(reason.name)")
    }

    @Test(
        "a source that gives few fixes is doubtful, and said with how far the vehicle goes meanwhile"
    )
    func sparse() {
        var evidence = Self.healthy
        for (interval, code) in [(nil, ""), (1, ""), (5, ""), (30, "sparse-fixes")]
            as [(Double?, String)]
        {
            evidence.daemon?.interval = interval
            #expect(Self.firstCause(evidence) == code)
        }
        #expect(
            DoctorStep.fixes.judge(evidence).evidence.contains(
                "one in 30 s, at 80 km/h one each 660 m"))
    }

    @Test("every word of Degraded has a cause with advice", arguments: Trouble.allCases)
    func degraded(_ trouble: Trouble) throws {
        let cause = try #require(DegradedWord.causes[trouble.rawValue])
        var evidence = Self.healthy
        evidence.daemon?.degraded = [trouble.rawValue]
        #expect(Self.firstCause(evidence) == cause.code)
    }

    @Test("words of a later daemon are shown as they are, the worst of several first")
    func laterWords() throws {
        var evidence = Self.healthy
        evidence.daemon?.degraded = ["mice", "console", "events-lost"]
        let findings = DoctorStep.degraded.judge(evidence).all
        #expect(findings.map(\.evidence) == ["events-lost", "mice", "console"])
        #expect(findings.compactMap(\.cause?.code) == ["events-lost", "degraded", "console"])
        evidence.daemon?.degraded = ["mice"]
        #expect(DoctorStep.degraded.judge(evidence).cause?.code == "degraded")
    }

    @Test(
        "addresses that the unit allows: allowed before denied, whole and broken bytes",
        arguments: [
            ([127, 0, 0, 1], true), ([192, 168, 1, 1], false), ([10, 0, 0, 1], true),
            ([10, 0, 0, 129], false),
        ] as [([UInt8], Bool)])
    func addresses(_ address: [UInt8], _ isAllowed: Bool) throws {
        var unit = try #require(Self.healthy.unit)
        unit.allowed.append(AddressRange(address: [10, 0, 0, 0], bits: 25))
        #expect(unit.allows(address) == isAllowed)
        unit.hasPrivateNetwork = true
        #expect(!unit.allows(address))
        #expect(UnitEvidence().allows(address))
    }

    @Test("what gpsd says, in pieces")
    func reading() {
        var reading = GpsdReading(GpsdEvidence())
        let text = """
            {"class":"VERSION","release":"3.22"}\r
            {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":0}]}\r
            {"class":"DEVICE","path":"/dev/a","driver":"SiRF","activated":"2026-11-24T08:00:00Z"}\r
            not from gpsd\r
            {"class":"SKY","satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}\r
            {"class":"TPV","mode":3,"time":"2027-01-15T08:00:00.000Z","epx":3.0,"epy":4.0}\r
            {"class":"TPV","mode":1}\r

            """
        for byte in text.utf8 {
            #expect(!reading.isEnough || reading.evidence.report != nil)
            reading.hear([byte], at: 1_800_000_001)
        }
        #expect(reading.isEnough)
        let evidence = reading.evidence
        #expect(evidence.release == "3.22")
        #expect(evidence.devices.map(\.isActive) == [true])
        #expect(evidence.satellites?.seen == 2 && evidence.satellites?.used == 1)
        #expect(evidence.report?.mode == 3 && evidence.report?.error == 5)
        #expect(evidence.report?.time == 1_800_000_000)
    }

    @Test("each cause is on the page, and each step is in the manual page")
    func pages() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let page = try String(contentsOfFile: "\(root)/docs/NOTHING-HAPPENS.md", encoding: .utf8)
        let manual = try String(contentsOfFile: "\(root)/docs/man/geofencectl.1", encoding: .utf8)
        let codes = DoctorStep.walk.flatMap(\.causes).map(\.code)
        for code in Set(codes) where !code.hasPrefix("some-refused-") {
            #expect(page.contains("`\(code)`"), "\(code)")
        }
        let words = page.split(separator: "`").map(String.init)
        for step in DoctorStep.walk {
            #expect(words.contains(step.name), "\(step.name)")
            #expect(manual.contains("\n.It Li \(step.name)\n\(step.question)\n"), "\(step.name)")
        }
        #expect(Set(codes).count == codes.count, "a cause of two steps")
        #expect(Set(DoctorStep.walk.map(\.name)).count == DoctorStep.walk.count)
    }
}
