package import Bytes
import JSON

/// How far vehicles were driven in each area of one set, and outside of all of them: the differences of
/// what the odometer showed where they crossed its boundaries, which add up to the whole way. Where areas
/// overlap, the smallest one counts.
package struct JurisdictionSums {
    /// An area of the set.
    package struct Area: Sendable {
        /// Empty for none.
        package var title: String
        /// m²
        package var size: Double

        package init(title: String, size: Double) { (self.title, self.size) = (title, size) }
    }

    /// What the odometer showed at an event.
    package struct Reading: Sendable {
        /// What an event says of where the vehicle is.
        package enum Crossing: Sendable {
            case entered(String)
            case left(String)
        }

        /// m
        package var metres: Double
        /// Whether the way up to here, since the reading before, is asked for.
        package var counts: Bool
        /// By the id of a fence, of the set or not; nil for any other event.
        package var crossing: Crossing?

        package init(metres: Double, counts: Bool, _ crossing: Crossing? = nil) {
            (self.metres, self.counts, self.crossing) = (metres, counts, crossing)
        }

        /// - Parameter kind: of an event, by its name.
        package static func crossing(_ kind: String, _ fence: String?) -> Crossing? {
            guard let fence else { return nil }
            return switch kind {
            case "enter", "initial": .entered(fence)
            case "exit": .left(fence)
            default: nil
            }
        }
    }

    /// m
    private static let mile = 1_609.344

    /// Areas by their ids.
    package typealias Areas = [ExactText: Area]

    private let areas: Areas
    /// m, by id.
    private var sums: [ExactText: Double] = [:]
    /// m
    private var outside = 0.0

    /// - Parameter areas: those of the set, by id.
    package init(of areas: Areas) { self.areas = areas }

    /// Adds the way of one vehicle.
    /// - Parameters:
    ///   - readings: of one log, in the order of its events, which need not be that of the odometer.
    ///   - start: what the odometer showed before the first reading, m; nil where that is not known, and
    ///     what was driven before it is in no sum.
    ///   - inside: areas in which the vehicle was before, as far as no reading tells.
    ///   - now: what the odometer shows at last, and whether that counts; nil where that is not known.
    package mutating func add(
        _ readings: [Reading], from start: Double?, inside: Set<ExactText> = [],
        now: (metres: Double, counts: Bool)? = nil
    ) {
        // An event is told when it is certain, which may be after one that happened later.
        let ordered = readings.enumerated().sorted {
            ($0.element.metres, $0.offset) < ($1.element.metres, $1.offset)
        }.map(\.element)
        var vehicle = Vehicle(inside: inside.filter { areas[$0] != nil }, since: start)
        // Of what the vehicle leaves first it was inside from the beginning.
        var isKnown: Set<ExactText> = []
        for reading in ordered {
            switch reading.crossing {
            case .entered(let fence)? where isKnown.add(fence):
                vehicle.inside.remove(fence)
            case .left(let fence)? where areas[fence] != nil && isKnown.add(fence):
                vehicle.inside.add(fence)
            default: continue
            }
        }
        for reading in ordered {
            drive(&vehicle, to: reading.metres, counts: reading.counts)
            switch reading.crossing {
            case .entered(let fence)? where areas[fence] != nil: vehicle.inside.add(fence)
            case .left(let fence)?: vehicle.inside.remove(fence)
            default: continue
            }
        }
        guard let now, now.metres >= vehicle.since ?? 0 else { return }
        drive(&vehicle, to: now.metres, counts: now.counts)
    }

    /// Where it is, and since which reading.
    private struct Vehicle {
        var inside: Set<ExactText>
        var since: Double?
    }

    /// The smallest area that the vehicle is in; nil for none.
    private func place(of vehicle: Vehicle) -> ExactText? {
        vehicle.inside.min { a, b in
            let (first, second) = (areas[a]?.size ?? 0, areas[b]?.size ?? 0)
            return first == second ? a < b : first < second
        }
    }

    private mutating func drive(_ vehicle: inout Vehicle, to metres: Double, counts: Bool) {
        defer { vehicle.since = metres }
        guard counts, let since = vehicle.since else { return }
        if let place = place(of: vehicle) {
            sums[place, default: 0] += metres - since
        } else {
            outside += metres - since
        }
    }

    /// In order of their ids; the last one, without an id, is what lies outside of all.
    private var rows: [(id: String?, metres: Double)] {
        sums.sorted { $0.key < $1.key }.map { (id: $0.key.text, metres: $0.value) }
            + [(id: nil, metres: outside)]
    }

    /// A row for each area in which something was driven, and one for what lies outside of all.
    package var sheet: Sheet {
        func cells(_ name: String, _ metres: Double) -> [String] {
            var miles = JSONWriter()
            miles.number(metres / Self.mile, decimals: 1)
            return [name, LengthText.of(metres: metres), miles.text]
        }
        func title(_ id: String?) -> String? {
            id.flatMap { areas[$0]?.title }.flatMap { $0.isEmpty ? nil : $0 }
        }
        return Sheet(
            heading: "Driven by jurisdiction", titles: ["JURISDICTION", "DRIVEN", "MILES"],
            keys: ["jurisdiction", "title", "driven_m"],
            rows: rows.map { id, metres in
                Sheet.Row(
                    cells: cells(title(id) ?? id ?? "outside", metres),
                    members: [
                        Sheet.Member("jurisdiction", id), Sheet.Member("title", title(id)),
                        Sheet.Member("driven_m", metres: metres),
                    ])
            },
            total: cells("all", rows.reduce(0) { $0 + $1.metres }), isTotalInTable: true)
    }
}
