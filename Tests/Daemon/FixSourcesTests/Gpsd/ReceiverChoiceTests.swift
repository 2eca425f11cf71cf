import Geodesy
import Glibc
import Model
import SystemTestKit
import Systemd
import Testing
import Time

@testable import FixSources

/// A TPV of one receiver, at `latitude`; without one it has no fix.
private func tpv(_ device: String, _ second: Int, _ latitude: Double? = nil) -> String {
    let time = "2024-03-02T12:\(pair(second / 60)):\(pair(second % 60)).000Z"
    let place = latitude.map { #","lat":\#($0),"lon":12.25,"eph":9.5"# } ?? ""
    return #"{"class":"TPV","device":"\#(device)","mode":\#(latitude == nil ? 1 : 3),"#
        + #""time":"\#(time)"\#(place)}"# + "\r\n"
}

private func pair(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

/// The parallel of each report that has a fix.
private func latitudes(_ reports: [PositionReport]) -> [Double] {
    reports.filter(\.hasFix).compactMap { $0.coordinate?.latitude }
}

/// Section 2 of the law, "One receiver is the source".
@MainActor
@Suite("of several receivers one is the source", .serialized)
struct ReceiverChoiceTests {
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    /// What is heard of a gpsd that says that, up to so many reports, and which receiver is the source then.
    private func hear(
        _ text: String, until count: Int
    ) throws -> (reports: [PositionReport], receiver: String?) {
        let server = try TestServer(loop)
        let listener = Listener()
        let gpsd = GpsdSource(
            loop, .network(GpsdAddress(host: "127.0.0.1", port: server.port)), listener.handlers)
        gpsd.start()
        defer { gpsd.stop() }
        #expect(try loop.run { !server.received.isEmpty })
        server.send(text)
        #expect(try loop.run { listener.reports.count == count })
        return (listener.reports, gpsd.receiver)
    }

    private static func at(_ second: Double) -> Uptime { .boot + .seconds(1000 + second) }

    private func report(_ hasFix: Bool) -> PositionReport {
        PositionReport(
            time: nil, hasFix: hasFix,
            coordinate: hasFix ? Coordinate(latitude: 1, longitude: 2) : nil)
    }

    /// What becomes of `a` and `b` in turn, each at its second; upper case has a fix.
    private func admitted(
        _ script: [(Character, Double)], wanted: String? = nil,
        _ choice: ReceiverChoice? = nil
    ) -> String {
        var choice = choice ?? ReceiverChoice(ReceiverSettings(), wanted: wanted)
        choice.resume(at: Self.at(0))
        return script.reduce(into: "") { text, step in
            let moment = Self.at(step.1)
            let isOfSource = choice.admits(
                report(step.0.isUppercase), from: step.0.lowercased(), at: moment...moment)
            text += isOfSource ? String(step.0) : "."
        }
    }

    @Test("the first that has a fix; another after 30 s without one, not before")
    func takesOver() {
        #expect(admitted([("a", 0), ("b", 0), ("B", 1), ("A", 1), ("b", 2), ("a", 2)]) == "abB.b.")
        #expect(admitted([("A", 0), ("B", 30), ("A", 30), ("B", 60), ("B", 60.1)]) == "A.A.B")
        #expect(admitted([("A", 0), ("b", 40), ("a", 41), ("B", 42), ("A", 43)]) == "A.aB.")
        // It takes over in its turn.
        #expect(admitted([("A", 0), ("B", 31), ("A", 61), ("A", 61.1)]) == "AB.A")
        #expect(admitted([("A", 0), ("B", 99), ("b", 100)], wanted: "b") == ".Bb")
        #expect(admitted([("A", 0), ("A", 99)], wanted: "b") == "..")
    }

    struct Gone: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var word: String
        var isGone = true
    }

    nonisolated static let gone = [
        Gone(
            testDescription: "removed",
            word: #"{"class":"DEVICE","path":"/dev/a","activated":0}"#),
        Gone(
            testDescription: "removed, with a fraction",
            word: #"{"class":"DEVICE","path":"/dev/a","activated":0.000}"#),
        Gone(
            testDescription: "removed, as a time",
            word: #"{"class":"DEVICE","path":"/dev/a","activated":"1970-01-01T00:00:00.000Z"}"#),
        Gone(
            testDescription: "not in the list",
            word: #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/b"}]}"#),
        Gone(testDescription: "an empty list", word: #"{"class":"DEVICES","devices":[]}"#),
        Gone(
            testDescription: "in the list, but closed",
            word:
                #"{"class":"DEVICES","devices":[{"path":"/dev/a","activated":0},{"path":"/dev/b"}]}"#
        ),
        Gone(
            testDescription: "in the list",
            word: #"{"class":"DEVICES","devices":[{"path":"/dev/b"},{"path":"/dev/a"}]}"#,
            isGone: false),
        Gone(testDescription: "no list", word: #"{"class":"DEVICES"}"#, isGone: false),
        Gone(
            testDescription: "the other is removed",
            word: #"{"class":"DEVICE","path":"/dev/b","activated":0}"#, isGone: false),
        Gone(
            testDescription: "activated",
            word: #"{"class":"DEVICE","path":"/dev/a","activated":"2024-03-02T12:00:00.000Z"}"#,
            isGone: false),
        Gone(testDescription: "no word", word: #"{"class":"SKY"}"#, isGone: false),
    ]

    @Test("one that gpsd has taken away is none: the next fix of another counts", arguments: gone)
    func takenAway(_ one: Gone) throws {
        let text = [
            tpv("/dev/a", 1, 49), tpv("/dev/b", 1, 50), tpv("/dev/a", 2, 49), one.word + "\n",
            tpv("/dev/b", 3, 50), tpv("/dev/a", 4, 49), tpv("/dev/b", 5, 50),
        ].joined()
        let expected = one.isGone ? [49.0, 49, 50, 50] : [49, 49, 49]
        let folder = TemporaryDirectory()
        let reader = try TrackReader(path: folder.write(text, to: "gone.json"))
        var recorded: [PositionReport] = []
        while let report = try reader.next() { recorded.append(report) }
        #expect(latitudes(recorded) == expected)
        let heard = try hear(text, until: expected.count)
        #expect(latitudes(heard.reports) == expected)
        #expect(heard.receiver == (one.isGone ? "/dev/b" : "/dev/a"))
    }

    @Test("the time while nobody listens does not count, the time before and after it does")
    func pauses() {
        var choice = ReceiverChoice(ReceiverSettings())
        choice.resume(with: "a")
        choice.resume(at: Self.at(-2000))
        choice.pause(at: Self.at(-1980))
        #expect(admitted([("B", 10), ("B", 10.1)], choice) == ".B")
    }

    @Test("of reports that have waited, one of the source may be behind that of another")
    func waited() {
        var choice = ReceiverChoice(ReceiverSettings())
        choice.resume(with: "a")
        choice.resume(at: Self.at(0))
        func admits(_ device: String?, _ arrival: ClosedRange<Double>) -> Bool {
            choice.admits(
                report(true), from: device,
                at: Self.at(arrival.lowerBound)...Self.at(arrival.upperBound))
        }
        let isAdmitted = [
            admits("b", 5...300), admits("a", 5...300), admits("b", 301...301),
            admits(nil, 331...331),
        ]
        #expect(isAdmitted == [false, true, false, true])
    }

    @Test("the receiver is read from a TPV as gpsd writes it, and as libgps reads it")
    func names() {
        let decoder = GpsdDecoder()
        for text in [
            #"{"class":"TPV","device":"/dev/ttyACM0","mode":3}"#,
            #"{"class":"TPV","mode":3,"device":"/dev/ttyACM0"}"#,
            #"12:00: { "class": "TPV", "mode" : 3, "device" : "\/dev\/ttyACM0"}"#,
        ] {
            guard case .report(_, let device) = decoder.word(Array(text.utf8).span) else {
                Issue.record("no report: \(text)")
                continue
            }
            #expect(device == "/dev/ttyACM0")
        }
        guard
            case .report(_, nil) = decoder.word(Array(#"{"class":"TPV","mode":3}"#.utf8).span)
        else {
            Issue.record("a receiver where none is named")
            return
        }
    }

    @Test("what gpsd 3.26 says of jamming and the antenna is read, with libgps and without")
    func complaints() {
        let decoder = GpsdDecoder()
        func read(_ text: String) -> (UInt8, AntennaFault?)? {
            let line = #"{"class":"TPV","device":"/dev/a","mode":3,"# + text + "}"
            guard case .report(let report, _) = decoder.word(Array(line.utf8).span) else {
                return nil
            }
            return (report.jam, report.antenna)
        }
        for gap in ["", " "] {
            #expect(read(#""ant":3,\#(gap)"antPwr":2,"jam":51"#)! == (51, .open))
            #expect(read(#""ant":2,\#(gap)"jam":255"#)! == (255, .short))
            #expect(read(#""jam":1000,\#(gap)"ant":1"#)! == (255, nil))
            #expect(read(#""jam":-1,\#(gap)"ant":-1"#)! == (0, nil))
            #expect(read(#""jam":0.5,\#(gap)"ant":2.5"#)! == (0, nil))
            #expect(read(#""jam":"a",\#(gap)"lat":49"#) == nil || read(#""jam":"a""#)?.0 == 0)
        }
        #expect(read(#""eph":5"#)! == (0, nil))
    }

    @Test("the error of a driver is made 95 %, live as in a recording, and after a kill")
    func scales() throws {
        let lines = [
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},"#
                + #"{"class":"DEVICE","path":"/dev/b","driver":"u-blox"}]}"#,
            tpv("/dev/a", 1, 49),
            #"{"class":"DEVICE","path":"/dev/a","driver":"u-blox","activated":"x"}"#,
            tpv("/dev/a", 2, 49),
            #"{"class":"DEVICE","path":"/dev/a","driver":"NMEA0183","activated":"x"}"#,
            tpv("/dev/a", 3, 49),
        ]
        let folder = TemporaryDirectory()
        let text = lines.joined(separator: "\n") + "\n"
        let reader = try TrackReader(path: folder.write(text, to: "ubx.json"))
        var errors: [Double?] = []
        while let report = try reader.next() { errors.append(report.error) }
        #expect(errors == [9.5, 9.5 * 2.45, 9.5])
        #expect(try hear(text, until: 3).reports.map(\.error) == errors)
        var name = GpsdStoreName(.socket("/x"))
        name.device = "tcp://10.0.0.1:99"
        name.driver = "Garmin USB binary"
        var other = GpsdStoreName(.socket("/x"))
        #expect(other.isOfSamePeer(name.text) && !name.text.contains(":"))
        #expect(other.resume(as: name.text) == name.device && other.driver == name.driver)
    }

    @Test("a recording of two receivers has the path of one, until that has no fix any more")
    func recording() throws {
        var text = #"{"class":"VERSION","release":"3.22"}"# + "\n"
        for second in 0..<100 {
            text += tpv("/dev/b", second, second < 1 ? nil : 50)
            text += tpv("/dev/a", second, 49)
        }
        let folder = TemporaryDirectory()
        let reader = try TrackReader(path: folder.write(text, to: "two.json"))
        var reports: [PositionReport] = []
        while let report = try reader.next() { reports.append(report) }
        #expect(latitudes(reports) == [Double](repeating: 49, count: 100))
        // The other is first: 50 from second 0 to 49, 49 from second 80 to 99.
        let turned = (0..<100).map { second in
            tpv("/dev/b", second, second < 50 ? 50 : nil) + tpv("/dev/a", second, 49)
        }
        let second = try TrackReader(path: folder.write(turned.joined(), to: "turned.json"))
        reports = []
        while let report = try second.next() { reports.append(report) }
        #expect(
            latitudes(reports) == [Double](repeating: 50, count: 50)
                + [Double](repeating: 49, count: 20))
    }

    @Test("while it is the source it is named, and only it goes or comes back")
    func states() throws {
        let server = try TestServer(loop)
        server.greeting = #"{"class":"VERSION","release":"3.22"}"# + "\r\n"
        let listener = Listener()
        let gpsd = GpsdSource(
            loop, .network(GpsdAddress(host: "127.0.0.1", port: server.port)), listener.handlers)
        gpsd.start()
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22") })
        #expect(gpsd.receiver == nil)
        server.send(tpv("/dev/a", 1, 49))
        #expect(try loop.run { listener.reports.count == 1 })
        #expect(gpsd.receiver == "/dev/a")
        #expect(listener.states.last == .connected("gpsd 3.22"), "there is no other")
        server.send(tpv("/dev/b", 1, 50))
        server.send(#"{"class":"DEVICE","path":"/dev/b","activated":0}"# + "\r\n")
        server.send(tpv("/dev/a", 2, 49))
        #expect(try loop.run { listener.reports.count == 2 })
        #expect(listener.states.last == .connected("gpsd 3.22, /dev/a"))
        server.send(#"{"class":"DEVICE","path":"/dev/a","activated":0}"# + "\r\n")
        #expect(try loop.run { listener.states.last == .deviceLost("/dev/a") })
        server.send(tpv("/dev/b", 3, 50))
        #expect(try loop.run { listener.states.last == .connected("gpsd 3.22, /dev/b") })
        server.send(tpv("/dev/a", 4, 49))
        server.send(tpv("/dev/b", 5, 50))
        #expect(try loop.run { listener.reports.count == 4 })
        #expect(latitudes(listener.reports) == [49, 49, 50, 50])
        gpsd.stop()
    }
}

/// The gpsd of this machine, with two receivers 40 m apart.
@MainActor
@Suite("gpsd itself, with two receivers", .serialized)
struct TwoReceiverTests {
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    /// A receiver that sends one epoch for each call.
    @MainActor
    private final class Feed {
        let server: TestServer
        let latitude: String
        var isOn = true
        private var second = 0

        init(_ loop: EventLoop, _ latitude: String) throws {
            server = try TestServer(loop)
            self.latitude = latitude
        }

        var device: String { "tcp://127.0.0.1:\(server.port)" }

        func send() {
            second += 1
            guard isOn else { return }
            let time = String(100_000 + second / 60 % 60 * 100 + second % 60)
            server.send(
                rmc(time, latitude: latitude, date: "201126") + gga(time, latitude: latitude))
        }
    }

    @Test(
        "the fixes of one, then of the other when the first says nothing; or those of the one named"
    )
    func two() throws {
        let feeds = [try Feed(loop, "4810.0000"), try Feed(loop, "4810.0216")]
        let port = try freePort(loop)
        let daemon = Subprocess(
            ["gpsd", "-N", "-n", "-S", String(port)] + feeds.map(\.device))
        defer { daemon.signal(SIGKILL) }
        var settings = ReceiverSettings()
        settings.lostAfter = .seconds(1)
        let any = Listener()
        let named = Listener()
        let sources = [(any, nil), (named, feeds[1].device)].map { listener, device in
            var timing = GpsdSource.Timing()
            timing.firstRetry = .milliseconds(50)
            timing.longestRetry = .milliseconds(200)
            return GpsdSource(
                loop, .network(GpsdAddress(port: port, device: device)), listener.handlers,
                settings, timing: timing)
        }
        for source in sources { source.start() }
        func drive(until condition: () -> Bool) throws -> Bool {
            try loop.run(seconds: 60) {
                if condition() { return true }
                for feed in feeds { feed.send() }
                usleep(10_000)
                return false
            }
        }
        let fixes = { (listener: Listener) in latitudes(listener.reports) }
        #expect(
            try drive { fixes(any).count > 50 && fixes(named).count > 50 },
            "\(any.states) \(named.states) \(daemon.errorsSoFar)")
        let first = try #require(fixes(any).first)
        #expect(Set(fixes(any)) == [first], "one place")
        #expect(Set(fixes(named)).count == 1)
        let source = try #require(feeds.first { $0.device == sources[0].receiver })
        source.isOn = false
        #expect(try drive { fixes(any).last != first })
        #expect(sources[0].receiver != source.device)
        source.isOn = true
        let before = fixes(any).count
        #expect(try drive { fixes(any).count > before + 50 })
        #expect(Set(fixes(any).dropFirst(before)).count == 1, "it is not taken back")
        #expect(Set(fixes(named)).count == 1)
        #expect(sources[1].receiver == feeds[1].device)
        for source in sources { source.stop() }
    }
}
