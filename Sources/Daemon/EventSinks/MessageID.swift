package import Engine

/// The `MESSAGE_ID` of every journal line that programs may rely on: generated randomly once, and
/// fixed for ever. Each has an entry in `geofenced.catalog`, which says what it means and what to
/// do.
package enum MessageID: String, CaseIterable, Sendable {
    // Events, in the order of EventKind.
    case enter = "5fdb9639950d4ef0926dde6a4aac6e3e"
    case exit = "af640d76c11d4ccd8d25ba57e6bf7d4d"
    case dwell = "f319b184dc04407ba58a175b8d5b1860"
    case initial = "5dba56fd240c4366a53e15e8c4ce7bd6"
    case positionLost = "8f389802d61a47cb8e31b536f0cab0bc"
    case positionRegained = "2fac7fdbed514316aa8b841bd86cc3ca"
    case advisory = "cd075172f159457d962f758fab4a2335"
    case urgent = "acead710d68746259081431e1c97374f"
    case clear = "e759d76c67d54513a918e55d198c0972"
    case beaconsLost = "9a0b21117c914a2bb46f2cb3c642bcc1"
    case beaconsRegained = "fcd99d1a372645878e3f587ae6ce02f2"
    case overspeed = "ba0be1ba7fac1a955444abe29a09a84e"
    case overspeedEnd = "45cee501e9a57913ed20ad74e1319a7f"
    case noStop = "ba90e0799d5ce79f5058f0914891403a"
    case overstay = "a44d6f0e249c5bcefc119c8f0c66786b"
    case towed = "d0ae4e1dcc794d3f7b29ac82edb6b13a"

    // About the daemon itself.
    /// It is ready: configuration and fences are read, the log is open.
    case started = "9684e65d64114da39451981cd3141213"
    /// It has stopped in order.
    case stopped = "1e7efd462b934dd5b8f03391d7d77fe6"
    /// gpsd, the receiver or the file is unavailable or silent; it is retried.
    case sourceLost = "9097e7689ffd4380a53347399a649c05"
    case sourceRegained = "d3d5f83e94cf40fbb808d589fca30770"
    /// Something it delivers through (disk, journal, bus) accepts nothing: events wait in memory.
    case degraded = "92c3bf409216437eacb9dffe0ad266cd"
    case recovered = "e638784e1e5a4b8ab09860afc7b9535b"
    /// A configuration line is ignored, the default applies.
    case configurationProblem = "539f8693b0b14507869ffbdebba87b75"
    /// A fence file is invalid; the last valid version of its fences stays.
    case fenceFileProblem = "f495e2d8430e4286b03dea0b58d3cb3e"
    /// The database could not be read and was quarantined.
    case storeSetAside = "6ec35e956c9e45c48ea655c247d3bcc3"
    /// It has crashed repeatedly, and starts without the possible cause.
    case crashLoop = "d332c349c6564d409c08a112338bcf6d"
    /// More regions must be monitored than the window has slots.
    case windowGrew = "68e5bac784cc476aae163fc9f510d772"
}

extension EventKind {
    /// The id in the journal entry of such an event.
    package var messageID: MessageID {
        switch self {
        case .enter: .enter
        case .exit: .exit
        case .dwell: .dwell
        case .initial: .initial
        case .positionLost: .positionLost
        case .positionRegained: .positionRegained
        case .advisory: .advisory
        case .urgent: .urgent
        case .clear: .clear
        case .beaconsLost: .beaconsLost
        case .beaconsRegained: .beaconsRegained
        case .overspeed: .overspeed
        case .overspeedEnd: .overspeedEnd
        case .noStop: .noStop
        case .overstay: .overstay
        case .towed: .towed
        }
    }
}
