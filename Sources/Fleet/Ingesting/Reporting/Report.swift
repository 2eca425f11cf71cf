import Bytes

/// The forms of a report.
package enum Report: String, CaseIterable, Sendable {
    case table
    case csv
    case json
    /// A page to print.
    case html

    /// What there is a row of.
    package enum Key: String, CaseIterable, Sendable {
        case place
        /// On which a stay ended, UTC.
        case day
        case driver
        /// Each trip.
        case trip
    }

    /// The whole text, with a line break at its end.
    package func text(_ sheet: Sheet) -> String {
        switch self {
        case .table: sheet.table
        case .csv: sheet.csv
        case .json: sheet.json
        case .html: sheet.html
        }
    }

    /// The same, of each visit; on the page with a bar for its stay.
    package func text(_ visits: [Visit]) -> String {
        self == .html ? Self.html(visits) : text(Sheet(visits))
    }

    private static func html(_ visits: [Visit]) -> String {
        let longest = max(visits.map(\.stay).max() ?? 0, 1)
        var text = Sheet.page("Visits")
        var place: String?
        for visit in visits {
            if place != visit.fence {
                if place != nil { text += "</table>\n" }
                place = visit.fence
                text += "<h2>\((visit.title ?? visit.fence).escapedForMarkup)</h2>\n"
                text += "<table><tr><th>Box<th>Driver<th>Entered<th>Left<th>Stay<th>Way<th></tr>\n"
            }
            let cells = [
                visit.box, visit.driver ?? "–", visit.entered, visit.left ?? "still there",
                visit.stayText + (visit.inferred ? " (inferred)" : ""),
                (Visit.text(ofMetres: visit.way) ?? "–")
                    + (Visit.text(ofMetres: visit.gap).map { " + \($0)" } ?? ""),
            ]
            let width = Int((visit.stay / longest * 100).rounded())
            text += "<tr>" + cells.map { "<td>\($0.escapedForMarkup)" }.joined()
            text += "<td class=b><span class=\"s\(visit.left == nil ? " o" : "")\" "
            text += "style=\"width:\(max(0, min(100, width)))%\"></span></tr>\n"
        }
        return text + (place == nil ? "<p>None.</p>" : "</table>") + "\n</body></html>\n"
    }
}

extension Sheet {
    /// Each visit.
    package init(_ visits: [Visit]) {
        self.init(
            heading: "Visits",
            titles: ["PLACE", "BOX", "DRIVER", "ENTERED", "LEFT", "STAY", "WAY", "GAP"],
            keys: [
                "place", "title", "box", "driver", "entered", "left", "stay_s", "inferred", "way_m",
                "way_error_m", "gap_m",
            ],
            rows: visits.map { visit in
                Row(
                    cells: [
                        visit.title ?? visit.fence, visit.box, visit.driver ?? "–", visit.entered,
                        visit.left ?? "still there", visit.stayText,
                        Visit.text(ofMetres: visit.way) ?? "–",
                        Visit.text(ofMetres: visit.gap) ?? "",
                    ],
                    members: [
                        Member("place", visit.fence), Member("title", visit.title),
                        Member("box", visit.box), Member("driver", visit.driver),
                        Member("entered", visit.entered), Member("left", visit.left),
                        Member("stay_s", raw: visit.stayNumber),
                        Member("inferred", raw: visit.inferred ? "true" : "false"),
                    ] + visit.metres.map { Member($0.key, raw: $0.number) })
            })
    }

    /// The sums of those that are over, as geofencectl has them on one vehicle: of each place, of each
    /// day on which they ended, or of each driver.
    package init(sumsOf visits: [Visit], by key: Report.Key) {
        struct Sum {
            var title: String?
            var stays = 0
            var stay = 0.0
            var metres = [0.0, 0.0, 0.0]
        }
        var sums: [String?: Sum] = [:]
        for visit in visits {
            guard let left = visit.left else { continue }
            let name: String? =
                switch key {
                case .place: visit.fence
                case .day: String(left.prefix(10))
                case .driver, .trip: visit.driver
                }
            var sum = sums[name] ?? Sum()
            sum.title = visit.title
            sum.stays += 1
            sum.stay += visit.stay
            for (index, metres) in [visit.way, visit.wayError, visit.gap].enumerated() {
                sum.metres[index] += metres ?? 0
            }
            sums[name] = sum
        }
        let isPlace = key == .place
        self.init(
            heading: "Visits by \(key.rawValue)",
            titles: [key.rawValue.uppercased(), "STAYS", "STAY", "WAY", "GAP"],
            keys: [key.rawValue] + (isPlace ? ["title"] : [])
                + ["stays", "stay_s", "way_m", "way_error_m", "gap_m"],
            rows: sums.sorted { ($0.key ?? "") < ($1.key ?? "") }.map { name, sum in
                Row(
                    cells: [
                        (isPlace ? sum.title : nil) ?? name ?? "–", "\(sum.stays)",
                        Visit.text(ofSeconds: sum.stay), Visit.text(ofMetres: sum.metres[0]) ?? "",
                        sum.metres[2] > 0 ? Visit.text(ofMetres: sum.metres[2]) ?? "" : "",
                    ],
                    members: [Member(key.rawValue, name)]
                        + (isPlace ? [Member("title", sum.title)] : [])
                        + [
                            Member("stays", raw: "\(sum.stays)"),
                            Member("stay_s", raw: Visit.number(ofSeconds: sum.stay)),
                        ]
                        + zip(["way_m", "way_error_m", "gap_m"], sum.metres).map {
                            Member($0, raw: Visit.number($1))
                        })
            })
    }

    /// Each trip.
    package init(_ trips: [Trip]) {
        self.init(
            heading: "Trips",
            titles: [
                "BOX", "BEGAN", "ENDED", "FROM", "TO", "TRIP", "WAY", "GAP", "STOPS", "DRIVER",
            ],
            keys: [
                "box", "began", "ended", "from", "from_title", "to", "to_title", "trip_s", "way_m",
                "way_error_m", "gap_m", "stops", "driver",
            ],
            rows: trips.map { trip in
                Row(
                    cells: [
                        trip.box, trip.began, trip.ended, trip.fromTitle ?? trip.from ?? "–",
                        trip.toTitle ?? trip.to ?? "–", Visit.text(ofSeconds: trip.length),
                        Visit.text(ofMetres: trip.way) ?? "–",
                        (trip.gap ?? 0) > 0 ? Visit.text(ofMetres: trip.gap) ?? "" : "",
                        trip.stops ?? "", trip.driver ?? "",
                    ],
                    members: [
                        Member("box", trip.box), Member("began", trip.began),
                        Member("ended", trip.ended), Member("from", trip.from),
                        Member("from_title", trip.fromTitle), Member("to", trip.to),
                        Member("to_title", trip.toTitle),
                        Member("trip_s", raw: Visit.number(ofSeconds: trip.length)),
                        Member("way_m", raw: Visit.number(trip.way)),
                        Member("way_error_m", raw: Visit.number(trip.wayError)),
                        // As the box has it: where it says nothing there was none.
                        Member("gap_m", raw: Visit.number(trip.gap ?? (trip.way == nil ? nil : 0))),
                        Member("stops", raw: trip.stops), Member("driver", trip.driver),
                    ])
            })
    }
}
