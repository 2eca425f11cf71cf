import JSON
import SystemTestKit
import Testing

/// A recorded drive and the fences along it, see Tests/ReplayTests/Traces.
struct Trace {
    let name: String
    /// The sentences of each second, from one RMC to the next.
    let epochs: [String]

    /// Twelve minutes at motorway speed without an outage. No crossing depends on a few metres of
    /// error: with gpsd's 19 m per unit of HDOP, where NMEA has 15, the same crossings are reported
    /// in the same order.
    static func drive() throws -> Trace { try Trace("antimeridian-drive") }

    init(_ name: String) throws {
        self.name = name
        let unpacked = try #require(
            Subprocess(["zcat", Self.path("\(name).nmea.gz")]).wait())
        try #require(unpacked.status == 0, "\(unpacked.errors)")
        var epochs: [String] = []
        // To Swift CR LF is one character.
        for line in unpacked.output.split(whereSeparator: \.isNewline) {
            if line.contains("RMC,") || epochs.isEmpty { epochs.append("") }
            epochs[epochs.count - 1] += line + "\r\n"
        }
        self.epochs = epochs
    }

    var fences: String { Self.path("\(name).geojson") }

    /// The reviewed events of a replay.
    func golden() throws -> [LoggedLine] {
        let text = try #require(Subprocess(["cat", Self.path("\(name).events.jsonl")]).wait())
        return try text.output.jsonLines.filter { $0["kind"] != nil }.map(LoggedLine.init)
    }

    static func path(_ file: String) -> String {
        let here = #filePath
        let tests = here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex)
        return tests + "../../../ReplayTests/Traces/" + file
    }
}
