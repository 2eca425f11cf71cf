package import Fencing

/// Reads a recording – an NMEA log, a GPX track or a gpsd JSON log, compressed with gzip or not –
/// and gives its reports in file order.
package final class TrackReader {
    /// What the file is.
    package let format: TrackFormat
    private let file: GzipFile
    private let buffer: UnsafeMutableRawBufferPointer
    private let decoder: any TrackDecoder
    /// Reports that are decoded and not yet given.
    private var waiting: [PositionReport] = []
    private var given = 0
    private var isAtEnd = false
    private var failure: TrackError?

    /// Opens the file and looks at what it is.
    package init(path: String, _ settings: NmeaSettings = NmeaSettings()) throws(TrackError) {
        let file = try GzipFile(path: path)
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: TrackFormat.sample, alignment: 16)
        self.file = file
        self.buffer = buffer
        do throws(TrackError) {
            let count = try file.read(into: buffer, line: 1)
            guard let format = TrackFormat(buffer[..<count]) else {
                throw TrackError(
                    count == 0
                        ? "the file is empty"
                        : "neither NMEA sentences nor GPX nor gpsd objects in it", path: path)
            }
            try file.rewind()
            self.format = format
            switch format {
            case .nmea: decoder = try NmeaTrack(file, buffer, settings)
            case .gpx: decoder = GpxTrack(path, settings)
            case .gpsd: decoder = GpsdTrack()
            }
        } catch {
            buffer.deallocate()
            throw error
        }
    }

    deinit { buffer.deallocate() }

    /// The next report; nil at the end. What stands before an error is given before it is thrown.
    package func next() throws(TrackError) -> PositionReport? {
        while given == waiting.count {
            if let failure { throw failure }
            if isAtEnd { return nil }
            waiting.removeAll(keepingCapacity: true)
            given = 0
            do throws(TrackError) {
                let count = try file.read(into: buffer, line: decoder.line)
                isAtEnd = count == 0
                try decoder.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &waiting)
            } catch {
                failure = error
            }
        }
        given += 1
        return waiting[given - 1]
    }

    /// What in the file could not be used; nil when all could.
    package var complaint: String? { decoder.complaint }
}

/// Turns the bytes of one kind of recording into reports.
protocol TrackDecoder: AnyObject {
    /// Appends the reports that are complete with these bytes; no bytes are the end of the file.
    func take(_ bytes: UnsafeRawBufferPointer, _ reports: inout [PositionReport])
        throws(TrackError)

    /// Where it is in the file, from 1.
    var line: Int { get }

    /// What could not be used so far; nil when all could.
    var complaint: String? { get }
}
