import Law
import Model
import Time

/// Random presences by hand for a beacon that is never heard, with a radio that fails, kills and
/// power cuts. The events equal those of a model that keeps only two times.
package enum SaidByHand {
    package static let law = Property("a presence by hand holds until the given time") {
        flaw(seed: $0)
    }

    /// The expected state and events.
    private struct Model {
        /// Kinds, reasons and times of events.
        var told: [String] = []
        /// Since when the vehicle has been inside, and the end of that statement; nil outside.
        var inside: (began: UTCTime, until: UTCTime)?

        private mutating func tell(_ kind: EventKind, at time: UTCTime, _ stay: TimeSpan?) {
            let length = stay.map { " \($0.nanoseconds)" } ?? ""
            told.append("\(kind.name) manual \(time.nanoseconds)\(length)")
        }

        mutating func say(_ presence: Presence, for duration: TimeSpan, at now: UTCTime) {
            pass(to: now)
            if presence == .inside {
                if inside == nil { tell(.enter, at: now, nil) }
                inside = (inside?.began ?? now, now + duration)
            } else {
                leave(at: now)
            }
        }

        mutating func pass(to now: UTCTime) {
            if let until = inside?.until, until <= now { leave(at: until) }
        }

        private mutating func leave(at time: UTCTime) {
            guard let began = inside?.began else { return }
            inside = nil
            tell(.exit, at: time, time - began)
        }
    }

    private static func flaw(seed: UInt64) -> String? {
        var random = SeededRandom(seed: seed)
        let regions = [BeaconDrive.region("dock")]
        var drive = BeaconDrive(regions, hasListened: random.chance(0.5))
        drive.radio(.deaf)
        var model = Model()
        for step in 0..<80 {
            drive.hasPosition = random.chance(0.7)
            switch random.integer(0..<8) {
            case 0: drive.radio(random.chance(0.5) ? .listening : .deaf)
            case 1: drive.kill(for: random.uniform(0.1...100), regions: regions)
            case 2: drive.cutPower(for: random.uniform(1...2_000), regions: regions)
            case 3, 4, 5:
                let presence = [Presence.inside, .inside, .outside, .unknown][random.integer(0..<4)]
                let duration = TimeSpan.seconds(random.uniform(1...1_000))
                drive.give(.presence(ManualPresence(presence, for: duration), of: "dock"))
                model.say(presence, for: duration, at: drive.receiverTime)
            default: drive.pass(random.uniform(0.5...300), speed: random.uniform(0...25))
            }
            model.pass(to: drive.receiverTime)
            let told = drive.events.filter { $0.fence == "dock" }.map { event in
                let length = event.stay.map { " \($0.nanoseconds)" } ?? ""
                return "\(event.kind.name) \(event.reason?.name ?? "") "
                    + "\(event.time.nanoseconds)\(length)"
            }
            guard told == model.told else {
                return "step \(step): \(told.suffix(3)) and not \(model.told.suffix(3))"
            }
        }
        return nil
    }
}
