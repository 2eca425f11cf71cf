import Model
package import Systemd

extension FixSourceURI {
    /// The source of this URI, not yet started. Connected, but without a byte for
    /// ``ReceiverSettings/lostAfter``, it reports ``FixSourceState/silent``. A connection to gpsd is
    /// kept in `store`.
    @MainActor
    package func source(
        on loop: EventLoop, _ handlers: FixSourceHandlers,
        _ settings: ReceiverSettings = ReceiverSettings(), store: DescriptorStore? = nil
    ) -> any FixSource {
        var gpsd = GpsdSource.Timing()
        gpsd.silence = settings.lostAfter
        switch self {
        case .gpsd(let address):
            return GpsdSource(
                loop, .network(address), handlers, settings, timing: gpsd, store: store)
        case .gpsdSocket(let path):
            return GpsdSource(loop, .socket(path), handlers, settings, timing: gpsd, store: store)
        case .nmea(let path, let baud):
            var timing = NmeaSource.Timing()
            timing.silence = settings.lostAfter
            return NmeaSource(loop, path: path, baud: baud, handlers, settings, timing: timing)
        case .replay(let path, let rate, _):
            return ReplaySource(loop, path: path, rate: rate, handlers, settings)
        }
    }
}
