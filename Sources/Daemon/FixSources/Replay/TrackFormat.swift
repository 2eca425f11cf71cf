/// The format of a recording, detected from its content.
package enum TrackFormat: String, CaseIterable, Sendable {
    case nmea = "NMEA log"
    case gpx = "GPX track"
    case gpsd = "gpsd JSON log"

    /// How much of a file is examined.
    static let sample = 65_536

    /// The format that is found first: `<` after nothing but white space (GPX), a sentence with a
    /// correct checksum, or an object with a class. Nil when none is found.
    init?(_ sample: some Sequence<UInt8>) {
        var framer = NmeaFramer()
        var isBlank = true
        var isComment = false
        var previous = UInt8(ascii: "\n")
        var matched = 0
        let mark = Array("\"class\":\"".utf8)
        for byte in sample {
            if isBlank, byte == UInt8(ascii: "<") {
                self = .gpx
                return
            }
            // White space and the byte order mark.
            if byte > UInt8(ascii: " "), ![0xEF, 0xBB, 0xBF].contains(byte) { isBlank = false }
            _ = framer.take(byte)
            if framer.counts.good > 0 {
                self = .nmea
                return
            }
            // gpsd's own logs have its objects in comments.
            if previous == UInt8(ascii: "\n") { isComment = byte == UInt8(ascii: "#") }
            previous = byte
            if isComment || byte == UInt8(ascii: " ") { continue }
            matched = byte == mark[matched] ? matched + 1 : byte == mark[0] ? 1 : 0
            if matched == mark.count {
                self = .gpsd
                return
            }
        }
        return nil
    }

    /// Whether this is the beginning of a recording, and not of a file of fences: GPX with a track
    /// and not only waypoints, or gpsd's objects, which begin with their class.
    static func isRecording(_ sample: ArraySlice<UInt8>) -> Bool {
        switch TrackFormat(sample) {
        case nil: return false
        case .nmea?: return true
        case .gpx?:
            // Waypoints precede all tracks.
            return contains("<trk", sample) || !contains("<wpt", sample)
        case .gpsd?:
            let first = sample.drop { $0 != UInt8(ascii: "{") }.dropFirst()
                .drop { $0 <= UInt8(ascii: " ") }
            return first.starts(with: "\"class\"".utf8)
        }
    }

    /// Why a file that begins like this is not a recording.
    static func reason(against sample: some Sequence<UInt8>) -> String {
        var framer = NmeaFramer()
        var isEmpty = true
        for byte in sample {
            isEmpty = false
            _ = framer.take(byte)
        }
        _ = framer.finish()
        if isEmpty { return "the file is empty" }
        if framer.counts.badChecksum > 0 {
            return "NMEA sentences, but not one with a right checksum"
                + " (\(framer.counts.badChecksum) with a wrong one)"
        }
        return "neither NMEA sentences nor GPX nor gpsd objects in it"
    }

    private static func contains(_ word: StaticString, _ sample: ArraySlice<UInt8>) -> Bool {
        let word = Array(word.description.utf8)
        return sample.indices.contains { sample[$0...].starts(with: word) }
    }
}
