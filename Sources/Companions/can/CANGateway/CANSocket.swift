import CCAN
import Glibc
import Systemd
import VehicleBus

// Unsafe: the functions of the shim get a name as a C string, an array with its own count, and a frame
// of ours to fill, which they do not keep.

/// A raw socket of an interface, which hears what the vehicle says of its motion, and nothing else.
@MainActor
final class CANSocket {
    /// What was read.
    enum Reading {
        case frame(CANFrame)
        /// The controller has taken itself off the bus after too many errors, or is back.
        case busOff(Bool)
        /// One that says nothing here.
        case other
    }

    private let descriptor: Int32
    private var source: IOSource?

    /// Frames that are read before the loop has its turn again: a flood must not keep it from anything.
    private static let mostAtOnce = 256

    /// Calls `handler` when there is something to read.
    /// - Throws: ENODEV without the interface, ENETDOWN where it is down.
    init(
        _ loop: EventLoop, interface: String, _ language: CANProtocol,
        handler: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        let choices = Self.choices(language)
        let result = unsafe can_attach(interface, choices, Int32(choices.count))
        guard result >= 0 else {
            throw SystemError(operation: "listening to \(interface)", errno: -result)
        }
        descriptor = result
        source = try IOSource(loop, descriptor: result, events: .readable) { _ in handler() }
    }

    deinit { close(descriptor) }

    /// The kernel passes these on, and keeps the rest of the traffic away.
    private static func choices(_ language: CANProtocol) -> [can_choice] {
        var choices: [can_choice] = []
        if language != .obd2 {
            // Any priority, any source address.
            choices += CANFrame.groups.map {
                can_choice(id: $0 << 8, mask: 0x03FF_FF00, is_extended: 1)
            }
        }
        if language != .j1939 {
            choices.append(
                can_choice(id: CANFrame.answers.lowerBound, mask: 0x7F8, is_extended: 0))
            choices.append(
                can_choice(id: CANFrame.longAnswer, mask: 0x1FFF_FF00, is_extended: 1))
        }
        return choices
    }

    /// What has arrived, in order.
    /// - Throws: what has ended the socket; the interface is down, or gone.
    func read(_ take: (Reading) -> Void) throws(SystemError) {
        var word = can_word()
        for _ in 0..<Self.mostAtOnce {
            let result = unsafe can_next(descriptor, &word)
            guard result >= 0 else { throw SystemError(operation: "reading", errno: -result) }
            guard result > 0 else { return }
            take(Self.reading(word))
        }
    }

    private static func reading(_ word: can_word) -> Reading {
        if word.error != 0 {
            if word.error & can_bus_off != 0 { return .busOff(true) }
            return word.error & can_restarted != 0 ? .busOff(false) : .other
        }
        guard word.is_remote == 0 else { return .other }
        let (a, b, c, d, e, f, g, h) = word.data
        let bytes = [a, b, c, d, e, f, g, h].prefix(Int(word.count))
        return CANFrame(id: word.id, isExtended: word.is_extended != 0, bytes).map { .frame($0) }
            ?? .other
    }

    /// Sends a frame of 11 bits; what the network does not take is lost, and asked for again.
    func send(_ frame: CANFrame) {
        _ = can_send(descriptor, frame.id, frame.data)
    }
}
