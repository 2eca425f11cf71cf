import Bytes
import JSON
package import Law
import Model
import Time

/// Recorded sightings of beacons: a line of JSON for each advertisement, `{"t": 12.5, "address":
/// "C0:00:00:00:02:02", "rssi": -87, "data": "02011a1aff4c000215…"}`, gzipped or not. `t` is in
/// seconds after the first report of its drive, `data` the advertisement as the radio reports it;
/// `address` may also be called `addr`, and other members of a line are ignored.
package enum SightingFile {
    /// Bytes of the longest line.
    package static let longestLine = 2048
    /// The greatest number of lines.
    package static let mostLines = 2_000_000

    /// The advertisements with beacons in them, in the order of the file.
    /// - Throws: ``TrackError`` if it cannot be read, and for the first line that is not a
    ///   sighting.
    package static func read(path: String) throws(TrackError) -> [ReplaySighting] {
        var found: [ReplaySighting] = []
        try TrackFile.forEachLine(of: path, longest: longestLine, most: mostLines) {
            line, number throws(TrackError) in
            try take(line, path, number, &found)
        }
        return found
    }

    private static func take(
        _ line: [UInt8], _ path: String, _ number: Int, _ found: inout [ReplaySighting]
    ) throws(TrackError) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        switch sighting(line) {
        case .success(let sighting): if let sighting { found.append(sighting) }
        case .failure(let flaw): throw TrackError(flaw.reason, path: path, line: number)
        }
    }

    /// Why a line is not a sighting.
    package struct Flaw: Error, Hashable {
        /// What is wrong.
        package var reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// The sighting of one line; nil for an advertisement without a beacon.
    package static func sighting(_ line: [UInt8]) -> Result<ReplaySighting?, Flaw> {
        guard let value = try? JSONValue(parsing: line), value.object != nil else {
            return .failure(Flaw(reason: "no object of JSON"))
        }
        // At most a year: no drive is longer.
        guard let time = value["t"]?.double, (0...31_536_000).contains(time) else {
            return .failure(Flaw(reason: "t is not a number of seconds"))
        }
        guard (value["address"] ?? value["addr"])?.string != nil else {
            return .failure(Flaw(reason: "no address"))
        }
        guard let text = value["data"]?.string, let bytes = bytes(text) else {
            return .failure(Flaw(reason: "data is not pairs of hexadecimal digits"))
        }
        var rssi: Int?
        if let number = value["rssi"], number != .null {
            guard let integer = number.integer, let exact = Int(exactly: integer) else {
                return .failure(Flaw(reason: "rssi is not an integer"))
            }
            rssi = exact
        }
        let frames = bytes.withByteView { Advertisement.frames($0) }
        guard !frames.isEmpty else { return .success(nil) }
        return .success(
            ReplaySighting(
                time: .boot + .seconds(time),
                sightings: frames.map { BeaconSighting($0, rssi: rssi) }))
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
