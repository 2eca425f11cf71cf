/// One thing that a frame says of the vehicle.
enum CANWord: Hashable, Sendable {
    /// Of the wheels, m/s.
    case speed(Double)
    /// The parking brake is set.
    case parkingBrake(Bool)
    /// Metres, and in steps of how many.
    case odometer(Double, step: Double)
    /// Behind the key switch, volts.
    case keyVoltage(Double)
}

/// Who says it, in which message: of several nodes one is believed.
package struct CANNode: Hashable, Sendable, CustomStringConvertible {
    /// The parameter group of J1939, or the PID of OBD-II.
    let group: UInt32
    /// The source address of J1939, or the identifier of an answer of OBD-II.
    let address: UInt32

    /// `65217/EE`, `A6/7E8`.
    package var description: String {
        let group = group > 0xFF ? "\(group)" : String(group, radix: 16, uppercase: true)
        return "\(group)/\(String(address, radix: 16, uppercase: true))"
    }
}

/// The languages that are understood.
package enum CANProtocol: String, Sendable, CaseIterable {
    /// Either.
    case auto
    /// SAE J1939: trucks and buses, and what their FMS gateways pass on.
    case j1939
    /// Answers of mode 01 of OBD-II (SAE J1979, ISO 15765-4): cars.
    case obd2
}

extension CANFrame {
    /// What it says, and who says it; nil where that is nothing of ours.
    func words(_ language: CANProtocol) -> (node: CANNode, words: [CANWord])? {
        if isExtended, language != .obd2, let found = groupWords { return found }
        if language != .j1939, let found = answerWords { return found }
        return nil
    }

    // MARK: J1939, the application layer J1939-71

    /// Parameter groups that say something: the speed and the parking brake; the distance in steps of
    /// 5 m, and of 125 m; the voltages; the engine's speed, as a sign of life alone.
    package static let groups: [UInt32] = [65265, 65217, 65248, 65271, 61444]

    private var groupWords: (node: CANNode, words: [CANWord])? {
        // Of a group that is addressed, below 240, the low byte is the address; ours are above.
        let group = id >> 8 & 0x3_FFFF
        guard Self.groups.contains(group) else { return nil }
        var words: [CANWord] = []
        switch group {
        case 65265:
            // SPN 84, km/h / 256; from FB00 on it is an error, or not available.
            if let raw = low(1, bytes: 2), raw <= 0xFAFF {
                words.append(.speed(Double(raw) / 256 / 3.6))
            }
            // SPN 70: 0 not set, 1 set, 2 an error, 3 not available.
            if let byte = byte(0), byte >> 2 & 3 < 2 {
                words.append(.parkingBrake(byte >> 2 & 3 == 1))
            }
        case 65217:
            // SPN 917, 5 m.
            if let raw = low(0, bytes: 4), raw <= 0xFAFF_FFFF {
                words.append(.odometer(Double(raw) * 5, step: 5))
            }
        case 65248:
            // SPN 245, 0.125 km.
            if let raw = low(4, bytes: 4), raw <= 0xFAFF_FFFF {
                words.append(.odometer(Double(raw) * 125, step: 125))
            }
        case 65271:
            // SPN 158, 0.05 V.
            if let raw = low(6, bytes: 2), raw <= 0xFAFF {
                words.append(.keyVoltage(Double(raw) * 0.05))
            }
        default: break
        }
        return (CANNode(group: group, address: id & 0xFF), words)
    }

    // MARK: OBD-II

    /// The identifiers of answers, of 11 bits.
    package static let answers: ClosedRange<UInt32> = 0x7E8...0x7EF
    /// Those of 29 bits, whose last byte is any.
    package static let longAnswer: UInt32 = 0x18DA_F100

    /// A request for that parameter, to all: 11 bits.
    package static func request(_ parameter: UInt8) -> CANFrame? {
        CANFrame(id: 0x7DF, isExtended: false, [2, 1, parameter, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC])
    }

    /// What is asked for: the speed, and the odometer, which few cars have.
    package static let parameters: (speed: UInt8, engine: UInt8, odometer: UInt8) = (
        0x0D, 0x0C, 0xA6
    )

    private var answerWords: (node: CANNode, words: [CANWord])? {
        let isAnswer = isExtended ? id & 0x1FFF_FF00 == Self.longAnswer : Self.answers.contains(id)
        // A single frame: its length, 41, the parameter, its value.
        guard isAnswer, let length = byte(0), (3...7).contains(length), Int(length) < count,
            byte(1) == 0x41, let parameter = byte(2)
        else { return nil }
        var words: [CANWord] = []
        switch (parameter, length) {
        case (Self.parameters.speed, 3):
            if let raw = byte(3) { words.append(.speed(Double(raw) / 3.6)) }
        case (Self.parameters.odometer, 6):
            if let raw = high(3, bytes: 4) {
                words.append(.odometer(Double(raw) * 100, step: 100))
            }
        case (Self.parameters.engine, 4): break
        default: return nil
        }
        return (CANNode(group: UInt32(parameter), address: id), words)
    }
}
