package import Bytes
package import Model

// How the values of approaches are written, each beside how it is read.

extension ByteWriter {
    mutating func write(_ progress: ApproachProgress) {
        write(progress.bestLeg) { $0.write(Int64($1)) }
        write(progress.place) { writer, place in
            writer.write(Int64(place.leg))
            writer.write(place.toGo)
            writer.write(place.speed)
        }
        write(progress.run) { writer, run in
            writer.write(Int64(run.fixes))
            writer.write(run.way)
            writer.write(run.firstToGo)
            writer.write(Int64(run.bestFixes))
            writer.write(run.beganBeyond)
            writer.write(run.hasMissed)
        }
        write(progress.isConfirmed)
        write(Int64(progress.offFixes))
        write(progress.offWay)
        var left: Double?
        if case .reached(let way) = progress.section { left = way }
        write(left) { $0.write($1) }
        write(progress.stage) { $0.write($1.rawValue) }
        write(progress.began) { $0.write($1) }
        write(progress.origin) { $0.write($1.rawValue) }
    }

    mutating func write(_ announcer: Announcer) {
        write(announcer.hushes) { writer, hush in
            writer.write(hush.fence.id)
            writer.write(hush.until)
        }
        write(announcer.lastGroup) { $0.write($1) }
    }

    mutating func write(_ vehicle: Vehicle) {
        write(vehicle.profile)
        for kind in Limits.Kind.allCases { write(vehicle[kind]) { $0.write($1) } }
        write(vehicle.setBy)
        write(vehicle.setAt) { $0.write($1) }
        write(vehicle.confirmedAt) { $0.write($1) }
    }
}

extension ByteReader {
    /// A case of an enumeration by its number.
    mutating func readCase<T: RawRepresentable>(_ type: T.Type = T.self) throws -> T
    where T.RawValue == UInt8 {
        guard let value = T(rawValue: try read()) else { throw DamagedRecord() }
        return value
    }

    mutating func readInt() throws -> Int { Int(try read(Int64.self)) }

    mutating func readProgress() throws -> ApproachProgress {
        var progress = ApproachProgress()
        progress.bestLeg = try readOptional { try $0.readInt() }
        progress.place = try readOptional { reader in
            ApproachProgress.Place(
                leg: try reader.readInt(), toGo: try reader.readDouble(),
                speed: try reader.readDouble())
        }
        progress.run = try readOptional { reader in
            let fixes = try reader.readInt()
            var run = ApproachProgress.Run(firstToGo: 0)
            run.fixes = fixes
            run.way = try reader.readDouble()
            run.firstToGo = try reader.readDouble()
            run.bestFixes = try reader.readInt()
            run.beganBeyond = try reader.readBool()
            run.hasMissed = try reader.readBool()
            return run
        }
        progress.isConfirmed = try readBool()
        progress.offFixes = try readInt()
        progress.offWay = try readDouble()
        if let left = try readOptional({ try $0.readDouble() }) {
            progress.section = .reached(left: left)
        }
        progress.stage = try readOptional { try $0.readCase() }
        progress.began = try readOptional { try $0.readTime() }
        progress.origin = try readOptional { try $0.readReason() }
        return progress
    }

    mutating func readAnnouncer() throws -> Announcer {
        var announcer = Announcer()
        announcer.hushes = try readList { reader in
            Announcer.Hush(
                fence: FenceKey(try reader.readString()), until: try reader.readTime())
        }
        announcer.lastGroup = try readOptional { try $0.readTime() }
        return announcer
    }

    mutating func readVehicle() throws -> Vehicle {
        var vehicle = Vehicle()
        vehicle.profile = try readString()
        for kind in Limits.Kind.allCases {
            vehicle[kind] = try readOptional { try $0.readDouble() }
        }
        vehicle.setBy = try readString()
        vehicle.setAt = try readOptional { try $0.readTime() }
        vehicle.confirmedAt = try readOptional { try $0.readTime() }
        return vehicle
    }
}

extension ApproachDetails: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(kind.rawValue)
        writer.write(limit) { $0.write($1) }
        writer.write(sign)
        writer.write(basis.rawValue)
        writer.write(date)
        writer.write(source)
        writer.write(condition)
        writer.write(isDoubtful)
        writer.write(vehicle)
        writer.write(certainty.rawValue)
        writer.write(margin)
        writer.write(shortBy) { $0.write($1) }
        writer.write(toGo)
        writer.write(toGoTime) { $0.write($1) }
        writer.write(toEscape) { $0.write($1) }
        writer.write(escape) { writer, escape in
            writer.write(escape.road)
            writer.write(escape.side) { $0.write($1.rawValue) }
        }
        writer.write(road)
        writer.write(chance) { $0.write($1) }
        writer.write(way.rawValue)
        writer.write(group) { $0.write($1) }
    }

    package init(from reader: inout ByteReader) throws {
        self.init(
            kind: try reader.readCase(), limit: try reader.readOptional { try $0.readDouble() },
            sign: try reader.readString(), basis: try reader.readCase(),
            date: try reader.readString(), source: try reader.readString(),
            condition: try reader.readString(), isDoubtful: try reader.readBool(),
            vehicle: try reader.readDouble(), certainty: try reader.readCase(),
            margin: try reader.readDouble(),
            shortBy: try reader.readOptional { try $0.readDouble() },
            toGo: try reader.readDouble(),
            toGoTime: try reader.readOptional { try $0.readDouble() },
            toEscape: try reader.readOptional { try $0.readDouble() },
            escape: try reader.readOptional { reader in
                Approach.Escape(
                    road: try reader.readString(),
                    side: try reader.readOptional { try $0.readCase() })
            }, road: try reader.readString(),
            chance: try reader.readOptional { try $0.readDouble() },
            way: try reader.readCase(), group: try reader.readOptional { try $0.read() })
    }
}
