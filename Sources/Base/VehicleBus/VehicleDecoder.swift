package import Time

/// What the frames of a vehicle say of its motion.
package struct BusMotion: Hashable, Sendable {
    /// Of the wheels, m/s, 0 to 70.
    package var speed: Double
    /// They stand.
    package var isStanding: Bool
    /// What the vehicle's odometer shows, m, with what was driven since its last step; nil where that
    /// is not known.
    package var odometer: Double?
    /// Who counts it, such as `65217/EE`; empty without.
    package var odometerSource: String
}

/// From frames to the motion and the ignition of a vehicle. A value, without a clock: the times of
/// the frames are those of their arrival, and never fall.
package struct VehicleDecoder: Sendable {
    private let language: CANProtocol
    private var speed = Believed()
    private var brake = Believed()
    private var voltage = Believed()
    private var odometer = OdometerSteps()
    private var isStanding: Bool?
    private var lastFrame: Uptime?
    private var told: (isStanding: Bool, at: Uptime)?
    /// Messages of nodes that are not believed, because another one was first.
    package var ignored: UInt64 {
        speed.ignored + brake.ignored + voltage.ignored + odometer.ignored
    }

    /// A vehicle stands below that, m/s: 1 km/h, the step of OBD-II.
    private static let standsBelow = 1 / 3.6
    /// And moves again from that on.
    private static let movesFrom = 2 / 3.6
    /// How long the speed counts.
    package static let fresh = TimeSpan.seconds(2)
    /// How long a voltage counts, and how long after a frame the network sleeps.
    private static let (awake, asleep) = (TimeSpan.seconds(5), TimeSpan.seconds(10))
    /// With more than that behind the key switch the ignition is on, with less than the other off, V.
    private static let (keyOn, keyOff) = (6.0, 3.0)
    /// How often it is told.
    package static let interval = TimeSpan.seconds(1)

    package init(_ language: CANProtocol = .auto) { self.language = language }

    /// Takes a frame; false where it says nothing of ours.
    @discardableResult
    package mutating func take(_ frame: CANFrame, at now: Uptime) -> Bool {
        guard let (node, words) = frame.words(language) else { return false }
        lastFrame = now
        for word in words {
            switch word {
            case .speed(let value):
                if let before = speed.take(value, of: node, at: now) {
                    odometer.drive((before.value + value) / 2, for: now - before.at)
                }
            case .parkingBrake(let isSet): _ = brake.take(isSet ? 1 : 0, of: node, at: now)
            case .odometer(let metres, let step):
                odometer.take(metres, step: step, of: node, at: now)
            case .keyVoltage(let value): _ = voltage.take(value, of: node, at: now)
            }
        }
        noteStanding(at: now)
        return true
    }

    private mutating func noteStanding(at now: Uptime) {
        guard let speed = speed(at: now) else { return isStanding = nil }
        isStanding = speed < (isStanding == true ? Self.movesFrom : Self.standsBelow)
    }

    /// By the wheels; without them a vehicle whose parking brake is set has none.
    private func speed(at now: Uptime) -> Double? {
        if let value = speed.value(at: now, within: Self.fresh) { return value }
        return brake.value(at: now, within: Self.fresh) == 1 ? 0 : nil
    }

    /// The motion at that time; nil where it is not known.
    package func motion(at now: Uptime) -> BusMotion? {
        guard let speed = speed(at: now), let isStanding else { return nil }
        let shown = odometer.shown(at: now)
        return BusMotion(
            speed: speed, isStanding: isStanding, odometer: shown?.metres,
            odometerSource: shown.map { "\($0.node)" } ?? "")
    }

    /// The motion, where it is to be told: once a second, and at once when the vehicle stops or starts.
    package mutating func due(at now: Uptime) -> BusMotion? {
        guard let motion = motion(at: now) else { return nil }
        if let told, told.isStanding == motion.isStanding, now - told.at < Self.interval {
            return nil
        }
        told = (motion.isStanding, now)
        return motion
    }

    /// Whether the ignition is on: by the voltage behind the key switch, else by whether the network is
    /// awake, with a frame of ours in the last ten seconds; nil where neither is known.
    package func ignition(at now: Uptime) -> Bool? {
        guard let lastFrame else { return nil }
        if let volts = voltage.value(at: now, within: Self.awake) {
            return volts >= Self.keyOn ? true : volts < Self.keyOff ? false : nil
        }
        return now - lastFrame < Self.asleep
    }

    /// Whether a frame of ours has come within the last five seconds.
    package func isAwake(at now: Uptime) -> Bool {
        lastFrame.map { now - $0 <= Self.awake } ?? false
    }
}

/// A value that several nodes may send: the first is believed, until it has been silent for three
/// seconds; then the next that speaks.
private struct Believed: Sendable {
    private var node: CANNode?
    private var last: (value: Double, at: Uptime)?
    private(set) var ignored: UInt64 = 0

    private static let silence = TimeSpan.seconds(3)

    /// The value before, of the same node; nil where there is none, or this is not believed.
    mutating func take(
        _ value: Double, of node: CANNode, at now: Uptime
    ) -> (value: Double, at: Uptime)? {
        if let last, let believed = self.node, believed != node {
            guard now - last.at > Self.silence else {
                ignored += 1
                return nil
            }
            self.last = nil
        }
        let before = last
        self.node = node
        last = (value, now)
        return before
    }

    func value(at now: Uptime, within span: TimeSpan) -> Double? {
        guard let last, now - last.at <= span else { return nil }
        return last.value
    }
}
