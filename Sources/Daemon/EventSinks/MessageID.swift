/// The `MESSAGE_ID` of every journal line about the daemon itself that programs may rely on: generated
/// randomly once, and fixed for ever. Each has an entry in `geofenced.catalog`, which says what it
/// means and what to do. Those of events are in the table of their kinds.
package enum MessageID: String, CaseIterable, Sendable {
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
