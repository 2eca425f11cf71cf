import Bytes
import Engine
import JSON
import Time

/// The sums of a report: how often, how long, how far.
struct StaySums {
    /// Of what there is a row.
    enum Key: String, CaseIterable {
        case place
        /// On which a stay ended, UTC.
        case day
        /// With whom a stay ended.
        case driver
    }

    private struct Sum {
        var title = ""
        var stays = 0
        var length = TimeSpan.zero
        var metres = 0.0
        var bound = 0.0
        var gap = 0.0
    }

    private let key: Key
    /// In order of their keys; nil, of stays without a driver, comes first.
    private let sums: [(key: String?, sum: Sum)]

    /// Those that are not over are left out.
    init(of stays: [Stay], by key: Key) {
        var sums: [String?: Sum] = [:]
        for stay in stays {
            guard let left = stay.left else { continue }
            let name: String? =
                switch key {
                case .place: stay.fence
                case .day: String(left.iso8601.prefix(10))
                case .driver: stay.driver
                }
            var sum = sums[name] ?? Sum()
            sum.title = stay.title
            sum.stays += 1
            sum.length = sum.length + (stay.length ?? .zero)
            sum.metres += stay.way?.metres ?? 0
            sum.bound += stay.way?.bound ?? 0
            sum.gap += stay.way?.gap ?? 0
            sums[name] = sum
        }
        self.key = key
        self.sums = sums.sorted { ($0.key ?? "") < ($1.key ?? "") }
            .map { (key: $0.key, sum: $0.value) }
    }

    @MainActor
    func printTable() throws {
        var table = Table(key.rawValue.uppercased(), "STAYS", "STAY", "WAY", "GAP")
        for (name, sum) in sums {
            table.add(
                key == .place && !sum.title.isEmpty ? sum.title : name ?? "–", "\(sum.stays)",
                sum.length.text, LengthText.of(metres: sum.metres),
                sum.gap > 0 ? LengthText.of(metres: sum.gap) : "")
        }
        try table.print()
    }

    @MainActor
    func printJSON() throws {
        for (name, sum) in sums {
            var json = JSONWriter()
            json.beginObject()
            json.key(key.rawValue)
            json.optional(name)
            if key == .place {
                json.key("title")
                json.optional(sum.title.isEmpty ? nil : sum.title)
            }
            json.key("stays")
            json.integer(sum.stays)
            json.key("stay_s")
            json.number(sum.length.roundedSeconds)
            for (key, metres) in [
                ("way_m", sum.metres), ("way_error_m", sum.bound), ("gap_m", sum.gap),
            ] {
                json.key(key)
                json.number(metres, decimals: 1)
            }
            json.endObject()
            json.endLine()
            try StandardOutput.write(json.bytes)
        }
    }
}
