import BusClient
import Bytes
import Engine
import Geodesy
import JSON
import Time

/// How far the vehicle was driven in each area of one set, and outside of all of them: the differences of
/// what the odometer showed where it crossed their boundaries, which add up to the whole way. Where areas
/// overlap, the smallest one counts.
struct JurisdictionSums {
    /// An area of the set.
    struct Area {
        var title: String
        /// m²
        var size: Double
    }

    /// m
    private static let mile = 1_609.344

    private let areas: [String: Area]
    /// m, by id.
    private var sums: [String: Double] = [:]
    /// m
    private var outside = 0.0
    /// Where the vehicle is, and since which reading.
    private var inside: Set<String> = []
    private var since: Double?

    /// - Parameters:
    ///   - areas: those of the set, by id.
    ///   - events: of a log, in its order.
    ///   - isWhole: the log has all events that there ever were; else what was driven before the first
    ///     one is in no sum.
    ///   - first: only what was driven from then on.
    ///   - now: what the odometer shows at the last fix; nil where that is not known.
    init(
        of areas: [String: Area], events: [Event], isWhole: Bool, since first: UTCTime?,
        now: (metres: Double, time: UTCTime)?
    ) {
        self.areas = areas
        since = isWhole ? 0 : nil
        // An event is told when it is certain, which may be after one that happened later.
        let readings = events.compactMap { event in
            event.odometer.map { (event: event, metres: $0) }
        }
        let ordered = readings.enumerated().sorted {
            ($0.element.metres, $0.offset) < ($1.element.metres, $1.offset)
        }
        // Of what the vehicle leaves first it was inside from the beginning.
        var isKnown: Set<String> = []
        for (event, _) in ordered.map(\.element) {
            guard let fence = event.fence, areas[fence] != nil else { continue }
            if isKnown.insert(fence).inserted, event.kind == .exit { inside.insert(fence) }
        }
        for (event, metres) in ordered.map(\.element) {
            drive(to: metres, counts: first.map { $0 <= event.time } ?? true)
            guard let fence = event.fence, areas[fence] != nil else { continue }
            switch event.kind {
            case .enter, .initial: inside.insert(fence)
            case .exit: inside.remove(fence)
            default: continue
            }
        }
        guard let now, now.metres >= since ?? 0 else { return }
        drive(to: now.metres, counts: first.map { $0 <= now.time } ?? true)
    }

    /// The smallest area that the vehicle is in; nil for none.
    private var place: String? {
        inside.min { a, b in
            let (first, second) = (areas[a]?.size ?? 0, areas[b]?.size ?? 0)
            return first == second ? a < b : first < second
        }
    }

    private mutating func drive(to metres: Double, counts: Bool) {
        defer { since = metres }
        guard counts, let since else { return }
        if let place {
            sums[place, default: 0] += metres - since
        } else {
            outside += metres - since
        }
    }

    /// In order of their ids; the last one, without an id, is what lies outside of all.
    private var rows: [(id: String?, metres: Double)] {
        sums.sorted { $0.key < $1.key }.map { (id: $0.key, metres: $0.value) }
            + [(id: nil, metres: outside)]
    }

    @MainActor
    func printTable() throws {
        var table = Table("JURISDICTION", "DRIVEN", "MILES")
        func add(_ name: String, _ metres: Double) {
            table.add(
                name, LengthText.of(metres: metres), decimal(metres / Self.mile, 1))
        }
        for (id, metres) in rows {
            let title = id.map { areas[$0]?.title ?? "" } ?? ""
            add(title.isEmpty ? id ?? "outside" : title, metres)
        }
        add("all", rows.reduce(0) { $0 + $1.metres })
        try table.print()
    }

    @MainActor
    func printJSON() throws {
        for (id, metres) in rows {
            var json = JSONWriter()
            json.beginObject()
            json.key("jurisdiction")
            json.optional(id)
            json.key("title")
            json.optional(id.flatMap { areas[$0]?.title }.flatMap { $0.isEmpty ? nil : $0 })
            json.key("driven_m")
            json.number(metres, decimals: 1)
            json.endObject()
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
    }
}
