import Model
import Time

/// A log of gpsd's JSON, as written by `gpspipe -w`. Every TPV is reported, even if one epoch has
/// several, of the receiver that is the source.
final class GpsdTrack: TrackDecoder {
    private var lines = GpsdLines()
    private let decoder = GpsdDecoder()
    private var choice: ReceiverChoice
    private var errors: ReceiverErrors
    private var now = Uptime.boot
    private var unreadable = 0
    private var firstUnreadable: Int?
    /// Fixes without a time; a recording has no arrivals that could stand for it.
    private var undated = 0

    init(_ settings: ReceiverSettings) {
        choice = ReceiverChoice(settings)
        errors = ReceiverErrors(settings)
    }

    var line: Int { lines.count + 1 }

    func decode(_ bytes: Span<UInt8>, _ reports: inout [PositionReport]) {
        if bytes.isEmpty {
            // The last line of a log may lack its newline.
            let newline: [UInt8] = [UInt8(ascii: "\n")]
            _ = lines.fill(from: newline.span)
            return cut(&reports)
        }
        var taken = 0
        while taken < bytes.count {
            taken += lines.fill(from: bytes.extracting(taken...))
            cut(&reports)
        }
    }

    private func cut(_ reports: inout [PositionReport]) {
        while let word = lines.next(decoder.word) {
            switch word {
            case .report(let report, let device):
                // The receivers' time stands for that of the arrival.
                if let time = report.time { now = Uptime(nanoseconds: time.nanoseconds) }
                if choice.admits(report, from: device, at: now...now) {
                    if report.hasFix, report.time == nil { undated += 1 }
                    reports.append(errors.scaled(report, of: device ?? choice.current))
                }
            case .unreadable:
                unreadable += 1
                firstUnreadable = firstUnreadable ?? lines.count
            case .devices(let devices):
                choice.keep(devices)
                for case (let device, let driver?) in devices { errors.note(driver, of: device) }
            case .deviceGone(let device): choice.remove(device)
            case .deviceHere(let device, let driver?): errors.note(driver, of: device)
            case .version, .deviceHere, .error, .other: break
            }
        }
    }

    var complaint: String? {
        let passedOver = firstUnreadable.map {
            "\(unreadable) TPV objects passed over, the first in line \($0)"
        }
        let undated = undated > 0 ? "\(undated) positions without a time" : nil
        let complaints = [passedOver, undated].compactMap(\.self)
        return complaints.isEmpty ? nil : complaints.joined(separator: "; ")
    }
}
