extension TrackFile {
    /// Reads the lines of a file, one by one, gzipped or not; the last may lack its newline.
    /// - Parameters:
    ///   - longest: bytes of a line.
    ///   - most: of them.
    ///   - take: gets each, with its number from 1.
    /// - Throws: ``TrackError`` if it cannot be read, for a line that is too long or one too many, and
    ///   what `take` throws.
    static func forEachLine(
        of path: String, longest: Int, most: Int,
        _ take: ([UInt8], _ number: Int) throws(TrackError) -> Void
    ) throws(TrackError) {
        let file = try TrackFile(path: path)
        var line: [UInt8] = []
        var number = 1
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try file.read(into: &buffer, line: number)
            for byte in buffer[..<count] {
                if byte != UInt8(ascii: "\n") {
                    line.append(byte)
                    guard line.count <= longest else {
                        throw TrackError(
                            "a line of more than \(longest) bytes", path: path, line: number)
                    }
                    continue
                }
                try take(line, number)
                line.removeAll(keepingCapacity: true)
                number += 1
                guard number <= most else {
                    throw TrackError("more than \(most) lines", path: path)
                }
            }
            guard count == 0 else { continue }
            try take(line, number)
            return
        }
    }
}
