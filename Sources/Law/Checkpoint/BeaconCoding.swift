import Bytes
import Model
import Time

// The coding of beacon values, each with its decoding beside it.

/// The memory of the beacon law, without the regions, which come from the store, and without the
/// state of the radio: a process that does not run does not listen.
struct BeaconCheckpoint: Hashable, Sendable {
    /// The memory of one region.
    struct Region: Hashable, Sendable {
        var id: String
        var added: Generation
        var pattern: BeaconPattern
        var since: Uptime
        var isKnown: Bool
        var stay: BeaconMonitor.Stay?
        var hearing: BeaconHearing?
        var level: BeaconLevel?
        var manual: BeaconMonitor.Manual?
    }

    var hasListened = false
    var isLost = false
    /// m
    var way = 0.0
    var regions: [Region] = []

    /// Restores the memory for unchanged `regions`; changed ones are new, and the memory of regions
    /// that no longer exist is dropped.
    func memory(_ regions: [BeaconRegion]) -> BeaconLaw.Memory {
        let known = Dictionary(self.regions.map { (FenceKey($0.id), $0) }) { a, _ in a }
        let sorted = regions.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        let monitors = sorted.prefix(BeaconRegion.most).map { region in
            var monitor = BeaconMonitor(region, since: .boot)
            guard let old = known[FenceKey(region.id)], old.added == region.added,
                old.pattern == region.rule.pattern
            else { return monitor }
            monitor.since = old.since
            monitor.isKnown = old.isKnown
            monitor.stay = old.stay
            monitor.hearing = old.hearing
            monitor.level = old.level
            monitor.manual = old.manual
            return monitor
        }
        return BeaconLaw.Memory(
            hasListened: hasListened, isLost: isLost, way: way, monitors: monitors)
    }
}

extension ByteWriter {
    mutating func write(_ memory: BeaconLaw.Memory) {
        write(memory.hasListened)
        write(memory.isLost)
        write(memory.way)
        write(memory.monitors) { writer, monitor in
            writer.write(monitor.region.id)
            writer.write(monitor.region.added)
            writer.write(monitor.region.rule.pattern)
            writer.write(monitor.since)
            writer.write(monitor.isKnown)
            writer.write(monitor.stay) { writer, stay in
                writer.write(stay.began)
                writer.write(stay.since)
                writer.write(stay.dwellTold)
            }
            writer.write(monitor.hearing) { $0.write($1) }
            writer.write(monitor.level) { writer, level in
                writer.write(level.level)
                writer.write(level.mean)
                writer.write(Int64(level.count))
                writer.write(level.time)
            }
            writer.write(monitor.manual) { writer, manual in
                writer.write(manual.isInside)
                writer.write(manual.until)
            }
        }
    }

    mutating func write(_ beacon: BeaconIdentity) { write(beacon.pattern) }

    private mutating func write(_ hearing: BeaconHearing) {
        write(hearing.beacon)
        write(hearing.first)
        write(hearing.firstWay)
        write(hearing.last)
        write(hearing.lastWay)
        write(UInt8(clamping: hearing.count))
        write(hearing.gap) { $0.write($1.nanoseconds) }
    }
}

extension ByteReader {
    mutating func readBeacons() throws -> BeaconCheckpoint {
        BeaconCheckpoint(
            hasListened: try readBool(), isLost: try readBool(), way: try readDouble(),
            regions: try readList { reader in
                BeaconCheckpoint.Region(
                    id: try reader.readString(), added: try reader.read(),
                    pattern: try reader.readPattern(), since: try reader.readUptime(),
                    isKnown: try reader.readBool(),
                    stay: try reader.readOptional { reader in
                        BeaconMonitor.Stay(
                            began: try reader.readTime(), since: try reader.readUptime(),
                            dwellTold: try reader.readBool())
                    }, hearing: try reader.readOptional { try $0.readHearing() },
                    level: try reader.readOptional { reader in
                        BeaconLevel(
                            level: try reader.readDouble(), mean: try reader.readDouble(),
                            count: max(try reader.readInt(), 1), time: try reader.readUptime())
                    },
                    manual: try reader.readOptional { reader in
                        BeaconMonitor.Manual(
                            isInside: try reader.readBool(), until: try reader.readUptime())
                    })
            })
    }

    mutating func readIdentity() throws -> BeaconIdentity {
        guard let beacon = try readPattern().identity else { throw DamagedRecord() }
        return beacon
    }

    private mutating func readHearing() throws -> BeaconHearing {
        let beacon = try readIdentity()
        let first = try readUptime()
        var hearing = BeaconHearing(beacon, at: first, way: try readDouble())
        hearing.last = try readUptime()
        hearing.lastWay = try readDouble()
        hearing.count = Int(try read(UInt8.self))
        hearing.gap = try readOptional { TimeSpan(nanoseconds: try $0.read()) }
        return hearing
    }
}
