import Systemd
import Time

/// Names of BlueZ on the bus.
enum BlueZ {
    static let name = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let monitors = "org.bluez.AdvertisementMonitorManager1"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"

    static func peer(_ path: String, _ interface: String) -> BusPeer {
        BusPeer(destination: name, path: path, interface: interface)
    }

    /// Low energy only; every advertisement, not the first of each device. The RSSI makes BlueZ
    /// signal each: without it only changes of 8 dB, in versions after 5.87.
    static let filter: BusValue = .dictionary([
        ("Transport", .string("le")), ("DuplicateData", .bool(true)), ("RSSI", .int16(-127)),
    ])

    /// We asked before, or another of our connections did: it is as it should be.
    static func isAlready(_ error: BusError) -> Bool {
        ["org.bluez.Error.AlreadyExists", "org.bluez.Error.InProgress"].contains(error.name)
    }
}

/// The numbers of the radio.
struct BeaconRadioSettings: Sendable {
    /// Without monitors: this long of every period.
    var limitedListening = TimeSpan.milliseconds(10_240)
    var limitedPeriod = TimeSpan.seconds(60)
    /// A discovery that signals nothing for so long has stalled.
    var discoverySilence = TimeSpan.seconds(90)
    /// A monitor may be silent on an empty road; it is registered anew all the same.
    var monitorSilence = TimeSpan.seconds(15 * 60)
    /// For an answer of BlueZ.
    var timeout = TimeSpan.seconds(10)
}
