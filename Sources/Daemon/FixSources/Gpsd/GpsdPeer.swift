import Bytes
package import Time

// Which gpsd, and how patient a connection to it is.
extension GpsdSource {
    /// Timeouts of the connection; the defaults are for production, tests are less patient.
    package struct Timing: Sendable {
        /// How long gpsd has to accept a connection.
        package var connect = TimeSpan.seconds(5)
        /// Without data for this long, the source is reported silent.
        package var silence = TimeSpan.seconds(30)
        /// Pause after the first failed connection; each further one is twice as long.
        package var firstRetry = TimeSpan.seconds(1)
        /// The longest such pause.
        package var longestRetry = TimeSpan.seconds(30)
        /// How late each of them may be, so that wake-ups can be shared.
        package var accuracy = TimeSpan.milliseconds(50)

        package init() {}
    }

    /// How to reach the gpsd.
    package enum Peer: Sendable {
        case network(GpsdAddress)
        /// The path of a UNIX socket.
        case socket(String)
    }
}

extension GpsdSource.Peer {
    /// The only receiver requested; nil means all of them.
    var device: String? {
        if case .network(let address) = self { address.device } else { nil }
    }
}

/// The name under which a connection is stored: distinguishes gpsds, and says which receiver was
/// the source, and how its errors are read.
struct GpsdStoreName {
    /// The source; nil before the first fix.
    var device: String?
    /// By which driver gpsd reads it; nil if that is not known.
    var driver: String?
    /// Distinguishes gpsds, and the receivers that are wanted.
    private let peer: String
    /// That of FDNAME in sd_notify(3).
    private static let longest = 255

    init(_ peer: GpsdSource.Peer) {
        let text =
            switch peer {
            case .network(let address):
                "\(address.host):\(address.port)\(address.device ?? "")"
            case .socket(let path): path
            }
        // A URI may be too long for a store name, which must not contain a colon.
        self.peer = "gpsd-" + String(FNV1a.hash64(text), radix: 16)
    }

    /// A name must not contain a colon, as tcp://… does: a space stands for it. A device that does
    /// not fit into a name is left out.
    var text: String {
        guard let device, device.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return peer }
        var name = peer + "-" + String(device.map { $0 == ":" ? " " : $0 })
        if let driver, driver.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x3A }) {
            name += "|" + driver
        }
        return name.utf8.count > Self.longest ? peer : name
    }

    func isOfSamePeer(_ name: String) -> Bool { name == peer || name.hasPrefix(peer + "-") }

    /// Takes the device from a name of an earlier process, and returns it.
    mutating func resume(as name: String) -> String? {
        let rest = name.dropFirst(peer.count + 1)
        let parts = rest.split(separator: "|", maxSplits: 1)
        device = parts.first.map { String($0.map { $0 == " " ? ":" : $0 }) }
        driver = parts.count > 1 ? String(parts[1]) : nil
        return device
    }
}
