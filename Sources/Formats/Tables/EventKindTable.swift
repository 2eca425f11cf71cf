package import Model
package import Sentences

/// How a kind of event is told, beside what the law says of it.
extension EventKind {
    /// The `MESSAGE_ID` of its journal entry, 32 hexadecimal digits, generated randomly once and fixed
    /// for ever; `geofenced.catalog` explains it. Nil for a kind that this version does not know.
    package var messageID: String? { row?.messageID }

    /// What a line begins with, for people: `Entered`, before the fence; all of it where there is none.
    package var phrase: String { row?.phrase ?? name }

    /// The same for drivers, in their language, with `{name}` of the fence; nil for a kind that this
    /// version does not know.
    package var sentence: Sentence? { row?.sentence }

    /// How it is to be taken, for colours.
    package var tone: Tone { row?.tone ?? .stay }

    /// How an event is to be taken.
    package enum Tone: Sendable {
        /// Something begins as it should, or is well again.
        case arrival
        case departure
        case stay
        /// Monitoring is complete again.
        case recovery
        case warning
        case alarm
    }

    private struct Row: Sendable {
        let kind: EventKind
        let messageID: String
        let phrase: String
        let sentence: Sentence
        let tone: Tone

        init(
            _ kind: EventKind, _ messageID: String, _ phrase: String, _ sentence: Sentence,
            _ tone: Tone
        ) {
            self.kind = kind
            self.messageID = messageID
            self.phrase = phrase
            self.sentence = sentence
            self.tone = tone
        }
    }

    private static let rows: [Row] = [
        Row(.enter, "5fdb9639950d4ef0926dde6a4aac6e3e", "Entered", .kindEnter, .arrival),
        Row(.exit, "af640d76c11d4ccd8d25ba57e6bf7d4d", "Left", .kindExit, .departure),
        Row(.dwell, "f319b184dc04407ba58a175b8d5b1860", "Stayed in", .kindDwell, .stay),
        Row(.initial, "5dba56fd240c4366a53e15e8c4ce7bd6", "Found inside", .kindInitial, .arrival),
        Row(
            .positionLost, "8f389802d61a47cb8e31b536f0cab0bc", "Position lost", .kindPositionLost,
            .alarm),
        Row(
            .positionRegained, "2fac7fdbed514316aa8b841bd86cc3ca", "Position regained",
            .kindPositionRegained, .recovery),
        Row(.advisory, "cd075172f159457d962f758fab4a2335", "Ahead:", .kindAdvisory, .warning),
        Row(.urgent, "acead710d68746259081431e1c97374f", "Urgent:", .kindUrgent, .alarm),
        Row(.clear, "e759d76c67d54513a918e55d198c0972", "No longer ahead:", .kindClear, .arrival),
        Row(
            .beaconsLost, "9a0b21117c914a2bb46f2cb3c642bcc1", "Beacons lost", .kindBeaconsLost,
            .alarm),
        Row(
            .beaconsRegained, "fcd99d1a372645878e3f587ae6ce02f2", "Beacons regained",
            .kindBeaconsRegained, .recovery),
        Row(.overspeed, "ba0be1ba7fac1a955444abe29a09a84e", "Too fast in", .kindOverspeed, .alarm),
        Row(
            .overspeedEnd, "45cee501e9a57913ed20ad74e1319a7f", "No longer too fast in",
            .kindOverspeedEnd, .arrival),
        Row(.noStop, "ba90e0799d5ce79f5058f0914891403a", "Did not stop in", .kindNoStop, .alarm),
        Row(.overstay, "a44d6f0e249c5bcefc119c8f0c66786b", "Too long in", .kindOverstay, .alarm),
        Row(
            .towed, "d0ae4e1dcc794d3f7b29ac82edb6b13a",
            "The vehicle is towed: it moves with its ignition off", .kindTowed, .alarm),
        Row(
            .positionDoubtful, "99250741af3548eabf645dd670a55060",
            "Position doubtful: it has jumped, and the vehicle has not moved",
            .kindPositionDoubtful, .alarm),
        Row(
            .positionTrusted, "9871eaa255d74a1ca53f9753f46a5bb8", "Position trusted again",
            .kindPositionTrusted,
            .recovery),
        Row(
            .fencesLost, "7d9b0cf6b978bebeb3e10f3d6b1b3fa6", "Fences are lost: not all are watched",
            .kindFencesLost,
            .alarm),
        Row(
            .fencesBack, "858778cafb1224c0637533ee331357ca", "No fences are missed any more",
            .kindFencesBack,
            .recovery),
        Row(.arriving, "d42c44290c004d03c788a5342ea88620", "Soon at", .kindArriving, .arrival),
        Row(
            .arrivingOver, "793be6aa0b6d0ac1e3f7bfea814b108d", "No longer on the way to",
            .kindArrivingOver, .departure),
        Row(.trip, "ad16118a7ff3d7cdd289c042e7abaa8a", "The trip is over", .kindTrip, .stay),
        Row(
            .position, "a28c18ef84ba1661d588a1341876159a", "Position recorded", .kindPosition, .stay
        ),
        Row(
            .logLost, "8133263d6a3e44209e53b1324324664b", "Events are lost: the log has a gap",
            .kindLogLost, .alarm),
    ]

    private var row: Row? { Self.rows.first { $0.kind == self } }
}
