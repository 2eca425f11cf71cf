import Geodesy
import Model
import Program

extension OptionRule {
    /// Options for what is made of a whole drive or log.
    static let driveFiles = [
        OptionRule(
            "map", value: "FILE", "a map as one HTML file, which needs nothing else; 0600"),
        OptionRule(
            "format", value: "FORMAT", "geojson, gpx or kml instead of lines, for other programs",
            completion: .words(["geojson", "gpx", "kml"])),
    ]
}

/// What shall be made of a drive beside its lines.
struct DriveOutputs {
    /// Formats of other programs.
    enum Format: String, CaseIterable {
        case geojson, gpx, kml
    }

    /// One fence, and the file for its picture.
    struct Plot {
        var fence: String
        var file: String
    }

    var map: String?
    var format: Format?
    var plots: [Plot] = []

    /// - Throws: ``Failure`` with status 2.
    init(_ invocation: Invocation) throws {
        map = invocation.value("map")
        if let name = invocation.value("format") {
            guard let format = Format(rawValue: name) else {
                throw Failure.usage("not geojson, gpx or kml", "--format \(name)")
            }
            guard !invocation.isJSON else {
                throw Failure.usage("not together with --json", "--format \(name)")
            }
            self.format = format
        }
        plots = try invocation.values("plot").map { text in
            // An id may have an equals sign in it.
            guard let equals = text.lastIndex(of: "="), equals != text.startIndex,
                equals != text.index(before: text.endIndex)
            else { throw Failure.usage("not ID=FILE", "--plot \(text)") }
            return Plot(
                fence: String(text[..<equals]), file: String(text[text.index(after: equals)...]))
        }
        let onOutput = [map].compactMap(\.self) + plots.map(\.file)
        guard onOutput.filter({ $0 == "-" }).count + (format == nil ? 0 : 1) <= 1 else {
            throw Failure.usage("only one can go to standard output", "-")
        }
    }

    /// Whether the drive has to be recorded.
    var needRecord: Bool { map != nil || format != nil || !plots.isEmpty }

    /// Whether one of them is standard output, which then has nothing else.
    var takeStandardOutput: Bool {
        format != nil || map == "-" || plots.contains { $0.file == "-" }
    }

    /// Writes them all.
    /// - Parameters:
    ///   - selection: the events for other programs. A map has all of them: its presences follow
    ///     from them.
    ///   - fence: finds a fence by id.
    /// - Throws: ``Failure``
    @MainActor
    func write(
        _ record: DriveRecord, _ making: DriveJSON.Making, title: String,
        _ selection: EventSelection? = nil, fence: (String) throws -> Fence?
    ) throws {
        if let map {
            let page = DrivePage.file(record, making, title: title)
            try PrivateFile.write(page, to: map)
            if map != "-" {
                StandardError.say("\(map) holds positions: only you can read it")
            }
        }
        for plot in plots {
            guard let fence = try fence(plot.fence) else {
                throw Failure("no such fence", plot.fence)
            }
            try PrivateFile.write(PlotPicture.svg(record, fence), to: plot.file)
        }
        guard let format else { return }
        var record = record
        record.happenings.removeAll { selection?.admits($0.logged.event) == false }
        switch format {
        case .geojson: try StandardOutput.write(DriveGeoJSON.bytes(record))
        case .gpx: try StandardOutput.write(DriveGPX.bytes(record))
        case .kml: try StandardOutput.write(DriveKML.bytes(record, title: title))
        }
    }
}
