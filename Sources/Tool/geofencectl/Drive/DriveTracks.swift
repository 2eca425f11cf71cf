import Formats
import Geodesy
import JSON
import Model
import Time

extension DriveRecord {
    /// The accepted fixes as paths: no segment joins one to the next.
    var paths: [Range<Int>] {
        var starts = pathStarts.filter { $0 < fixes.count }
        if starts.first != 0, !fixes.isEmpty { starts.insert(0, at: 0) }
        return zip(starts, starts.dropFirst() + [fixes.count]).map { $0..<$1 }
    }

    /// Whether no segment joins this fix to the one before.
    private func startsPath(_ fix: Int) -> Bool {
        var low = 0
        var high = pathStarts.count
        while low < high {
            let middle = (low + high) / 2
            if pathStarts[middle] < fix { low = middle + 1 } else { high = middle }
        }
        return low < pathStarts.count && pathStarts[low] == fix
    }

    /// Where an event is drawn: where its boundary was crossed, as far as the drive is known, else
    /// at the fix that proved it.
    func place(of happening: Happening) -> Coordinate? {
        let event = happening.logged.event
        guard let proof = happening.fix, event.fence != nil else { return event.coordinate }
        var after = proof
        while after > 0, fixes[after - 1].time >= event.time { after -= 1 }
        guard after > 0, !startsPath(after), fixes[after].time > event.time else {
            return fixes[after].coordinate
        }
        let (from, to) = (fixes[after - 1], fixes[after])
        let share = (event.time - from.time).seconds / (to.time - from.time).seconds
        guard share >= 0, share <= 1 else { return to.coordinate }
        let east = Coordinate(
            latitude: 0, longitude: to.coordinate.longitude - from.coordinate.longitude
        ).normalized.longitude
        return Coordinate(
            latitude: from.coordinate.latitude
                + share * (to.coordinate.latitude - from.coordinate.latitude),
            longitude: from.coordinate.longitude + share * east
        ).normalized
    }
}

extension Event {
    /// `enter Gate`, with the id where there is no title.
    var heading: String {
        [kind.name, title.isEmpty ? fence ?? "" : title].filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

/// The drive and its events as GeoJSON: events are points with the members of their JSON, paths and
/// stays are lines.
enum DriveGeoJSON {
    static func bytes(_ record: DriveRecord) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("type")
        json.string("FeatureCollection")
        json.key("features")
        json.beginArray()
        for path in record.paths where path.count > 1 {
            feature(&json) { json in
                line(record, path, &json)
                json.key("properties")
                json.beginObject()
                text("type", "path", &json)
                text("from", record.fixes[path.lowerBound].time.iso8601, &json)
                text("to", record.fixes[path.upperBound - 1].time.iso8601, &json)
                json.endObject()
            }
        }
        for stay in stays(record) {
            feature(&json) { json in
                line(record, stay.fixes, &json)
                json.key("properties")
                json.beginObject()
                text("type", "stay", &json)
                text("fence", stay.event.fence ?? "", &json)
                text("title", stay.event.title, &json)
                json.key("stay_s")
                json.optional(stay.event.stay?.roundedSeconds, decimals: 3)
                json.endObject()
            }
        }
        for happening in record.happenings {
            guard let place = record.place(of: happening) else { continue }
            feature(&json) { json in
                json.key("geometry")
                json.beginObject()
                text("type", "Point", &json)
                json.key("coordinates")
                position(place, &json)
                json.endObject()
                json.key("properties")
                EventJSON.write(happening.logged, to: &json)
            }
        }
        json.endArray()
        json.endObject()
        json.endLine()
        return json.bytes
    }

    /// The accepted fixes within each completed stay.
    private static func stays(_ record: DriveRecord) -> [(event: Event, fixes: Range<Int>)] {
        record.happenings.compactMap { happening -> (event: Event, fixes: Range<Int>)? in
            let event = happening.logged.event
            guard event.kind == .exit, let stay = event.stay else { return nil }
            guard var end = happening.fix else { return nil }
            // Backwards from the fix that proved the end.
            while end >= 0, record.fixes[end].time > event.time { end -= 1 }
            var first = end + 1
            while first > 0, event.time - record.fixes[first - 1].time <= stay,
                record.fixes[first - 1].time <= event.time
            {
                first -= 1
            }
            return end > first ? (event, first..<(end + 1)) : nil
        }
    }

    private static func feature(_ json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        json.beginObject()
        text("type", "Feature", &json)
        body(&json)
        json.endObject()
    }

    private static func line(_ record: DriveRecord, _ fixes: Range<Int>, _ json: inout JSONWriter) {
        let pieces = pieces(record.fixes[fixes].map(\.coordinate))
        json.key("geometry")
        json.beginObject()
        text("type", pieces.count > 1 ? "MultiLineString" : "LineString", &json)
        json.key("coordinates")
        if pieces.count > 1 { json.beginArray() }
        for piece in pieces {
            json.beginArray()
            for index in piece { position(index, &json) }
            json.endArray()
        }
        if pieces.count > 1 { json.endArray() }
        json.endObject()
    }

    /// The line in pieces, none of which crosses 180°: RFC 7946, section 3.1.9.
    static func pieces(_ line: [Coordinate]) -> [[Coordinate]] {
        var pieces: [[Coordinate]] = [[]]
        for index in line {
            if let last = pieces[pieces.count - 1].last,
                (index.longitude - last.longitude).magnitude > 180
            {
                let edge = last.longitude < 0 ? -180.0 : 180
                // How far it is to the edge from either side, degrees.
                let (before, after) = (
                    (edge - last.longitude).magnitude, (edge + index.longitude).magnitude
                )
                let share = before + after > 0 ? before / (before + after) : 0
                let latitude = last.latitude + share * (index.latitude - last.latitude)
                pieces[pieces.count - 1].append(Coordinate(latitude: latitude, longitude: edge))
                pieces.append([Coordinate(latitude: latitude, longitude: -edge)])
            }
            pieces[pieces.count - 1].append(index)
        }
        return pieces
    }

    private static func position(_ place: Coordinate, _ json: inout JSONWriter) {
        json.beginArray()
        json.number(place.longitude, decimals: 7)
        json.number(place.latitude, decimals: 7)
        json.endArray()
    }

    private static func text(_ key: String, _ value: String, _ json: inout JSONWriter) {
        json.key(key)
        json.string(value)
    }
}

/// The drive as GPX 1.1: a track, and a waypoint for each event.
enum DriveGPX {
    static func bytes(_ record: DriveRecord) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="geofencectl" xmlns="http://www.topografix.com/GPX/1/1">

            """
        for happening in record.happenings {
            guard let place = record.place(of: happening) else { continue }
            let event = happening.logged.event
            text += "<wpt \(attributes(place))>" + XMLText.element("time", event.time.iso8601)
            text += XMLText.element("name", event.heading)
            text += XMLText.element("desc", EventLine.plain(happening.logged))
            text += XMLText.element("type", event.kind.name) + "</wpt>\n"
        }
        if !record.fixes.isEmpty {
            text += "<trk>\n"
            for path in record.paths {
                text += "<trkseg>\n"
                for fix in record.fixes[path] {
                    text += "<trkpt \(attributes(fix.coordinate))>"
                    text += XMLText.element("time", fix.time.iso8601) + "</trkpt>\n"
                }
                text += "</trkseg>\n"
            }
            text += "</trk>\n"
        }
        return Array((text + "</gpx>\n").utf8)
    }

    private static func attributes(_ place: Coordinate) -> String {
        "lat=\"\(decimal(place.latitude, 7))\" lon=\"\(decimal(place.longitude, 7))\""
    }
}

/// The drive as KML 2.2: paths, and a placemark for each event in the colour of its kind.
enum DriveKML {
    static func bytes(_ record: DriveRecord, title: String) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document>

            """
        text += XMLText.element("name", title) + "\n"
        for kind in EventKind.allCases {
            text += "<Style id=\"\(kind.name)\"><IconStyle><color>\(kind.kmlColour)</color>"
            text += "</IconStyle></Style>\n"
        }
        text += "<Style id=\"drive\"><LineStyle><color>ff3b2f26</color><width>4</width>"
        text += "</LineStyle></Style>\n"
        for path in record.paths where path.count > 1 {
            text += "<Placemark><name>drive</name><TimeSpan>"
            text += XMLText.element("begin", record.fixes[path.lowerBound].time.iso8601)
            text += XMLText.element("end", record.fixes[path.upperBound - 1].time.iso8601)
            text += "</TimeSpan><styleUrl>#drive</styleUrl><LineString><tessellate>1</tessellate>"
            text += "<coordinates>"
            text += record.fixes[path].map { position($0.coordinate) }.joined(separator: " ")
            text += "</coordinates></LineString></Placemark>\n"
        }
        for happening in record.happenings {
            guard let place = record.place(of: happening) else { continue }
            let event = happening.logged.event
            text += "<Placemark>" + XMLText.element("name", event.heading)
            text += XMLText.element("description", EventLine.plain(happening.logged))
            text += "<TimeStamp>" + XMLText.element("when", event.time.iso8601) + "</TimeStamp>"
            text += "<styleUrl>#\(event.kind.name)</styleUrl><Point><coordinates>"
            text += position(place) + "</coordinates></Point></Placemark>\n"
        }
        return Array((text + "</Document></kml>\n").utf8)
    }

    private static func position(_ place: Coordinate) -> String {
        "\(decimal(place.longitude, 7)),\(decimal(place.latitude, 7))"
    }
}

extension EventKind {
    /// As the map has it: alpha, blue, green, red in hexadecimal.
    fileprivate var kmlColour: String {
        switch tone {
        case .arrival: "ff5e6b00"
        case .departure: "ff461f8a"
        case .stay, .recovery: "ffcf560b"
        case .warning: "ff0046b3"
        case .alarm: "ff1b1bb3"
        }
    }
}
