import Glibc
import SystemTestKit
import Testing

/// `watch` on a real terminal, made by script(1).
@MainActor
@Suite(.serialized, .needs(.terminals))
struct WatchScreenTests {
    let daemon: ServedDaemon

    init() throws {
        daemon = try ServedDaemon()
        for number in 0..<30 {
            try daemon.add("f\(number)", east: Double(number) * 500, title: "Brücke \(number) 橋")
        }
        for east in stride(from: 0.0, to: 3000, by: 500) {
            daemon.drive(from: east, to: east + 480)
        }
    }

    private func start(
        columns: Int, rows: Int, keys: String = "", options: String = "",
        environment: [String: String?] = [:]
    ) -> Subprocess {
        let command =
            "stty cols \(columns) rows \(rows); exec \(builtProgram("geofencectl"))"
            + " --bus \(daemon.bus.address) watch \(options)"
        let variables = [
            "TERM": "xterm", "NO_COLOR": nil, "COLUMNS": nil, "LINES": nil, "LC_ALL": "C.UTF-8",
        ]
        return Subprocess(
            ["script", "-qefc", command, "/dev/null"],
            environment: variables.merging(environment) { $1 }, input: keys)
    }

    /// The lines of the last complete picture, without colours.
    private func picture(_ output: String) -> [String]? {
        // To Swift CR LF is one character.
        let plain = String(String.UnicodeScalarView(output.unicodeScalars.filter { $0 != "\r" }))
        let frames = plain.components(between: "\u{1B}[H", "\u{1B}[J")
        return frames.last.map { frame in
            frame.replacing("\u{1B}[K", with: "").withoutColours
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test("the picture fits the terminal", arguments: [(80, 24), (132, 43), (50, 12), (30, 6)])
    func fits(columns: Int, rows: Int) throws {
        let run = start(columns: columns, rows: rows)
        #expect(
            try daemon.loop.run {
                picture(run.outputSoFar)?.first?.hasPrefix("geofenced running") == true
            })
        let lines = try #require(picture(run.outputSoFar))
        #expect(lines.count == rows)
        #expect(lines.last?.hasPrefix("q quits") == true)
        for line in lines { #expect(line.columnsAtMost <= columns, "\(line)") }
        if rows >= 24 {
            #expect(lines.contains { $0.contains("DISTANCE  PRESENCE  FENCE") })
            #expect(lines.contains { $0.contains("exit") && $0.contains("Brücke") })
            #expect(lines.contains { $0.contains("19 of 30 fences, metafence") })
            #expect(lines.contains { $0.hasPrefix("TIME (UTC)") })
            // The newest first.
            let times = lines.drop { !$0.hasPrefix("TIME (UTC)") }.dropFirst()
                .prefix { $0.hasPrefix("0") }.map { $0.prefix(14) }
            #expect(times.count > 1 && times == times.sorted(by: >))
            let regions = lines.drop { !$0.contains("PRESENCE  FENCE") }.dropFirst()
                .prefix { !$0.isEmpty }
            #expect(regions.first?.contains("Brücke") == true)
            #expect(regions.count { $0.contains("Brücke") } == (rows > 40 ? 19 : regions.count - 1))
            if rows < 40 { #expect(regions.last == "\(19 - regions.count + 1) more") }
        }
    }

    @Test(
        "only ASCII is shown where it is asked for, and where the locale is not UTF-8",
        arguments: [
            ("--ascii", "C.UTF-8", true), ("", "C", true), ("", "POSIX", true),
            ("", "C.UTF-8", false),
            ("", "de_DE.utf8", false),
        ])
    func ascii(_ options: String, _ locale: String, _ isASCII: Bool) throws {
        let run = start(
            columns: 80, rows: 24, options: options, environment: ["LC_ALL": locale])
        #expect(
            try daemon.loop.run {
                picture(run.outputSoFar)?.first?.hasPrefix("geofenced running") == true
            })
        let lines = try #require(picture(run.outputSoFar))
        #expect(lines.joined().utf8.allSatisfy { $0 < 0x80 } == isASCII)
        #expect(lines.contains { $0.contains(isASCII ? "Br?cke" : "Brücke") })
    }

    @Test("colours are used, and not with NO_COLOR", arguments: [nil, "1"])
    func colours(_ noColour: String?) throws {
        let run = start(columns: 80, rows: 24, environment: ["NO_COLOR": noColour])
        #expect(try daemon.loop.run { picture(run.outputSoFar)?.count == 24 })
        #expect(run.outputSoFar.contains("\u{1B}[1m") == (noColour == nil))
    }

    @Test("q restores the terminal")
    func quits() throws {
        let run = start(columns: 80, rows: 24, keys: "q")
        let ending = try #require(try daemon.loop.run(untilEndOf: run))
        #expect(ending.output.contains("\u{1B}[?1049h"))
        #expect(ending.output.contains("\u{1B}[?25h\u{1B}[?1049l"))
        #expect(ending.status == 0)
    }

    @Test("a daemon that does not answer is named, and what it has said last is grey")
    func silent() throws {
        let run = start(columns: 80, rows: 24)
        func head() -> String { picture(run.outputSoFar)?.first ?? "" }
        #expect(try daemon.loop.run { head().hasPrefix("geofenced running") })
        // Nobody runs its loop.
        #expect(waitUntil { head().hasPrefix("geofenced does not answer, for ") })
        let frame = run.outputSoFar.components(between: "\u{1B}[H", "\u{1B}[J").last ?? ""
        let position = frame.split(separator: "\n").first { $0.contains("position known") }
        #expect(position?.contains("\u{1B}[2m") == true, "\(position ?? "")")
        #expect(try daemon.loop.run { head().hasPrefix("geofenced running") })
    }

    @Test("a daemon that stops is shown as gone, and is found again")
    func comesBack() throws {
        let run = start(columns: 80, rows: 24)
        func head() -> String { picture(run.outputSoFar)?.first ?? "" }
        #expect(try daemon.loop.run { head().hasPrefix("geofenced running") })
        daemon.leave()
        #expect(try daemon.loop.run { head().hasPrefix("geofenced: geofenced is not running") })
        try daemon.serve()
        #expect(try daemon.loop.run { head().hasPrefix("geofenced running") })
    }
}

extension String {
    /// The parts between each `start` and the next `end`.
    fileprivate func components(between start: String, _ end: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let first = rest.firstRange(of: start) {
            rest = rest[first.upperBound...]
            guard let last = rest.firstRange(of: end) else { break }
            found.append(String(rest[..<last.lowerBound]))
            rest = rest[last.upperBound...]
        }
        return found
    }

    fileprivate var withoutColours: String {
        var text = ""
        var rest = self[...]
        while let escape = rest.firstIndex(of: "\u{1B}") {
            text += rest[..<escape]
            rest = rest[escape...].drop { $0 != "m" }.dropFirst()
        }
        return text + rest
    }

    /// With two columns for the one wide character that the fences have.
    fileprivate var columnsAtMost: Int { count + filter { $0 == "橋" }.count }
}
