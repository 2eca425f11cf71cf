import GeoJSON
import HTTP
package import Settings

/// Reads sources.d/NAME.conf.
package enum SourceFile {
    /// The names of all keys.
    package static var keys: [String] {
        SourceTable.keys.map(\.name) + HTTPAuthentication.keys
    }

    /// The settings, and everything that is wrong with the file, in the order of its lines. With a
    /// problem the settings are not to be used: half of a source is another source.
    package static func load(
        path: String, name: String
    ) -> (settings: SourceSettings, problems: [SettingsProblem]) {
        read(ProgramSettings(path: path), name: name)
    }

    /// The same of bytes that are in memory.
    package static func parse(
        _ bytes: [UInt8], file: String, name: String
    ) -> (settings: SourceSettings, problems: [SettingsProblem]) {
        read(ProgramSettings(bytes, path: file), name: name)
    }

    private static func read(
        _ file: ProgramSettings, name: String
    ) -> (settings: SourceSettings, problems: [SettingsProblem]) {
        var file = file
        var settings = SourceSettings(name: name)
        for key in SourceTable.keys {
            _ = file.value(key.section, key.name) { text throws(BadValue) in
                try key.assign(text, &settings)
            }
        }
        settings.auth = HTTPAuthentication(from: &file)
        file.finish()
        // Where a line is wrong, it is not known what would contradict what.
        if file.problems.isEmpty { check(settings, &file) }
        return (settings, file.problems)
    }

    /// What no line alone has wrong.
    private static func check(_ settings: SourceSettings, _ file: inout ProgramSettings) {
        guard let address = settings.address else {
            return file.refuse("Source", "URL", "is missing")
        }
        if settings.kind == .odata, settings.entitySet.isEmpty {
            file.refuse("Source", "EntitySet", "is missing")
        }
        if settings.kind == .ogcapi, settings.collection.isEmpty {
            file.refuse("Source", "Collection", "is missing")
        }
        if settings.mode == .nearby, settings.kind == .geojson {
            file.refuse("Source", "Mode", "a document cannot be asked for what is nearby")
        }
        if settings.kind != .odata, !settings.filter.isEmpty {
            file.refuse("Query", "Filter", "is for OData only")
        }
        if settings.tracksChanges {
            if settings.kind != .odata || settings.version == 2 {
                file.refuse("Query", "TrackChanges", "is for version 4 of OData only")
            } else if settings.mode == .nearby {
                file.refuse("Query", "TrackChanges", "what is nearby changes with the place")
            }
        }
        for (name, value) in address.query {
            guard ["srsname", "outsr", "crs"].contains(name.lowercased()),
                !ReferenceSystem.isWGS84(value)
            else { continue }
            file.refuse("Source", "URL", "asks for \(ReferenceSystem.flaw(of: value))")
        }
        settings.auth.check(&file, destination: address, in: ("Source", "URL"))
    }
}
