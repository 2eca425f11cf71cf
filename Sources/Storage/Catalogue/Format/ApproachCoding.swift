import Bytes
import Geodesy
import Model

/// The approach of a fence as bytes, without its area, which is that of the fence. Version 1,
/// little-endian; [optional values] after a byte that says whether they are there:
///
///     UInt8 version
///     limits: UInt8 kinds; each: UInt8 kind, Float64; UInt8 kind without a number, UInt8 basis,
///             texts of the sign, date, source and condition, UInt8 doubtful
///     UInt8 0, UInt32 legs; each: Float64 to go, chance, [UInt32 next], [Float64 escape],
///             [Float64 to go, angle of the turn], UInt8 cut, text of the road,
///             [text of the road, [UInt8 side] of the escape]
///     or UInt8 1, [Float64 direction] of a cone
///     rivals: UInt32 lines; each: UInt32 positions; each: Float64 latitude, longitude
enum ApproachCoding {
    private static let version: UInt8 = 1

    static func encode(_ approach: Approach) -> [UInt8] {
        ByteWriter.bytes { writer in
            writer.write(version)
            writer.write(approach.limits)
            switch approach.course {
            case .legs(let legs):
                writer.write(UInt8(0))
                writer.write(legs) { $0.write($1) }
            case .cone(let direction):
                writer.write(UInt8(1))
                writer.write(direction) { $0.write($1) }
            }
            writer.write(approach.rivals) { writer, line in
                writer.write(line) { writer, position in
                    writer.write(position.latitude)
                    writer.write(position.longitude)
                }
            }
        }
    }

    /// What ``encode(_:)`` wrote; whether it fits its area is for the caller to check.
    static func decode(_ bytes: ByteView) throws(DamagedRecord) -> Approach {
        do {
            var reader = ByteReader(bytes)
            guard try reader.byte() == version else { throw DamagedRecord() }
            let limits = try reader.readLimits()
            let course: Approach.Course
            switch try reader.byte() {
            case 0:
                course = .legs(try reader.readList(ofAtLeast: 20) { try $0.readLeg() })
            case 1: course = .cone(direction: try reader.readOptional { try $0.readDouble() })
            default: throw DamagedRecord()
            }
            let rivals = try reader.readList(ofAtLeast: 4) { reader in
                try reader.readList(ofAtLeast: 16) { reader in
                    Coordinate(
                        latitude: try reader.readDouble(), longitude: try reader.readDouble())
                }
            }
            guard reader.isAtEnd else { throw DamagedRecord() }
            return Approach(limits: limits, course: course, rivals: rivals)
        } catch { throw DamagedRecord() }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ limits: Limits) {
        write(UInt8(limits.kinds.count))
        for kind in limits.kinds {
            write(kind.rawValue)
            write(limits[kind] ?? 0)
        }
        write(limits.unnumbered.rawValue)
        write(limits.basis.rawValue)
        write(limits.sign)
        write(limits.date)
        write(limits.source)
        write(limits.condition)
        write(limits.isDoubtful)
    }

    fileprivate mutating func write(_ leg: Approach.Leg) {
        write(leg.endToGo)
        write(leg.chance)
        write(leg.next) { $0.write(UInt32($1)) }
        write(leg.escapeToGo) { $0.write($1) }
        write(leg.turn) { writer, turn in
            writer.write(turn.toGo)
            writer.write(turn.angle)
        }
        write(leg.isCut)
        write(leg.road)
        write(leg.escape) { writer, escape in
            writer.write(escape.road)
            writer.write(escape.side) { $0.write($1.rawValue) }
        }
    }
}

extension ByteReader {
    private mutating func kind() throws -> Limits.Kind {
        guard let kind = Limits.Kind(rawValue: try byte()) else { throw DamagedRecord() }
        return kind
    }

    fileprivate mutating func readLimits() throws -> Limits {
        var numbers: [Limits.Kind: Double] = [:]
        for _ in 0..<(try byte()) { numbers[try kind()] = try readDouble() }
        let unnumbered = try kind()
        guard let basis = Limits.Basis(rawValue: try byte()) else { throw DamagedRecord() }
        return Limits(
            numbers, unnumbered: unnumbered, sign: try readString(), basis: basis,
            date: try readString(), source: try readString(), condition: try readString(),
            isDoubtful: try readBool())
    }

    fileprivate mutating func readLeg() throws -> Approach.Leg {
        Approach.Leg(
            endToGo: try readDouble(), chance: try readDouble(),
            next: try readOptional { Int(try $0.read(UInt32.self)) },
            escapeToGo: try readOptional { try $0.readDouble() },
            turn: try readOptional { reader in
                Approach.Turn(toGo: try reader.readDouble(), angle: try reader.readDouble())
            }, isCut: try readBool(), road: try readString(),
            escape: try readOptional { reader in
                Approach.Escape(
                    road: try reader.readString(),
                    side: try reader.readOptional { reader in
                        guard let side = Approach.Escape.Side(rawValue: try reader.byte()) else {
                            throw DamagedRecord()
                        }
                        return side
                    })
            })
    }
}
