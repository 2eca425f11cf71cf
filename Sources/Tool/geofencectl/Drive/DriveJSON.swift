import Formats
import Geodesy
import JSON
import Law
import Model
import Program
import Time

/// The data of the map page, version 1. `drive.js` reads it, and says what each member means.
///
/// Ten hours at 1 Hz have to fit into two megabytes: fixes are columns of whole numbers, times and
/// places as differences to the one before.
struct DriveJSON {
    /// What the page was made of and how, which the page shows: without it, it would prove nothing.
    struct Making {
        var inputs: [DriveInput] = []
        /// Settings that differ from the defaults, `Section.Key=VALUE`.
        var settings: [String] = []
        var summary: ReplaySummary?
        /// In the catalogue.
        var fences = 0
        /// For the comparison with hazards; nil if the vehicle is not known, as for a log.
        var rules: ApproachRules?
    }

    private var json = JSONWriter()
    private let record: DriveRecord
    private let making: Making

    private init(_ record: DriveRecord, _ making: Making) {
        self.record = record
        self.making = making
    }

    /// The JSON text.
    static func bytes(_ record: DriveRecord, _ making: Making) -> [UInt8] {
        var writer = DriveJSON(record, making)
        writer.write()
        return writer.json.bytes
    }

    private mutating func write() {
        json.beginObject()
        member("version", 1)
        json.key("program")
        json.string("geofencectl \(Version.current)")
        writeMaking()
        writeFixes()
        writeRefused()
        json.key("fences")
        json.beginArray()
        for fence in record.fences { DriveFence.write(fence, making.rules, to: &json) }
        json.endArray()
        writeWindows()
        writeHazards()
        writeEvents()
        json.endObject()
    }

    private mutating func member(_ key: String, _ value: some FixedWidthInteger) {
        json.key(key)
        json.integer(value)
    }

    private mutating func writeMaking() {
        json.key("inputs")
        json.beginArray()
        for input in making.inputs {
            json.beginObject()
            json.key("role")
            json.string(input.role.rawValue)
            json.key("name")
            json.string(input.name)
            member("bytes", input.bytes)
            json.key("sha256")
            json.string(input.sha256)
            json.endObject()
        }
        json.endArray()
        json.key("settings")
        json.beginArray()
        for setting in making.settings { json.string(setting) }
        json.endArray()
        member("catalogue", making.fences)
        guard let summary = making.summary else { return }
        json.key("summary")
        ReplayReport.write(summary, fences: making.fences, to: &json)
    }

    private mutating func writeFixes() {
        json.key("fixes")
        json.beginObject()
        let fixes = record.fixes
        if let first = fixes.first {
            member("start", first.time.nanoseconds / 1_000_000)
            member("clock", milliseconds(first.arrival))
        }
        column("t", differences(fixes.map { milliseconds($0.arrival) }))
        column("latitude", differences(fixes.map { micro($0.coordinate.latitude) }))
        column("longitude", differences(fixes.map { micro($0.coordinate.longitude) }))
        column("error", fixes.map { tenths($0.error) })
        column("speed", fixes.map { $0.speed.map(tenths) ?? -1 })
        column("course", fixes.map { $0.course.map(degrees) ?? -1 })
        column("paths", record.pathStarts.map { Int64($0) })
        // Receiver time differs from the clock of the replay by more only after a re-base.
        json.key("rebases")
        json.beginArray()
        var offset: Int64?
        for (index, fix) in fixes.enumerated() {
            let now = fix.time.nanoseconds / 1_000_000 - milliseconds(fix.arrival)
            if let offset, (now - offset).magnitude > 2 {
                json.beginArray()
                json.integer(index)
                json.integer(now)
                json.endArray()
            }
            if offset == nil || (now - (offset ?? 0)).magnitude > 2 { offset = now }
        }
        json.endArray()
        json.endObject()
    }

    private mutating func writeRefused() {
        json.key("refused")
        json.beginArray()
        for fix in record.refused {
            json.beginArray()
            json.integer(milliseconds(fix.arrival))
            json.number(fix.coordinate.latitude, decimals: 6)
            json.number(fix.coordinate.longitude, decimals: 6)
            json.integer(fix.error.map(tenths) ?? -1)
            json.string(fix.reason.name)
            json.endArray()
        }
        json.endArray()
        member("refused_left_out", record.refusedLeftOut)
    }

    private mutating func writeWindows() {
        json.key("windows")
        json.beginArray()
        for window in record.windows {
            json.beginObject()
            member("fix", window.fix)
            if let radius = window.metafenceRadius {
                json.key("metafence")
                json.beginArray()
                json.number(window.anchor.latitude, decimals: 6)
                json.number(window.anchor.longitude, decimals: 6)
                json.number(radius, decimals: 0)
                json.endArray()
            }
            column("regions", window.regions.map { Int64($0) })
            json.endObject()
        }
        json.endArray()
    }

    private mutating func writeHazards() {
        json.key("ahead")
        json.beginArray()
        for hazards in record.hazards {
            json.beginArray()
            json.integer(hazards.fix)
            for ahead in hazards.ahead {
                json.beginArray()
                json.integer(record.index(of: ahead.hazard) ?? -1)
                json.number(ahead.details.toGo, decimals: 0)
                json.integer(ahead.stage?.rawValue ?? 0)
                if let way = ahead.details.toEscape {
                    json.number(way, decimals: 0)
                } else {
                    json.null()
                }
                json.endArray()
            }
            json.endArray()
        }
        json.endArray()
    }

    private mutating func writeEvents() {
        json.key("events")
        json.beginArray()
        for happening in record.happenings {
            json.beginObject()
            if let fix = happening.fix { member("fix", fix) }
            if let fence = happening.fence { member("region", fence) }
            json.key("event")
            EventJSON.write(happening.logged, to: &json)
            if let fence = happening.fence, let fix = happening.fix {
                let plot = DrivePlot(record, record.fences[fence], around: fix)
                json.key("plot")
                json.beginObject()
                member("from", plot.from)
                column("distance", plot.distances.map(tenths))
                json.endObject()
            }
            json.endObject()
        }
        json.endArray()
    }

    private mutating func column(_ key: String, _ values: [Int64]) {
        json.key(key)
        json.beginArray()
        for value in values { json.integer(value) }
        json.endArray()
    }

    private func differences(_ values: [Int64]) -> [Int64] {
        zip(values, [0] + values).map { $0 - $1 }
    }

    private func milliseconds(_ time: Uptime) -> Int64 { time.nanoseconds / 1_000_000 }

    private func micro(_ degrees: Double) -> Int64 { Int64((degrees * 1e6).rounded()) }

    /// Of metres, or m/s; what is too large for a number of a page is as large as can be, and what
    /// is no number is none.
    private func tenths(_ value: Double) -> Int64 {
        value.isFinite ? Int64((max(-1e9, min(value, 1e9)) * 10).rounded()) : -1
    }

    /// Whole degrees, 0 to 359; a receiver may say anything.
    private func degrees(_ course: Double) -> Int64 {
        let turn = course.truncatingRemainder(dividingBy: 360)
        return turn.isFinite ? (Int64(turn.rounded()) + 360) % 360 : -1
    }
}
