package import Sentences

/// Who looks at the page: his language and units, and whose clock is shown.
package struct PageReader: Equatable, Sendable {
    /// In writing.
    package var wording: Wording
    /// A name of the time zone database; empty for that of the browser.
    package var timeZone: String

    /// English, metres and UTC, as a drive that is over is shown.
    package static let english = PageReader(wording: .log, timeZone: "UTC")

    package init(wording: Wording, timeZone: String) {
        self.wording = wording
        self.timeZone = timeZone
    }
}

/// The texts of the page, for its scripts.
enum PageWords {
    /// Those that programs have besides the page.
    private static let shared: [Sentence] = [
        .decimalPoint, .metres, .kilometres, .miles, .yards, .feet, .within, .kmh, .mph,
    ]

    /// Those that only the live page has, beside what is wrong in the vehicle.
    private static let live: Set<Sentence> = [
        .pageWaiting, .pageZoomIn, .pageLiveFrom, .pageLeaflet, .pageAgo, .pageMapSilent,
        .pageDaemonAbsent, .pageDaemonGone, .pageDaemonStopped, .pageDaemonSilent, .pageResting,
        .pageNoFix, .pageDegraded, .pageNeedsAddress, .pageMapEnded, .pageNoConnection,
    ]

    /// Those of the map that the board has, too.
    private static let alsoOfBoard: Set<Sentence> = [
        .pageSeconds, .pageMinutes, .pageHours, .pageNightTitle, .pageClose,
    ]

    /// A script that defines `WORDS`: the names of sentences, `pageFollow` as `follow`, `kindEnter` as it
    /// is, and their texts.
    static func script(_ translation: Translation, isLive: Bool) -> [UInt8] {
        script(translation) { sentence, name in
            let isOfLive = live.contains(sentence) || name.hasPrefix("pageTrouble")
            guard isLive || !isOfLive, name.hasPrefix("page") else { return nil }
            return name.dropFirst(4)
        }
    }

    /// The same for the board of a fleet: `boardNow` as `now`.
    static func boardScript(_ translation: Translation) -> [UInt8] {
        script(translation) { sentence, name in
            if alsoOfBoard.contains(sentence) { return name.dropFirst(4) }
            return name.hasPrefix("board") ? name.dropFirst(5) : nil
        }
    }

    /// - Parameter own: what is left of the name of a sentence of this page; nil for another one.
    private static func script(
        _ translation: Translation, _ own: (Sentence, String) -> Substring?
    ) -> [UInt8] {
        let entries = Sentence.allCases.compactMap { sentence -> String? in
            let name = "\(sentence)"
            let text = quoted(translation[sentence])
            if shared.contains(sentence) || name.hasPrefix("kind") { return "\(name):\(text)" }
            return own(sentence, name).map { rest in
                "\(rest.prefix(1).lowercased())\(rest.dropFirst()):\(text)"
            }
        }
        return Array("'use strict';\nconst WORDS={\(entries.joined(separator: ","))};\n".utf8)
    }

    /// As JavaScript, in which no markup begins. No text has a backslash or a line break.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "<": quoted += "\\u003c"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
