import Bytes
package import Reports
import Time

extension Report {
    /// What there is a row of.
    package enum Key: String, CaseIterable, Sendable {
        case place
        /// On which a stay ended, UTC.
        case day
        case driver
        /// How far in each area of a set.
        case jurisdiction
        /// Each trip.
        case trip
    }

    /// The same, of each visit; on the page with a bar for its stay.
    /// - Parameter notes: lines below the heading of a page.
    package func text(_ visits: [Visit], _ notes: [String] = []) -> String {
        self == .html ? Self.html(visits, notes) : text(Sheet(visits))
    }

    private static func html(_ visits: [Visit], _ notes: [String]) -> String {
        let longest = max(visits.map(\.stay).max() ?? 0, 1)
        var total = StayTotal()
        for visit in visits { total.add(visit.length, visit.metres) }
        let sum = "\(total.text(of: "visit")), \(total.length.text), \(total.metres.wayText)."
        var text = Sheet.page("Visits", notes + [sum])
        var place: String?
        for visit in visits {
            if place?.isExactly(visit.fence) != true {
                if place != nil { text += "</table>\n" }
                place = visit.fence
                text += "<h2>\((visit.title ?? visit.fence).escapedForMarkup)</h2>\n"
                text += "<table><tr><th>Box<th>Driver<th>Entered<th>Left<th>Stay<th>Way<th></tr>\n"
            }
            let cells = [
                visit.box, visit.driver ?? "–", visit.entered, visit.left ?? "still there",
                visit.length.text + (visit.inferred ? " (inferred)" : ""),
                visit.metres.wayText
                    + (visit.metres.gap.map { " + \(LengthText.of(metres: $0))" } ?? ""),
            ]
            let width = Int((visit.stay / longest * 100).rounded())
            text += "<tr>" + cells.map { "<td>\($0.escapedForMarkup)" }.joined()
            text += "<td class=b><span class=\"s\(visit.left == nil ? " o" : "")\" "
            text += "style=\"width:\(max(0, min(100, width)))%\"></span></tr>\n"
        }
        return text + (place == nil ? "<p>None.</p>" : "</table>") + "\n</body></html>\n"
    }
}

extension Visit {
    /// Those of ``members``.
    package static let keys =
        ["place", "title", "box", "driver", "entered", "left", "stay_s", "inferred"]
        + StayMetres.keys

    /// For programs.
    package var members: [Sheet.Member] {
        [
            .init("place", fence), .init("title", title), .init("box", box),
            .init("driver", driver), .init("entered", entered), .init("left", left),
            .init("stay_s", seconds: length), .init("inferred", raw: inferred ? "true" : "false"),
        ] + metres.members
    }
}

extension Sheet {
    /// Each visit.
    package init(_ visits: [Visit]) {
        self.init(
            heading: "Visits",
            titles: ["PLACE", "BOX", "DRIVER", "ENTERED", "LEFT", "STAY", "WAY", "GAP"],
            keys: Visit.keys,
            rows: visits.map { visit in
                Row(
                    cells: [
                        visit.title ?? visit.fence, visit.box, visit.driver ?? "–", visit.entered,
                        visit.left ?? "still there", visit.length.text, visit.metres.wayText,
                        visit.metres.gapText,
                    ],
                    members: visit.members)
            })
    }

    /// The sums of those that are over.
    package init(sumsOf visits: [Visit], by key: StaySums.Key) {
        var sums = StaySums(by: key)
        for visit in visits {
            guard let left = visit.left else { continue }
            sums.add(
                place: (visit.fence, visit.title), left: left, driver: visit.driver,
                length: visit.length, visit.metres)
        }
        self = sums.sheet
    }

    /// Each trip.
    package init(_ trips: [Trip]) {
        var (total, stops) = (StayTotal(), 0)
        for trip in trips {
            total.add(trip.span, trip.metres)
            stops += trip.stops.flatMap(Int.init) ?? 0
        }
        self.init(
            heading: "Trips",
            titles: [
                "BOX", "BEGAN", "ENDED", "FROM", "TO", "TRIP", "WAY", "GAP", "STOPS", "DRIVER",
            ],
            keys: ["box", "began", "ended", "from", "from_title", "to", "to_title", "trip_s"]
                + StayMetres.keys + ["stops", "driver"],
            rows: trips.map { trip in
                Row(
                    cells: [
                        trip.box, trip.began, trip.ended, trip.fromTitle ?? trip.from ?? "–",
                        trip.toTitle ?? trip.to ?? "–", trip.span.text, trip.metres.wayText,
                        trip.metres.gapText, trip.stops ?? "", trip.driver ?? "",
                    ],
                    members: [
                        Member("box", trip.box), Member("began", trip.began),
                        Member("ended", trip.ended), Member("from", trip.from),
                        Member("from_title", trip.fromTitle), Member("to", trip.to),
                        Member("to_title", trip.toTitle), Member("trip_s", seconds: trip.span),
                    ] + trip.metres.members + [
                        Member("stops", raw: trip.stops), Member("driver", trip.driver),
                    ])
            },
            total: [
                total.text(of: "trip"), "", "", "", "", total.length.text, total.metres.wayText,
                total.metres.gapText, "\(stops)", "",
            ])
    }
}

extension Trip {
    /// ``length``, which is never negative here.
    fileprivate var span: TimeSpan { .seconds(max(0, length)) }

    /// As the box has it: where it says nothing of a gap there was none.
    fileprivate var metres: StayMetres {
        StayMetres(way: way, bound: wayError, gap: gap ?? (way == nil ? nil : 0))
    }
}
