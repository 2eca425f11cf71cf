/// What kind of recording a file is, told by its content.
package enum TrackFormat: String, CaseIterable, Sendable {
    case nmea = "NMEA log"
    case gpx = "GPX track"
    case gpsd = "gpsd JSON log"

    /// How much of a file is looked at.
    static let sample = 65_536

    /// By whatever comes first: `<` after nothing but white space (GPX), a sentence with a right
    /// checksum, or an object with a class. Nil when none of it is found.
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
            // gpsd's own logs have its objects in their comments.
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

    /// Why a file that begins like this is no recording.
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
}
