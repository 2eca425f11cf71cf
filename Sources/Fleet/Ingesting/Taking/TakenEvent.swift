package import JSON
import SharedLimits
package import Time

/// An event of version 2 of the fleet's JSON, or a span of numbers without events, checked: what a
/// row of the database is made of.
package struct TakenEvent: Hashable, Sendable {
    /// 32 hexadecimal digits.
    package var log: String
    /// At least 1.
    package var seq: Int64
    /// Less than ``seq``; what lies between is accounted for by this event.
    package var previous: Int64
    /// When it was.
    package var time: UTCTime
    /// Any name: new kinds are data. Of a span its name, `gap` or `skip`, which no event has.
    package var kind: String
    /// Nil for events without one.
    package var fence: String?
    /// Nil for a fence without one.
    package var title: String?
    /// s
    package var stay: Double?
    /// No fix bears witness of the state between this crossing and its neighbour.
    package var inferred: Bool
    /// A JSON object with everything else. A member `driver` is a text: the database has it in a table
    /// of its own.
    package var details: String
    /// ``time``, truncated, since 1970.
    var milliseconds: Int64 {
        let (whole, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? whole - 1 : whole
    }
    /// The approximate bytes that it takes while it waits for the database.
    package var size: Int {
        512 + details.utf8.count + (fence?.utf8.count ?? 0) + (title?.utf8.count ?? 0)
    }

    /// Why something is no event.
    package struct Problem: Error, Hashable, Sendable {
        /// A phrase without a full stop.
        package var reason: String
        /// Its log and number, where these could be read: it can be acknowledged, so that it does
        /// not come again.
        package var identity: (log: String, seq: Int64)? {
            guard let log, let seq else { return nil }
            return (log, seq)
        }
        private var log: String?
        private var seq: Int64?

        init(_ reason: String, log: String? = nil, seq: Int64? = nil) {
            self.reason = reason
            self.log = log
            self.seq = seq
        }
    }

    /// Names of spans: lost by the box, and not for this destination.
    private static let spans = ["gap", "skip"]

    /// Everything that it was made of, as JSON.
    package var text: String {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(2)
        json.key("log")
        json.string(log)
        json.key("prev")
        json.integer(previous)
        if Self.spans.contains(kind) {
            json.key(kind)
            json.integer(seq)
        } else {
            json.key("event")
            write(to: &json)
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("seq")
        json.integer(seq)
        for (key, value) in [
            ("kind", kind), ("fence", fence), ("title", title), ("time", time.iso8601),
        ] {
            guard let value else { continue }
            json.key(key)
            json.string(value)
        }
        json.key("inferred")
        json.bool(inferred)
        if let stay {
            json.key("stay_s")
            json.number(stay)
        }
        let rest = try? JSONValue(parsing: details)
        for member in rest?.object ?? [JSONMember("details", .string(details))] {
            json.key(member.key)
            json.value(member.value)
        }
        json.endObject()
    }

    /// Bytes of the longest texts. A fence's id is in indexes of the database, whose entries have
    /// at most 2,704 bytes.
    private static let longest = (
        name: SharedLimits.name, fence: SharedLimits.fenceID, title: SharedLimits.fenceTitle,
        details: SharedLimits.eventDetails
    )
    /// Members of an event that have a column of their own.
    private static let columns: Set<String> = [
        "seq", "kind", "fence", "title", "time", "stay_s", "inferred",
    ]

    /// - Parameter json: `{"v":2,"log":…,"prev":…,"event":{…}}`, or with `"gap"` or `"skip"`, the
    ///   last number of a span, instead of the event.
    /// - Throws: ``Problem`` with the first reason.
    package init(_ json: JSONValue) throws(Problem) {
        guard json.object != nil else { throw Problem("not an object") }
        let span = Self.spans.first { json[$0] != nil }
        let event = span == nil ? json["event"] ?? .null : .object([])
        guard let log = json["log"]?.string, log.utf8.count == 32,
            log.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            // The next number must not overflow.
            let seq = (span.flatMap { json[$0] } ?? event["seq"])?.integer,
            (1..<Int64.max).contains(seq)
        else { throw Problem("neither log nor seq") }
        self.log = log
        self.seq = seq
        func problem(_ reason: String) -> Problem { Problem(reason, log: log, seq: seq) }
        guard json["v"]?.integer == 2 else { throw problem("not version 2") }
        guard let previous = json["prev"]?.integer, previous >= 0, previous < seq else {
            throw problem("prev is not before seq")
        }
        self.previous = previous
        if let span {
            // It is about numbers, and no time is known.
            (kind, time, inferred, details) = (span, UTCTime(nanoseconds: 0), false, "{}")
            return
        }
        guard let kind = event["kind"]?.string, !kind.isEmpty, kind.utf8.count <= Self.longest.name,
            !kind.utf8.contains(0), !Self.spans.contains(kind)
        else { throw problem("kind is no name") }
        self.kind = kind
        for (key, limit) in [("fence", Self.longest.fence), ("title", Self.longest.title)] {
            guard let value = event[key], value != .null else { continue }
            guard let text = value.string, text.utf8.count <= limit, !text.utf8.contains(0)
            else { throw problem("\(key) is no text of at most \(limit) bytes") }
        }
        fence = event["fence"]?.string
        title = event["title"]?.string
        guard let time = event["time"]?.string.flatMap({ UTCTime(iso8601: $0) }) else {
            throw problem("time is none")
        }
        self.time = time
        if let value = event["stay_s"], value != .null {
            guard let stay = value.double, (0...1e9).contains(stay) else {
                throw problem("stay_s is no time span")
            }
            self.stay = stay
        }
        if let driver = event["driver"], driver != .null {
            guard let text = driver.string, (1...SharedLimits.driverID).contains(text.utf8.count)
            else { throw problem("driver is no text of 1 to \(SharedLimits.driverID) bytes") }
        }
        inferred = event["inferred"]?.bool ?? false
        let rest = JSONValue.object(
            (event.object ?? []).filter { !Self.columns.contains($0.key) })
        details = rest.text
        guard details.utf8.count <= Self.longest.details, !rest.hasNUL else {
            throw problem("more than \(Self.longest.details) bytes of details, or a NUL in them")
        }
    }
}

extension JSONValue {
    /// A NUL in one of its texts: PostgreSQL's jsonb has none.
    var hasNUL: Bool {
        switch self {
        case .null, .bool, .number: false
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.hasNUL)
        case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.hasNUL }
        }
    }
}
