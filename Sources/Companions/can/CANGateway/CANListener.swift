import Glibc
package import Systemd
import Time
package import VehicleBus

/// Listens to the interface as long as it lives, and waits for it where it is not there, is down, or
/// goes: each of these is a state with a name, and nothing to end for.
@MainActor
package final class CANListener {
    /// How the network is.
    package enum State: String, Sendable {
        /// There is no interface of that name.
        case noInterface = "no-interface"
        /// It is not up.
        case down
        /// It cannot be listened to, for another reason.
        case failed
        /// Its controller is off the bus: too many errors.
        case busOff = "bus-off"
        /// Nothing that is understood was said within the last seconds.
        case silent
        /// The vehicle speaks, but not of its speed.
        case noSpeed = "no-speed"
        case listening
    }

    /// What follows.
    package struct Hooks {
        /// The motion is to be told.
        package var moved: @MainActor (BusMotion) -> Void
        /// The ignition is on, off, or not known any more.
        package var ignition: @MainActor (Bool?) -> Void
        /// With a phrase for the log.
        package var state: @MainActor (State, String) -> Void

        package init(
            moved: @escaping @MainActor (BusMotion) -> Void,
            ignition: @escaping @MainActor (Bool?) -> Void,
            state: @escaping @MainActor (State, String) -> Void
        ) {
            self.moved = moved
            self.ignition = ignition
            self.state = state
        }
    }

    private let loop: EventLoop
    private let settings: CANSettings
    private let hooks: Hooks
    private var socket: CANSocket?
    private var decoder: VehicleDecoder
    private var isOff = false
    private var ignition: Bool??
    private var tick: TimerSource?
    private var retry: TimerSource?
    private var backOff = BackOff(limit: .seconds(10))
    private var asker = CANAsker()
    /// At present.
    package private(set) var state: State?
    /// Frames that said something.
    package private(set) var frames: UInt64 = 0
    /// Words of nodes that are not believed, because another one was first.
    package var ignored: UInt64 { ignoredBefore + decoder.ignored }
    /// Before the interface went.
    private var ignoredBefore: UInt64 = 0

    private static let beat = TimeSpan.seconds(1)

    /// Begins with the next turn of the loop.
    package init(
        _ loop: EventLoop, _ settings: CANSettings, _ hooks: Hooks
    ) throws(SystemError) {
        self.loop = loop
        self.settings = settings
        self.hooks = hooks
        decoder = VehicleDecoder(settings.language)
        tick = try TimerSource(loop, accuracy: .milliseconds(100)) { [weak self] in self?.beat() }
        retry = try TimerSource(loop, accuracy: .milliseconds(100)) { [weak self] in self?.open() }
        retry?.arm(at: EventLoop.uptime)
    }

    private func open() {
        do throws(SystemError) {
            socket = try CANSocket(loop, interface: settings.interface, settings.language) {
                [weak self] in self?.read()
            }
            backOff.succeed()
            isOff = false
            enter(.silent, "listening to \(settings.interface)")
            beat()
        } catch { lost(error) }
    }

    /// The interface is not there: what the vehicle said is over, and what its ignition is nobody knows.
    private func lost(_ error: SystemError) {
        socket = nil
        ignoredBefore = ignored
        decoder = VehicleDecoder(settings.language)
        tick?.disarm()
        let now = EventLoop.uptime
        backOff.fail(at: now)
        if let until = backOff.until { retry?.arm(at: until) }
        switch error.errno {
        case ENODEV, ENXIO: enter(.noInterface, "there is no \(settings.interface)")
        case ENETDOWN: enter(.down, "\(settings.interface) is down")
        default: enter(.failed, "\(error)")
        }
        noteIgnition(at: now)
    }

    private func read() {
        let now = EventLoop.uptime
        var hasSpoken = false
        do throws(SystemError) {
            try socket?.read { reading in
                switch reading {
                case .frame(let frame):
                    guard decoder.take(frame, at: now) else { return }
                    hasSpoken = true
                    frames += 1
                    if isOff { isOff = false }
                case .busOff(let isOff): self.isOff = isOff
                case .other: break
                }
            }
        } catch { return lost(error) }
        if hasSpoken {
            asker.heard(at: now)
            if let motion = decoder.due(at: now) { hooks.moved(motion) }
        }
        note(at: now)
        if hasSpoken, tick?.isEnabled != true { tick?.arm(at: now + Self.beat) }
    }

    /// Once a second while there is something to wait for; a network that sleeps costs nothing.
    private func beat() {
        let now = EventLoop.uptime
        note(at: now)
        if settings.requests, let socket, !isOff {
            for frame in asker.due(at: now) { socket.send(frame) }
        }
        let sleeps = state == .silent && decoder.ignition(at: now) != true
        if settings.requests || !sleeps { tick?.arm(at: now + Self.beat) }
    }

    private func note(at now: Uptime) {
        if isOff {
            enter(.busOff, "\(settings.interface) is off the bus: too many errors")
        } else if decoder.motion(at: now) != nil {
            enter(.listening, "the wheels are heard")
        } else if decoder.isAwake(at: now) {
            enter(.noSpeed, "the vehicle speaks, but not of its speed")
        } else {
            enter(.silent, "the network says nothing of the vehicle")
        }
        noteIgnition(at: now)
    }

    private func enter(_ new: State, _ why: String) {
        guard new != state else { return }
        state = new
        hooks.state(new, why)
    }

    private func noteIgnition(at now: Uptime) {
        // A controller that is off the bus hears nothing, whatever the vehicle says.
        let new = isOff || socket == nil ? nil : decoder.ignition(at: now)
        guard ignition != .some(new) else { return }
        ignition = .some(new)
        hooks.ignition(new)
    }
}

/// What a car is asked, and when: its speed once a second while it answers; else every 30 s, so that
/// a car that is parked can sleep.
struct CANAsker {
    private var lastAnswer: Uptime?
    private var lastAsked: [UInt8: Uptime] = [:]

    private static let patience = TimeSpan.seconds(10)
    private static let rest = TimeSpan.seconds(30)

    mutating func heard(at now: Uptime) { lastAnswer = now }

    mutating func due(at now: Uptime) -> [CANFrame] {
        let answers = lastAnswer.map { now - $0 <= Self.patience } ?? false
        let parameters = CANFrame.parameters
        let plan: [(UInt8, TimeSpan)] =
            answers
            ? [
                (parameters.speed, .milliseconds(900)), (parameters.odometer, .milliseconds(1900)),
                (parameters.engine, .milliseconds(4900)),
            ] : [(parameters.speed, Self.rest)]
        return plan.compactMap { parameter, every in
            if let last = lastAsked[parameter], now - last < every { return nil }
            lastAsked[parameter] = now
            return CANFrame.request(parameter)
        }
    }
}
