package import Model

/// Reads a recording – an NMEA log, a GPX track or a gpsd JSON log, optionally compressed with gzip
/// or in a zip archive – and returns its reports in file order.
package final class TrackReader {
    /// The format of the file.
    package let format: TrackFormat
    private let file: TrackFile
    private var buffer: [UInt8]
    private let decoder: any TrackDecoder
    /// Reports that are decoded and not yet returned.
    private var waiting: [PositionReport] = []
    private var given = 0
    private var isAtEnd = false
    private var failure: TrackError?
    private let patience: Int
    /// Bytes read since the last report.
    private var idle = 0

    /// Uncompressed bytes within which a recording must have a report: a few kilobytes of gzip can
    /// expand to gigabytes of nothing, which would keep the reader busy.
    package static let patience = 64 << 20

    /// Opens the file and detects its format.
    package convenience init(
        path: String, _ settings: ReceiverSettings = ReceiverSettings(), patience: Int = patience
    ) throws(TrackError) {
        try self.init(TrackFile(path: path), settings, patience)
    }

    /// Reads an open, seekable file from its present position; the caller closes it.
    /// - Parameter name: for messages.
    package convenience init(
        descriptor: Int32, name: String, _ settings: ReceiverSettings = ReceiverSettings(),
        patience: Int = patience
    ) throws(TrackError) {
        try self.init(TrackFile(descriptor: descriptor, path: name), settings, patience)
    }

    private init(
        _ file: TrackFile, _ settings: ReceiverSettings, _ patience: Int
    ) throws(TrackError) {
        let path = file.path
        var buffer = [UInt8](repeating: 0, count: TrackFormat.sample)
        let count = try file.read(into: &buffer, line: 1)
        guard let format = TrackFormat(buffer[..<count]) else {
            throw TrackError(TrackFormat.reason(against: buffer[..<count]), path: path)
        }
        try file.rewind()
        self.file = file
        self.format = format
        switch format {
        case .nmea: decoder = try NmeaTrack(file, &buffer, settings, patience: patience)
        case .gpx: decoder = GpxTrack(path, settings)
        case .gpsd: decoder = GpsdTrack(settings)
        }
        self.buffer = buffer
        self.patience = patience
    }

    /// Whether a file is a recording, by its beginning; a file of fences is not, even if it is GPX
    /// or contains an object with a class.
    /// - Throws: ``TrackError`` if it cannot be read.
    package static func isRecording(_ path: String) throws(TrackError) -> Bool {
        let file = try TrackFile(path: path)
        // Of an archive that has none; it may have fences.
        guard file.mayBeRecording else { return false }
        var buffer = [UInt8](repeating: 0, count: TrackFormat.sample)
        let count = try file.read(into: &buffer, line: 1)
        return TrackFormat.isRecording(buffer[..<count])
    }

    /// The next report; nil at the end. Reports before an error are returned before it is thrown.
    package func next() throws(TrackError) -> PositionReport? {
        while given == waiting.count {
            if let failure { throw failure }
            if isAtEnd { return nil }
            waiting.removeAll(keepingCapacity: true)
            given = 0
            do throws(TrackError) {
                let count = try file.read(into: &buffer, line: decoder.line)
                isAtEnd = count == 0
                try decoder.decode(buffer.span.extracting(first: count), &waiting)
                idle = waiting.isEmpty ? idle + count : 0
                if idle > patience {
                    throw TrackError(
                        "\(patience >> 20) MiB without a position", path: file.path,
                        line: decoder.line)
                }
            } catch {
                failure = error
            }
        }
        given += 1
        return waiting[given - 1]
    }

    /// What in the file could not be used; nil if there is nothing.
    package var complaint: String? { decoder.complaint }
}

/// Turns the bytes of one kind of recording into reports.
protocol TrackDecoder: AnyObject {
    /// Appends the reports that are complete with these bytes; empty bytes mark the end of the
    /// file.
    func decode(_ bytes: Span<UInt8>, _ reports: inout [PositionReport]) throws(TrackError)

    /// The current line of the file, from 1.
    var line: Int { get }

    /// What could not be used so far; nil if there is nothing.
    var complaint: String? { get }
}
