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
    /// The name under which the connection is stored: distinguishes gpsds, and their receivers.
    var storeName: String {
        let text =
            switch self {
            case .network(let address):
                "\(address.host):\(address.port)\(address.device ?? "")"
            case .socket(let path): path
            }
        // A URI may be too long for a store name, which must not contain a colon.
        return "gpsd-" + String(FNV1a.hash64(text), radix: 16)
    }
}
