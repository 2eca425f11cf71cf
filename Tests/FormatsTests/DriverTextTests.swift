import Foundation
import Languages
import Model
import Sentences
import SystemTestKit
import Testing

@testable import Formats

@Suite("What the driver hears and reads of a hazard")
struct DriverTextTests {
    private var bridge: ApproachDetails {
        ApproachDetails(
            kind: .height, limit: 4.1148, sign: "13'6\"", basis: .signedActual, vehicle: 4.2,
            margin: 0.15, shortBy: 0.235, toGo: 2_000, toEscape: 1_500,
            escape: Approach.Escape(road: "Mill Lane", side: .left))
    }

    private static func wording(
        _ name: String, _ units: UnitChoice = .sign, isSpoken: Bool = true
    ) throws -> Wording {
        Wording(try #require(DriverLanguage(name)), units, isSpoken: isSpoken)
    }

    @Test("in logs: English, units of the sign, own height up, clearance and distances down")
    func log() throws {
        var details = bridge
        #expect(
            details.text(of: .advisory)
                == "Low bridge 13'6\" in 1.2 miles. Last way out in 0.9 miles, left, Mill Lane. "
                + "You are 13'10\" tall.")
        #expect(
            details.text(of: .advisory, as: try Self.wording("en", .metric, isSpoken: false))
                == "Low bridge 4.11 m in 2.0 km. Last way out in 1.5 km, left, Mill Lane. "
                + "You are 4.20 m tall.")
        details.sign = "4.1"
        details.vehicle = 4.21
        details.toGo = 180
        details.toEscape = -20
        #expect(
            details.text(of: .urgent)
                == "Low bridge 4.11 m in 100 m. No way out before it. You are 4.25 m tall.")
        #expect(details.text(of: .clear) == "Low bridge 4.11 m is no longer ahead.")
        details.limit = nil
        details.certainty = .assumed
        details.toEscape = nil
        #expect(
            details.text(of: .advisory)
                == "Low bridge, clearance unknown, in 100 m. "
                + "Your height is not set, taken as 4.25 m.")
        details.toGo = 0
        details.condition = "Mo-Fr"
        #expect(details.text(of: .urgent).hasPrefix("Low bridge, clearance unknown here. No way"))
        #expect(details.text(of: .urgent).hasSuffix(" Applies: Mo-Fr."))
    }

    @Test("aloud, in other languages, numbers as they are spoken")
    func spoken() throws {
        #expect(
            bridge.text(of: .advisory, as: try Self.wording("en-US"))
                == "Low bridge 13 feet 6 in 1.2 miles. Last way out in 0.9 miles, left, Mill Lane. "
                + "You are 13 feet 10 tall.")
        var details = bridge
        details.sign = ""
        #expect(
            details.text(of: .advisory, as: try Self.wording("de"))
                == "Niedrige Brücke 4 Meter 11 in 2 Kilometern. Letzter Ausweg in 1,5 Kilometern "
                + "links, Mill Lane. Sie sind 4 Meter 20 hoch.")
        details.vehicle = 4.05
        details.toEscape = -5
        #expect(
            details.text(of: .urgent, as: try Self.wording("pl"))
                == "Niski wiadukt 4 metry 11 za 2 kilometry. Wcześniej nie ma już zjazdu. "
                + "Wysokość pojazdu 4 metry 05.")
        #expect(
            details.text(of: .clear, as: try Self.wording("uk", isSpoken: false))
                == "Низький міст 4,11 м: більше не попереду.")
    }

    /// Every kind of hazard, before and behind the last way out, known and unknown.
    static var every: [(EventKind, ApproachDetails)] {
        var every: [(EventKind, ApproachDetails)] = []
        let sides: [Approach.Escape.Side?] = [nil] + Approach.Escape.Side.allCases
        for (index, kind) in Limits.Kind.allCases.enumerated() {
            let isWeight = kind == .weight || kind == .axleLoad
            let cases: [(Double?, Double, Double?)] = [
                (isWeight ? 7.5 : 3.85, 1_900, 1_700), (isWeight ? 12 : 4, 900, 800),
                (nil, 500, -10), (3, 0, nil),
            ]
            for (limit, toGo, toEscape) in cases {
                for side in sides where side == sides[index] || kind == .height {
                    let details = ApproachDetails(
                        kind: kind, limit: limit, vehicle: isWeight ? 17.5 : 4.05,
                        certainty: side == .left ? .assumed : .confirmed, toGo: toGo,
                        toEscape: toEscape, escape: Approach.Escape(road: "", side: side))
                    every += [EventKind.advisory, .urgent, .clear].map { ($0, details) }
                }
            }
        }
        return every
    }

    /// Everything that is ever said in a language, sentence by sentence.
    private static func sentences(_ language: Language, _ choice: UnitChoice) -> Set<String> {
        let wording = Wording(DriverLanguage(language: language), choice, isSpoken: true)
        let texts =
            every.filter { $0.0 != .clear }.map { $0.1.text(of: $0.0, as: wording) }
            + [
                wording.text(.fencesLost), wording.text(.more, 1), wording.text(.more, 12),
                wording.text(.heightNotSet, ["value": wording.length(4.05, .metric, .up)]),
                wording.text(.confirmHeight, ["value": wording.length(4.05, .metric, .up)]),
                wording.text(.trialAdvisory), wording.text(.trialUrgent),
            ]
        return Set(
            texts.flatMap { text in
                text.replacingOccurrences(of: ". ", with: ".\n").split(separator: "\n")
            }.map(String.init))
    }

    @Test("every sentence in every language has all that is put in", arguments: Language.allCases)
    func complete(language: Language) {
        for choice in UnitChoice.allCases {
            for isSpoken in [true, false] {
                let wording = Wording(
                    DriverLanguage(language: language), choice, isSpoken: isSpoken)
                for (kind, details) in Self.every {
                    let text = details.text(of: kind, as: wording)
                    #expect(!text.contains { "{}|".contains($0) }, "\(text)")
                    #expect(!text.contains("  ") && text.hasSuffix("."), "\(text)")
                    #expect(!text.contains(" .") && !text.contains(",,"), "\(text)")
                }
            }
        }
    }

    /// Seconds: the samples of a WAV file that espeak-ng writes, as fast as geofenced-alert has it
    /// speak.
    private func duration(_ text: String, _ language: Language, _ path: String) throws -> Double {
        let run = Subprocess([
            "espeak-ng", "-v", language.rawValue, "-s", "160", "-w", path, "--", text,
        ])
        #expect(run.wait()?.status == 0, "\(run.errorsSoFar)")
        let wav = [UInt8](try Data(contentsOf: URL(filePath: path)))
        try #require(wav.count > 44)
        let rate = (0..<4).reduce(0) { $0 | Int(wav[24 + $1]) << ($1 * 8) }
        return Double((wav.count - 44) / 2) / Double(rate)
    }

    @Test(
        "none is longer than six seconds, and the voice of its language speaks it differently",
        arguments: Language.allCases)
    func aloud(language: Language) throws {
        let directory = TemporaryDirectory()
        for sentence in Self.sentences(language, .metric) {
            let seconds = try duration(sentence, language, directory.file("wav"))
            #expect(seconds > 0.3 && seconds <= 6, "\(seconds) s: \(sentence)")
        }
        let other = language == .english ? Language.german : .english
        var own: [String] = []
        for voice in [language, other] {
            let text = Self.every[0].1.text(
                of: .advisory,
                as: Wording(DriverLanguage(language: language), .metric, isSpoken: true))
            let run = Subprocess([
                "espeak-ng", "-q", "--ipa", "-v", voice.rawValue, "--", text,
            ])
            own.append(try #require(run.wait()).output)
        }
        #expect(own[0] != own[1] && !own[0].isEmpty)
        #expect(!own[0].contains("("), "no word is of another language: \(own[0])")
    }
}
