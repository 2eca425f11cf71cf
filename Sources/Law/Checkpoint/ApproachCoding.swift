import Bytes
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

    mutating func write(_ details: ApproachDetails) {
        write(details.kind.rawValue)
        write(details.limit) { $0.write($1) }
        write(details.sign)
        write(details.basis.rawValue)
        write(details.date)
        write(details.source)
        write(details.condition)
        write(details.isDoubtful)
        write(details.vehicle)
        write(details.certainty.rawValue)
        write(details.margin)
        write(details.shortBy) { $0.write($1) }
        write(details.toGo)
        write(details.toGoTime) { $0.write($1) }
        write(details.toEscape) { $0.write($1) }
        write(details.escape) { writer, escape in
            writer.write(escape.road)
            writer.write(escape.side) { $0.write($1.rawValue) }
        }
        write(details.road)
        write(details.chance) { $0.write($1) }
        write(details.way.rawValue)
        write(details.group) { $0.write($1) }
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

    mutating func readDetails() throws -> ApproachDetails {
        ApproachDetails(
            kind: try readCase(), limit: try readOptional { try $0.readDouble() },
            sign: try readString(), basis: try readCase(), date: try readString(),
            source: try readString(), condition: try readString(), isDoubtful: try readBool(),
            vehicle: try readDouble(), certainty: try readCase(), margin: try readDouble(),
            shortBy: try readOptional { try $0.readDouble() }, toGo: try readDouble(),
            toGoTime: try readOptional { try $0.readDouble() },
            toEscape: try readOptional { try $0.readDouble() },
            escape: try readOptional { reader in
                Approach.Escape(
                    road: try reader.readString(),
                    side: try reader.readOptional { try $0.readCase() })
            }, road: try readString(), chance: try readOptional { try $0.readDouble() },
            way: try readCase(), group: try readOptional { try $0.read() })
    }
}

extension ApproachDetails {
    /// The details in their stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil where the bytes are damaged. What a later version writes behind is ignored.
    package init?(bytes: [UInt8]) {
        guard let details = ByteReader.value(of: bytes, { try $0.readDetails() }) else {
            return nil
        }
        self = details
    }
}
