import Bytes
import JSON
package import Time

/// The sums of stays that are over: how often, how long, how far.
package struct StaySums {
    /// Of what there is a row.
    package enum Key: String, CaseIterable, Sendable {
        case place
        /// On which a stay ended, UTC.
        case day
        /// With whom a stay ended.
        case driver
    }

    private struct Sum {
        var title: String?
        var total = StayTotal()
    }

    private let key: Key
    private var sums: [ExactText?: Sum] = [:]

    package init(by key: Key) { self.key = key }

    /// Adds a stay.
    /// - Parameters:
    ///   - place: id and title of the place; a title that is nil or empty is none.
    ///   - left: when it ended, ISO 8601, UTC.
    package mutating func add(
        place: (id: String, title: String?), left: String, driver: String?, length: TimeSpan,
        _ metres: StayMetres
    ) {
        let text: String? =
            switch key {
            case .place: place.id
            case .day: String(left.prefix(10))
            case .driver: driver
            }
        let name = text.map(ExactText.init)
        var sum = sums[name] ?? Sum()
        sum.title = place.title.flatMap { $0.isEmpty ? nil : $0 }
        sum.total.add(length, metres)
        sums[name] = sum
    }

    /// In order of their keys; the row of stays without a driver comes first.
    package var sheet: Sheet {
        let isPlace = key == .place
        var all = StayTotal()
        for sum in sums.values { all += sum.total }
        func cells(_ name: String, _ total: StayTotal) -> [String] {
            [
                name, "\(total.count)", total.length.text, total.metres.wayText,
                total.metres.gapText,
            ]
        }
        return Sheet(
            heading: "Stays by \(key.rawValue)",
            titles: [key.rawValue.uppercased(), "STAYS", "STAY", "WAY", "GAP"],
            keys: [key.rawValue] + (isPlace ? ["title"] : []) + ["stays", "stay_s"]
                + StayMetres.keys,
            rows: sums.map { (name: $0.key?.text, sum: $0.value) }
                .sorted { ExactText($0.name ?? "") < ExactText($1.name ?? "") }.map { name, sum in
                    Sheet.Row(
                        cells: cells((isPlace ? sum.title : nil) ?? name ?? "–", sum.total),
                        members: [Sheet.Member(key.rawValue, name)]
                            + (isPlace ? [Sheet.Member("title", sum.title)] : [])
                            + [
                                Sheet.Member("stays", raw: "\(sum.total.count)"),
                                Sheet.Member("stay_s", seconds: sum.total.length),
                            ] + sum.total.metres.members)
                }, total: cells("", all))
    }
}
