import Compression

/// The file of a recording; its errors name the file and the line.
struct TrackFile {
    private let file: GzipFile

    var path: String { file.path }

    init(path: String) throws(TrackError) {
        do throws(CompressionError) {
            file = try GzipFile(path: path)
        } catch { throw TrackError(error.description, path: path) }
    }

    init(descriptor: Int32, path: String) throws(TrackError) {
        do throws(CompressionError) {
            file = try GzipFile(descriptor: descriptor, path: path)
        } catch { throw TrackError(error.description, path: path) }
    }

    /// Like ``GzipFile/read(into:)``; `line` is the reader's position, for the error.
    func read(into buffer: inout [UInt8], line: Int) throws(TrackError) -> Int {
        do throws(CompressionError) {
            return try file.read(into: &buffer)
        } catch { throw TrackError(error.description, path: path, line: line) }
    }

    /// Back to the beginning.
    func rewind() throws(TrackError) {
        do throws(CompressionError) {
            try file.rewind()
        } catch { throw TrackError(error.description, path: path) }
    }
}
