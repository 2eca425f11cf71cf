/// The format of a recording, detected from its content.
package enum TrackFormat: String, CaseIterable, Sendable {
    case nmea = "NMEA log"
    case gpx = "GPX track"
    case gpsd = "gpsd JSON log"

    /// How much of a file is examined.
    static let sample = 65_536

    /// The format that is found first: `<` after nothing but white space (GPX), a sentence with a
    /// correct checksum, or an object with a class. Objects of gpsd other than TPV may stand in front
    /// of NMEA, as `gpspipe -r` writes it. Nil when none is found.
    init?(_ sample: some Sequence<UInt8>) {
        var framer = NmeaFramer()
        var isBlank = true
        var isComment = false
        var previous = UInt8(ascii: "\n")
        var matched = 0
        let mark = Array("\"class\":\"".utf8)
        let position = mark + Array("TPV".utf8)
        var hasObjects = false
        for byte in sample {
            if isBlank, byte == UInt8(ascii: "<") {
                self = .gpx
                return
            }
            // White space and the byte order mark.
            if byte > UInt8(ascii: " "), ![0xEF, 0xBB, 0xBF].contains(byte) { isBlank = false }
            _ = framer.feed(byte)
            if framer.counts.good > 0, !hasObjects {
                self = .nmea
                return
            }
            // gpsd's own logs have its objects in comments.
            if previous == UInt8(ascii: "\n") { isComment = byte == UInt8(ascii: "#") }
            previous = byte
            if isComment || byte == UInt8(ascii: " ") { continue }
            matched = byte == position[matched] ? matched + 1 : byte == position[0] ? 1 : 0
            if matched == mark.count { hasObjects = true }
            if matched == position.count {
                self = .gpsd
                return
            }
        }
        guard hasObjects else { return nil }
        self = framer.counts.good > 0 ? .nmea : .gpsd
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
    static func reason(against sample: ArraySlice<UInt8>) -> String {
        if sample.isEmpty { return "the file is empty" }
        if let packed = packers.first(where: { sample.starts(with: $0.mark) }) {
            return "compressed with \(packed.name), which is not read:"
                + " unpack it, or compress it with gzip or zip"
        }
        var framer = NmeaFramer()
        for byte in sample { _ = framer.feed(byte) }
        _ = framer.finish()
        if framer.counts.badChecksum > 0 {
            return "NMEA sentences, but not one with a right checksum"
                + " (\(framer.counts.badChecksum) with a wrong one)"
        }
        let bare = sample.split(separator: UInt8(ascii: "\n")).count(where: isBareSentence)
        if bare > 0 {
            return "NMEA sentences without checksums (\(bare)), which are not read:"
                + " nothing shows that their digits are right; have the receiver or the program that"
                + " records send checksums (*hh)"
        }
        return "neither NMEA sentences nor GPX nor gpsd objects in it"
    }

    /// What files of other packers begin with.
    private static let packers: [(mark: [UInt8], name: String)] = [
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
        (Array("BZh".utf8), "bzip2"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip"),
        ([0x04, 0x22, 0x4D, 0x18], "lz4"), (Array("LZIP".utf8), "lzip"),
        (Array("Rar!".utf8), "RAR"), ([0x1F, 0x9D], "compress"),
    ]

    /// Whether a line is a sentence about a fix that has no checksum.
    private static func isBareSentence(_ line: ArraySlice<UInt8>) -> Bool {
        guard let start = line.lastIndex(of: UInt8(ascii: "$")),
            !line[start...].contains(UInt8(ascii: "*"))
        else { return false }
        return NmeaSentence(Array(line[start...].dropFirst())) != nil
    }

    private static func contains(_ word: StaticString, _ sample: ArraySlice<UInt8>) -> Bool {
        let word = Array(word.description.utf8)
        return sample.indices.contains { sample[$0...].starts(with: word) }
    }
}
