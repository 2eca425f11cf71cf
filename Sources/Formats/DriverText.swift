package import Model
package import Sentences

/// What the driver hears and reads of a hazard: one sentence after another, what is to be done before
/// why.
extension ApproachDetails {
    /// The text of an event of that kind, `advisory`, `urgent` or `clear`. The vehicle's own value is
    /// rounded up, the clearance and the distances down.
    package func text(of event: EventKind, as wording: Wording = .log) -> String {
        sentences(of: event, wording, wording.units(isFeet: isFeet)).joined(separator: " ")
    }

    /// Whether the sign has a foot or inch mark; nil where there is no sign.
    package var isFeet: Bool? {
        guard !sign.isEmpty else { return nil }
        return sign.unicodeScalars.contains { "'\"′″’”".unicodeScalars.contains($0) }
    }

    /// Of logs: those of the sign.
    package var units: Units { Wording.log.units(isFeet: isFeet) }

    private func sentences(of event: EventKind, _ wording: Wording, _ units: Units) -> [String] {
        let hazard = hazard(wording, units)
        guard event != .clear else { return [wording.text(.passed, ["hazard": hazard])] }
        var sentences: [String] = []
        if toGo > 0 {
            let within = wording.within(toGo, units)
            sentences.append(
                wording.text(
                    limit == nil ? .aheadUnknown : .ahead, ["hazard": hazard, "within": within]))
        } else {
            sentences.append(wording.text(.here, ["hazard": hazard]))
        }
        if let toEscape, toEscape > 0 {
            sentences.append(wayOut(wording, wording.within(toEscape, units)) + ".")
        } else if event == .urgent {
            sentences.append(wording.text(.noWayOut))
        }
        let value = Self.value(vehicle, kind, units, up: true, wording)
        let isAssumed = certainty == .assumed && kind == .height
        sentences.append(wording.text(isAssumed ? .heightAssumed : yours, ["value": value]))
        if !condition.isEmpty {
            sentences.append(wording.text(.applies, ["condition": wording.name(condition)]))
        }
        return sentences
    }

    /// What it is, and what it lets pass.
    private func hazard(_ wording: Wording, _ units: Units) -> String {
        let names: (known: Sentence, unknown: Sentence) =
            switch kind {
            case .height: (.lowBridge, .lowBridgeUnknown)
            case .width: (.narrowPlace, .narrowPlaceUnknown)
            case .length: (.lengthLimit, .lengthLimitUnknown)
            case .weight: (.weightLimit, .weightLimitUnknown)
            case .axleLoad: (.axleLoadLimit, .axleLoadLimitUnknown)
            }
        guard let limit else { return wording.text(names.unknown) }
        // The sign itself, where it is in these units.
        let isSign = isFeet == true && units != .metric && !wording.isSpoken
        let value = isSign ? sign : Self.value(limit, kind, units, up: false, wording)
        return wording.text(names.known, ["limit": value])
    }

    private var yours: Sentence {
        switch kind {
        case .height: .yourHeight
        case .width: .yourWidth
        case .length: .yourLength
        case .weight: .yourWeight
        case .axleLoad: .yourAxleLoad
        }
    }

    private func wayOut(_ wording: Wording, _ within: String) -> String {
        let sentence: Sentence =
            switch escape?.side {
            case nil: .wayOut
            case .left: .wayOutLeft
            case .right: .wayOutRight
            case .ahead: .wayOutAhead
            case .back: .wayOutBack
            }
        let way = wording.text(sentence, ["within": within])
        guard let road = escape?.road, !road.isEmpty else { return way }
        return wording.text(.wayOutRoad, ["way": way, "road": wording.name(road)])
    }

    /// A length or weight for people; of the vehicle it is rounded up, to 5 cm, an inch or 0.1 t, of a
    /// limit down, to 1 cm, an inch or 0.1 t.
    package static func value(
        _ value: Double, _ kind: Limits.Kind, _ units: Units, up: Bool, _ wording: Wording = .log
    ) -> String {
        switch kind {
        case .weight, .axleLoad: wording.weight(value, units, up ? .up : .down)
        case .height, .width, .length: wording.length(value, units, up ? .up : .down)
        }
    }

    /// A distance for people, rounded down: to 0.1 mile or 100 m, below that to 50 yards or 10 m.
    package static func distance(_ metres: Double, _ units: Units) -> String {
        Wording.log.distance(metres, units)
    }
}
