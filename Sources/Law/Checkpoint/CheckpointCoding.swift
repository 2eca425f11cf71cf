package import Bytes
import Geodesy
import Model
import Time

// How the values of the engine are written, each beside how it is read.

extension ByteWriter {
    mutating func write(_ coordinate: Coordinate) {
        write(coordinate.latitude)
        write(coordinate.longitude)
    }

    /// Writes a report that came after the rest; ``ByteReader/readReport()`` reads it.
    package mutating func write(_ report: EngineCheckpoint.Report) {
        write(report.arrival)
        write(report.report.time) { $0.write($1) }
        write(report.report.hasFix)
        write(report.report.coordinate) { $0.write($1) }
        write(report.report.error) { $0.write($1) }
        write(report.report.speed) { $0.write($1) }
        write(report.report.course) { $0.write($1) }
        // Older versions ignore what follows, and write nothing here.
        guard report.report.jam > 0 || report.report.wheels != nil else { return }
        write(report.report.jam)
        write(report.report.wheels) { writer, wheels in
            writer.write(wheels.speed)
            writer.write(wheels.isStanding)
            writer.write(wheels.way) { $0.write($1) }
        }
    }

    mutating func write(_ fix: Fix) {
        write(fix.time)
        write(fix.arrival)
        write(fix.coordinate)
        write(fix.error)
        write(fix.speed) { $0.write($1) }
        write(fix.course) { $0.write($1) }
    }

    mutating func write(_ standing: Gates.Standing) {
        write(standing.fix)
        write(standing.positionSince)
    }

    mutating func write(_ gates: Gates) {
        write(gates.last) { $0.write($1) }
        // As one list, and how many of it are strays: once they were never both.
        write(gates.held + gates.strays) { $0.write($1) }
        write(UInt8(gates.strays.count))
        write(gates.delays.samples) { writer, sample in
            writer.write(sample.arrival)
            writer.write(sample.delay.nanoseconds)
        }
        write(Int64(gates.rebases))
        write(gates.counters.accepted)
        write(gates.counters.refused) { $0.write($1) }
    }

    mutating func write(_ settling: Settling) {
        write(settling.since)
        write(Int64(settling.fixes))
    }

    /// Which machine is not written where nothing is remembered: that follows from the fence.
    mutating func write(_ machine: RegionMonitor.Machine) {
        switch machine {
        case .crossing(.unknown), .approach(.unknown):
            write(UInt8(0))
        case .crossing(.outside(nil)), .approach(.away):
            write(UInt8(1))
        case .crossing(.outside(let pending?)):
            write(UInt8(2))
            write(pending.crossedIn)
            write(pending.run)
            write(pending.deepest)
            write(pending.hasFixInside)
            write(pending.settling) { $0.write($1) }
        case .crossing(.inside(let stay)):
            write(UInt8(3))
            write(stay.began)
            write(stay.proofBound)
            write(stay.crossedOut) { $0.write($1) }
            write(stay.settling) { $0.write($1) }
            write(stay.hasFixInside)
            write(stay.hasFixOutside)
            write(stay.dwellTold)
        case .approach(.near(let progress)):
            write(UInt8(4))
            write(progress)
        }
    }

    /// Of the entries only id and generation; the rest is in the store.
    mutating func write(_ regions: [RegionMonitor]) {
        write(UInt32(regions.count))
        // By its members: a region that is passed on is copied.
        for index in regions.indices {
            write(regions[index].entry.id)
            write(regions[index].entry.added)
            write(regions[index].machine)
            write(regions[index].lastDistance) { $0.write($1) }
            write(regions[index].isTouched)
        }
    }
}

extension ByteReader {
    mutating func readCoordinate() throws -> Coordinate {
        let coordinate = Coordinate(latitude: try readDouble(), longitude: try readDouble())
        guard coordinate.isValid else { throw DamagedRecord() }
        return coordinate
    }

    /// Reads to the end, a report that ``ByteWriter`` wrote; throws where it holds what no report can.
    package mutating func readReport() throws -> EngineCheckpoint.Report {
        let arrival = try readUptime()
        var report = PositionReport(
            time: try readOptional { try $0.readTime() }, hasFix: try readBool(),
            // As the source reported it: the gates have to see the same again.
            coordinate: try readOptional {
                Coordinate(latitude: try $0.readDouble(), longitude: try $0.readDouble())
            },
            error: try readOptional { try $0.readDouble() },
            speed: try readOptional { try $0.readDouble() },
            course: try readOptional { try $0.readDouble() })
        if !isAtEnd { report.jam = try read() }
        // What cannot be understood costs only itself: the step counts by the path.
        if !isAtEnd { report.wheels = (try? readOptional { try $0.readWheels() }) ?? nil }
        return EngineCheckpoint.Report(report, at: arrival)
    }

    private mutating func readWheels() throws -> WheelReading {
        let wheels = WheelReading(
            speed: try readDouble(), isStanding: try readBool(),
            way: try readOptional { try $0.readDouble() })
        guard wheels.speed >= 0, wheels.speed.isFinite,
            wheels.way.map({ $0 >= 0 && $0.isFinite }) != false
        else { throw DamagedRecord() }
        return wheels
    }

    mutating func readFix() throws -> Fix {
        Fix(
            time: try readTime(), arrival: try readUptime(), coordinate: try readCoordinate(),
            error: try readDouble(), speed: try readOptional { try $0.readDouble() },
            course: try readOptional { try $0.readDouble() })
    }

    mutating func readStanding() throws -> Gates.Standing {
        let fix = try readFix()
        var standing = Gates.Standing(fix, point: SurfacePoint(fix.coordinate), after: nil)
        standing.positionSince = try readTime()
        return standing
    }

    mutating func readGates() throws -> Gates {
        var gates = Gates(settings: GateSettings())
        gates.last = try readOptional { try $0.readStanding() }
        let doubted = try readList { try $0.readStanding() }
        let strays = Int(try read(UInt8.self))
        guard strays <= doubted.count else { throw DamagedRecord() }
        gates.held = Array(doubted.dropLast(strays))
        gates.strays = doubted.suffix(strays)
        gates.delays = LeastDelay(
            samples: try readList { reader in
                LeastDelay.Sample(
                    arrival: try reader.readUptime(),
                    delay: TimeSpan(nanoseconds: try reader.read()))
            })
        gates.rebases = Int(try read(Int64.self))
        gates.counters.accepted = try read()
        // A later version may refuse for more reasons.
        let refused: [UInt64] = try readList { try $0.read() }
        for (index, count) in refused.prefix(gates.counters.refused.count).enumerated() {
            gates.counters.refused[index] = count
        }
        return gates
    }

    mutating func readSettling() throws -> Settling {
        Settling(since: try readTime(), fixes: Int(try read(Int64.self)))
    }

    /// Of a region with an approach on which nothing is remembered, it is that of another fence.
    mutating func readMachine() throws -> RegionMonitor.Machine {
        switch try read(UInt8.self) {
        case 0:
            return .crossing(.unknown)
        case 1:
            return .crossing(.outside(nil))
        case 2:
            return .crossing(
                .outside(
                    PendingEnter(
                        crossedIn: try readTime(), run: try readDouble(),
                        deepest: try readDouble(), hasFixInside: try readBool(),
                        settling: try readOptional { try $0.readSettling() })))
        case 3:
            return .crossing(
                .inside(
                    Stay(
                        began: try readTime(), proofBound: try readDouble(),
                        crossedOut: try readOptional { try $0.readTime() },
                        settling: try readOptional { try $0.readSettling() },
                        hasFixInside: try readBool(), hasFixOutside: try readBool(),
                        dwellTold: try readBool())))
        case 4:
            return .approach(ApproachState(try readProgress()))
        default:
            throw DamagedRecord()
        }
    }

    mutating func readRegion() throws -> EngineCheckpoint.Region {
        EngineCheckpoint.Region(
            id: try readString(), added: try read(), machine: try readMachine(),
            lastDistance: try readOptional { try $0.readDouble() }, isTouched: try readBool())
    }

    mutating func readReason() throws -> EventReason {
        guard let reason = EventReason(rawValue: try read()) else { throw DamagedRecord() }
        return reason
    }
}
