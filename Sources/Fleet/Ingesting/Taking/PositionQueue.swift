import JSON
import PostgreSQL
import SharedLimits
import Time

/// The last position of each box that the database does not have yet. What is lost here is not asked for
/// again: a newer one comes.
package struct PositionQueue {
    private var waiting: [BoxTopic: Position] = [:]

    private struct Position {
        let time: UTCTime
        let latitude: Double
        let longitude: Double
        /// In the order of ``more``; nil where the receiver has none.
        let more: [Double?]
    }

    /// Members that may be missing, with the values that there are.
    private static let more: [(name: String, range: ClosedRange<Double>)] = [
        ("error_m", 0...1e6), ("speed_mps", 0...1e4), ("course_deg", 0...360),
    ]
    /// Boxes that wait at most; those beyond are left out until they tell the next.
    private static let most = 100_000
    /// The greatest number in one statement.
    private static let portion = 1000

    package init() {}

    /// Calls the function that stores a portion.
    package static let sql = """
        SELECT fleet.note_positions($1::text[], $2::text[], $3::timestamptz[], $4::float8[], \
        $5::float8[], $6::float8[], $7::float8[], $8::float8[])
        """

    /// Takes a message of a box, instead of the one that waits.
    /// - Returns: what is wrong with one that is no position.
    package mutating func add(_ payload: [UInt8], from box: BoxTopic) -> String? {
        guard payload.count <= SharedLimits.position, let json = try? JSONValue(parsing: payload),
            let told = json["position"],
            let time = told["time"]?.string.flatMap({ UTCTime(iso8601: $0) }),
            let latitude = told["latitude"]?.double, (-90...90).contains(latitude),
            let longitude = told["longitude"]?.double, (-180...180).contains(longitude)
        else { return "no position of at most \(SharedLimits.position) bytes" }
        let more = Self.more.map { name, range in
            told[name]?.double.flatMap { range.contains($0) ? $0 : nil }
        }
        guard waiting[box] != nil || waiting.count < Self.most else { return nil }
        waiting[box] = Position(time: time, latitude: latitude, longitude: longitude, more: more)
        return nil
    }

    /// The arrays of ``sql`` for some positions, which are removed from the queue; nil if none waits.
    package mutating func next() -> [String?]? {
        guard !waiting.isEmpty else { return nil }
        // A copy: with a slice the first removal would copy the whole queue.
        let portion = Array(waiting.prefix(Self.portion))
        var arrays = Array(repeating: ArrayText(), count: 5 + Self.more.count)
        for (box, position) in portion {
            arrays[0].append(box.tenant)
            arrays[1].append(box.box)
            // As we write it: PostgreSQL does not read all that we do, and would refuse everybody's.
            arrays[2].append(position.time.iso8601)
            arrays[3].append("\(position.latitude)")
            arrays[4].append("\(position.longitude)")
            for (index, value) in position.more.enumerated() {
                arrays[5 + index].append(value.map { "\($0)" })
            }
            waiting[box] = nil
        }
        return arrays.map(\.text)
    }
}
