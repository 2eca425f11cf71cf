package import Systemd

extension FixSourceURI {
    /// The source of this name, not yet started.
    @MainActor
    package func source(
        on loop: EventLoop, _ handlers: FixSourceHandlers, _ settings: NmeaSettings = NmeaSettings()
    ) -> any FixSource {
        switch self {
        case .gpsd(let address): GpsdSource(loop, .network(address), handlers)
        case .gpsdSocket(let path): GpsdSource(loop, .socket(path), handlers)
        case .nmea(let path, let baud):
            NmeaSource(loop, path: path, baud: baud, handlers, settings)
        case .replay(let path, let rate):
            ReplaySource(loop, path: path, rate: rate, handlers, settings)
        }
    }
}
