import Model

/// An NMEA log.
final class NmeaTrack: TrackDecoder {
    private var assembler: NmeaAssembler
    private(set) var line = 1

    /// Reads the file up to its first date, to know whether it has one, and rewinds it.
    init(
        _ file: TrackFile, _ buffer: inout [UInt8], _ settings: ReceiverSettings, patience: Int
    ) throws(TrackError) {
        var settings = settings
        settings.dates = .recorded(givesDate: try Self.givesDate(file, &buffer, patience))
        assembler = NmeaAssembler(settings)
        try file.rewind()
    }

    private static func givesDate(
        _ file: TrackFile, _ buffer: inout [UInt8], _ patience: Int
    ) throws(TrackError) -> Bool {
        var framer = NmeaFramer()
        var (sentences, idle) = (0, 0)
        while true {
            let count: Int
            do throws(TrackError) {
                count = try file.read(into: &buffer, line: 1)
            } catch {
                // It will occur again, and be reported with its line, after everything before it.
                return false
            }
            // A file that is not a recording is reported when it is read for its reports.
            idle = framer.counts.good == sentences ? idle + count : 0
            sentences = framer.counts.good
            if count == 0 || idle > patience { return false }
            for byte in buffer[..<count] {
                if let sentence = framer.feed(byte), sentence.givesDate { return true }
            }
        }
    }

    func decode(_ bytes: Span<UInt8>, _ reports: inout [PositionReport]) {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") { line += 1 }
            if let report = assembler.feed(byte) { reports.append(report) }
        }
        if bytes.isEmpty { reports += assembler.finish() }
    }

    var complaint: String? {
        let counts = assembler.counts
        let bad = counts.badChecksum + counts.unfinished + counts.overlong
        guard bad > 0 else { return nil }
        return "\(bad) broken sentences passed over, \(counts.badChecksum) for their checksum"
    }
}
