import Fencing

/// A log of gpsd's JSON, as `gpspipe -w` writes it. Every TPV is handed over, be there several of
/// one epoch.
final class GpsdTrack: TrackDecoder {
    private var lines = GpsdLines()
    private let decoder = TpvDecoder()
    private var unreadable = 0
    private var firstUnreadable: Int?

    var line: Int { lines.count + 1 }

    func take(_ bytes: UnsafeRawBufferPointer, _ reports: inout [PositionReport]) {
        func body(_ object: UnsafeMutableBufferPointer<CChar>, _ line: Int) {
            guard object.isObject(ofClass: "TPV") else { return }
            if let report = decoder.report(object) {
                reports.append(report)
            } else {
                unreadable += 1
                firstUnreadable = firstUnreadable ?? line
            }
        }
        if bytes.isEmpty { lines.finish(body) } else { lines.take(bytes, body) }
    }

    var complaint: String? {
        guard let firstUnreadable else { return nil }
        return "\(unreadable) TPV objects passed over, the first in line \(firstUnreadable)"
    }
}
