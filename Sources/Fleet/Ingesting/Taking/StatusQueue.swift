import JSON
import PostgreSQL
import SharedLimits

/// The statuses that the database does not have yet, the last one of each box. They are not stored
/// elsewhere: the brokers retain them, and lost ones are requested again.
package struct StatusQueue {
    /// Some were lost or left out since the last request to the brokers.
    package private(set) var isIncomplete = false
    private var waiting: [BoxTopic: Status] = [:]
    private var size = 0

    private struct Status {
        let text: String
        /// It was published now; otherwise the broker has retained it for an unknown time.
        let isLive: Bool
    }

    /// Bytes of a status, and of all that wait.
    private static let limits = (status: SharedLimits.status, all: 96 << 20)
    /// The greatest number in one statement.
    private static let portion = 1000

    package init() {}

    /// Calls the function that stores a portion.
    package static let sql = """
        SELECT fleet.note_statuses($1::text[], $2::text[], $3::jsonb[], $4::boolean[])
        """

    /// Takes a message of a box.
    /// - Returns: what is wrong with one that is no status; nil for a good one, and for one that was
    ///   removed from the broker.
    package mutating func add(
        _ payload: [UInt8], from box: BoxTopic, isRetained: Bool
    ) -> String? {
        guard !payload.isEmpty else { return nil }
        guard payload.count <= Self.limits.status, let json = try? JSONValue(parsing: payload),
            json.object != nil, !json.hasNUL
        else { return "no status of at most \(Self.limits.status) bytes" }
        let status = Status(text: json.text, isLive: !isRetained)
        let old = waiting[box].map(Self.size) ?? 0
        guard size - old + Self.size(status) <= Self.limits.all else {
            isIncomplete = true
            return nil
        }
        size += Self.size(status) - old
        waiting[box] = status
        return nil
    }

    /// The log of a box that has events to send, which may have paused because nobody answered.
    package static func waitingLog(in payload: [UInt8]) -> String? {
        guard payload.count <= limits.status, let json = try? JSONValue(parsing: payload),
            json["online"]?.bool == true, (json["waiting"]?.integer ?? 0) > 0
        else { return nil }
        return json["log"]?.string
    }

    /// The arrays of ``sql`` for some statuses, which are removed from the queue; nil if none
    /// waits.
    package mutating func next() -> [String?]? {
        guard !waiting.isEmpty else { return nil }
        // A copy: with a slice the first removal would copy the whole queue.
        let portion = Array(waiting.prefix(Self.portion))
        var arrays = (ArrayText(), ArrayText(), ArrayText(), ArrayText())
        for (box, status) in portion {
            arrays.0.append(box.tenant)
            arrays.1.append(box.box)
            arrays.2.append(status.text)
            arrays.3.append(status.isLive ? "t" : "f")
            size -= Self.size(status)
            waiting[box] = nil
        }
        return [arrays.0.text, arrays.1.text, arrays.2.text, arrays.3.text]
    }

    /// The database has not stored the result of ``next()``.
    package mutating func lose() { isIncomplete = true }

    /// All statuses are requested from the brokers again.
    package mutating func ask() { isIncomplete = false }

    private static func size(_ status: Status) -> Int { 256 + status.text.utf8.count }
}
