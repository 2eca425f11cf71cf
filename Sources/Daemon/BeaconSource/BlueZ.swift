import Systemd
import Time

/// Names of BlueZ on the bus.
enum BlueZ {
    static let name = "org.bluez"
    /// What the paths of adapters begin with; those of their devices are below them.
    static let root = "/org/bluez/"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let monitors = "org.bluez.AdvertisementMonitorManager1"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"

    static func peer(_ path: String, _ interface: String) -> BusPeer {
        BusPeer(destination: name, path: path, interface: interface)
    }

    /// Low energy only; every advertisement, not only the first of each device. With the RSSI
    /// filter BlueZ signals each one; without it, versions after 5.87 signal only changes of 8 dB.
    static let filter: BusValue = .dictionary([
        ("Transport", .string("le")), ("DuplicateData", .bool(true)), ("RSSI", .int16(-127)),
    ])

    /// The requested state already exists, from an earlier call or another of our connections.
    static func isAlready(_ error: BusError) -> Bool {
        ["org.bluez.Error.AlreadyExists", "org.bluez.Error.InProgress"].contains(error.name)
    }
}

/// The timing of the radio.
struct BeaconRadioSettings: Sendable {
    /// Without monitors: a round of listening, long enough for a beacon that sends every 5 s.
    var limitedRound = TimeSpan.milliseconds(5120)
    /// The number of rounds that follow each other.
    var limitedRounds = 2
    /// The pause after them, to the end of a minute.
    var limitedPause = TimeSpan.milliseconds(49_760)
    /// A discovery that signals nothing for this long has stalled.
    var discoverySilence = TimeSpan.seconds(90)
    /// A monitor may be silent on an empty road; it is registered again nevertheless.
    var monitorSilence = TimeSpan.seconds(15 * 60)
    /// How many objects of BlueZ are looked at for an adapter; of devices, about half as many fit into
    /// the largest message of the system bus.
    var mostObjects = 100_000
    /// The time limit for an answer of BlueZ.
    var timeout = TimeSpan.seconds(10)
}
