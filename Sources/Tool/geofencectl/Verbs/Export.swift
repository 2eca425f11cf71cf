import BusClient
import Bytes
import Formats
import Geodesy
import Model
import Program
import Storage
import Time

extension Verb {
    static let export = Verb(
        "export", summary: "all fences as a file",
        details: """
            Formats: geojson, a FeatureCollection (the default); seq, an RFC 8142 sequence; csv,
            circles only, and no beacons; kml, no beacons; gpx, circles as waypoints. With --json
            one Feature per line. What is exported can be imported, of csv and gpx without what these
            cannot say.
            """,
        options: [
            OptionRule(
                "format", value: "FORMAT", "geojson, seq, csv, kml or gpx",
                completion: .words(["geojson", "seq", "csv", "kml", "gpx"])),
            .origin("only the fences of this set"),
        ],
        run: runExport)
}

@MainActor
private func runExport(_ invocation: Invocation) throws {
    let daemon = try DaemonClient(invocation)
    let origin = try invocation.origin
    let format = invocation.value("format") ?? "geojson"
    switch invocation.isJSON ? "lines" : format {
    case "lines":
        guard invocation.value("format") == nil else {
            throw Failure.usage("not together with --json", "--format \(format)")
        }
        try daemon.forEachFence(of: origin) {
            try StandardOutput.write(FenceFileWriter.feature($0) + "\n")
        }
    case "geojson":
        var writer = FenceFileWriter { bytes in
            try MainActor.assumeIsolated { try StandardOutput.write(bytes) }
        }
        try daemon.forEachFence(of: origin) { try writer.append($0) }
        try writer.finish()
    case "seq":
        try daemon.forEachFence(of: origin) {
            try StandardOutput.write("\u{1E}" + FenceFileWriter.feature($0) + "\n")
        }
    case "csv":
        try StandardOutput.line(CircleRow.header)
        try daemon.forEachFence(of: origin) { try StandardOutput.line(CircleRow.text($0)) }
    case "kml":
        try StandardOutput.line(FenceKML.begin)
        try daemon.forEachFence(of: origin) { try StandardOutput.line(FenceKML.text($0)) }
        try StandardOutput.line(FenceKML.end)
    case "gpx":
        try StandardOutput.line(FenceGPX.begin)
        try daemon.forEachFence(of: origin) { try StandardOutput.line(FenceGPX.text($0)) }
        try StandardOutput.line(FenceGPX.end)
    default: throw Failure.usage("not geojson, seq, csv, kml or gpx", "--format \(format)")
    }
}

extension DaemonClient {
    fileprivate func forEachFence(
        of origin: FenceOrigin?, _ body: (Fence) throws -> Void
    ) throws {
        try forEachPage(of: origin) { page in for known in page { try body(known.fence) } }
    }
}

/// A circle as a row of CSV (RFC 4180), which cannot express any other area.
private enum CircleRow {
    static let header =
        "id,title,description,latitude,longitude,radius,dwell,notify_on_entry,notify_on_exit,"
        + "initial_enter"

    /// - Throws: ``Failure`` for any other area.
    static func text(_ fence: Fence) throws -> String {
        guard case .circle(let center, let radius)? = fence.area?.geometry else {
            throw Failure("no circle, which CSV cannot say", "fence \"\(fence.id)\"")
        }
        return [
            quoted(fence.id), quoted(fence.title), quoted(fence.description),
            "\(center.latitude)", "\(center.longitude)", "\(radius)", "\(fence.dwell.seconds)",
            "\(fence.notifyOnEntry)", "\(fence.notifyOnExit)", "\(fence.initialEnter)",
        ].joined(separator: ",")
    }

    private static func quoted(_ text: String) -> String {
        let text = text.printableLines.guardedForSpreadsheet
        let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return needsQuotes ? text.quoted(by: "\"") : text
    }
}
