package import Bytes
import Geodesy
package import Model
package import Time

/// The engine's state beyond the store: with it, a process that was killed goes on as if nothing
/// had happened. Valid for one boot, for its times are monotonic.
///
/// The areas of the regions are not in it: they are the store's.
package struct EngineCheckpoint: Hashable, Sendable {
    /// Raised with every change of the layout, which appends to all of it and changes nothing: of a
    /// later version what is known is read, see `2026-11-24-older-programs-read-on.md`.
    static let version: UInt32 = 10
    /// The first that is read: without approaches.
    static let firstVersion: UInt32 = 2

    struct Region: Hashable, Sendable {
        var id: String
        var added: Generation
        var machine: RegionMonitor.Machine
        var lastDistance: Double?
        var isTouched: Bool
        /// Appended after the rest, as the next one: older versions do not have it.
        var watch: StayWatch?
        var way: StayWay?
        var arrival: Arrival?
    }

    struct Pending: Hashable, Sendable {
        var fix: Fix
        var newPath: EventReason?
    }

    /// Was taken after all the rest was written, and was uneventful: see
    /// ``Tracker/Outcome/isUneventful``.
    package struct Report: Hashable, Sendable {
        /// What the source reported.
        package var report: PositionReport
        /// When it arrived.
        package var arrival: Uptime

        package init(_ report: PositionReport, at arrival: Uptime) {
            self.report = report
            self.arrival = arrival
        }
    }

    fileprivate var inputs: UInt64
    var gates: Gates
    var marks: [Motion.Mark]
    var anchor: Coordinate
    var metafenceRadius: Double?
    var regions: [Region]
    var known: Generation
    var isPositionLost: Bool
    var isRestarted: Bool
    var heartbeat: Heartbeat
    /// Accepted fixes that the store has yet to be asked for.
    var pending: [Pending]
    var announcer = Announcer()
    /// Older than terms: moving.
    var standing = Standstill()
    /// Older than terms: none.
    var spent: Set<SpentFence> = []
    /// Older than terms: nothing is known.
    var parking = Parking()
    var rest = Rest()
    /// Older: every position is believed.
    var trust = Trust()
    /// Older: nothing was counted.
    var odometer = Odometer()
    /// Nil in a checkpoint of before approaches: that of the settings.
    var vehicle: Vehicle?
    /// Older than beacons: empty.
    var beacons = BeaconCheckpoint()
    /// Oldest first. Not among the bytes: they are kept beside them.
    package var reports: [Report] = []

    /// How many inputs the engine had taken: of two checkpoints the greater is the later.
    package var age: UInt64 { inputs + UInt64(reports.count) }

    /// Ids of the fences whose entries are needed to go on.
    package var fenceIDs: [String] { regions.map(\.id) }
}

extension Engine {
    /// Not before the first accepted fix.
    package var hasCheckpoint: Bool { window != nil && gates.last != nil }

    /// Nil where ``hasCheckpoint`` is false.
    package var checkpoint: EngineCheckpoint? {
        checkpointBytes.flatMap { EngineCheckpoint(bytes: $0) }
    }

    /// ``checkpoint`` as bytes.
    package var checkpointBytes: [UInt8]? {
        guard hasCheckpoint else { return nil }
        return ByteWriter.bytes { writeCheckpoint(to: &$0) }
    }

    /// Writes ``checkpointBytes``, where there are any.
    package func writeCheckpoint(to writer: inout ByteWriter) {
        guard let window else { return }
        writer.write(EngineCheckpoint.version)
        writer.write(age)
        writer.write(gates)
        writer.write(motion.marks) { writer, mark in
            writer.write(mark.fix)
            writer.write(mark.isMoving) { $0.write($1) }
        }
        writer.write(window.anchor.coordinate)
        writer.write(window.metafenceRadius) { $0.write($1) }
        writer.write(window.regions)
        writer.write(known)
        writer.write(isPositionLost)
        writer.write(isRestarted)
        writer.write(heartbeat.point?.coordinate) { $0.write($1) }
        writer.write(heartbeat.lastRecenter) { $0.write($1) }
        writer.write(heartbeat.isOverdue)
        let pending = works.compactMap { work -> EngineCheckpoint.Pending? in
            guard case .judge(let fix, _, let newPath) = work else { return nil }
            return EngineCheckpoint.Pending(fix: fix, newPath: newPath)
        }
        writer.write(pending) { writer, pending in
            writer.write(pending.fix)
            writer.write(pending.newPath) { $0.write($1.rawValue) }
        }
        writer.write(announcer)
        writer.write(approaches.vehicle)
        writer.write(beacons.memory)
        let watched = window.regions.indices.filter { window.regions[$0].isWatched }
        writer.write(watched) { writer, index in
            writer.write(Int64(index))
            writer.write(window.regions[index].watch) { $0.write($1) }
        }
        writer.write(standing)
        writer.write(spent.sorted { $0.added < $1.added }) { $0.write($1) }
        writer.write(parking)
        writer.write(rest)
        writer.write(parking.row) { $0.write($1) }
        writer.write(trust)
        writer.write(odometer)
        let counting = window.regions.indices.filter { window.regions[$0].way != nil }
        writer.write(counting) { writer, index in
            writer.write(Int64(index))
            writer.write(window.regions[index].way) { $0.write($1) }
        }
        let followed = window.regions.indices.filter { window.regions[$0].arrival != nil }
        writer.write(followed) { writer, index in
            writer.write(Int64(index))
            writer.write(window.regions[index].arrival) { $0.write($1) }
        }
        writer.write(parking.trip) { writer, trip in
            writer.writeSection { $0.write(trip) }
            writer.write(trip.seen) { $0.write($1) }
        }
    }

    /// Goes on from `checkpoint`; `entries` are those of ``EngineCheckpoint/fenceIDs`` and of
    /// `stays` that still exist, `stays` are the open stays of the store, `beacons` the regions of
    /// the catalogue, `route` is the one that counts. A stay of which the checkpoint knows nothing
    /// (its fence was left out) goes on as after a power cut.
    package init(
        settings: EngineSettings, generation: Generation, checkpoint: EngineCheckpoint,
        entries: [CatalogueEntry], stays: [OpenStay], beacons beaconRegions: [BeaconRegion] = [],
        route: FollowedRoute? = nil
    ) {
        self.init(
            settings: settings, generation: checkpoint.known, known: checkpoint.known,
            isPositionLost: checkpoint.isPositionLost)
        let present = entries.byKey
        age = checkpoint.inputs
        gates = checkpoint.gates
        gates.settings = settings.gates
        motion = Motion(marks: checkpoint.marks)
        isRestarted = checkpoint.isRestarted
        heartbeat = checkpoint.heartbeat
        announcer = checkpoint.announcer
        standing = checkpoint.standing
        spent = checkpoint.spent
        parking = checkpoint.parking
        rest = checkpoint.rest
        trust = checkpoint.trust
        odometer = checkpoint.odometer
        if let vehicle = checkpoint.vehicle { approaches.vehicle = vehicle }
        let regions = checkpoint.regions.compactMap { region -> RegionMonitor? in
            guard let entry = present[FenceKey(region.id)], entry.isOne(added: region.added) else {
                return nil
            }
            var monitor = RegionMonitor(
                entry, region.machine.fitting(entry), lastDistance: region.lastDistance)
            monitor.isTouched = region.isTouched
            monitor.watch = region.watch
            monitor.way = region.way
            monitor.arrival = region.arrival
            return monitor
        }
        window = Window(
            anchor: SurfacePoint(checkpoint.anchor), metafenceRadius: checkpoint.metafenceRadius,
            regions: regions)
        works = checkpoint.pending.map {
            .judge($0.fix, SurfacePoint($0.fix.coordinate), newPath: $0.newPath)
        }
        beacons.resume(checkpoint.beacons.memory(beaconRegions))
        let followed = Set(
            regions.map(\.key) + beacons.openStays(beaconClock).map { FenceKey($0.fence) })
        let resumed = resumed(stays.filter { !followed.contains(FenceKey($0.fence)) }, present)
        window?.regions += resumed
        set(route)
        noteRegionsDue()
        handleAgain(checkpoint.reports)
        self.generation = generation
    }

    /// Takes again what was uneventful. With other settings, or in another version, it may not be;
    /// then it is as if the report had not come: whatever the vehicle crossed, the path from the
    /// one before it to the next will have crossed too.
    private mutating func handleAgain(_ reports: [EngineCheckpoint.Report]) {
        for report in reports {
            var next = self
            let directives = next.handle(.report(report.report), at: report.arrival)
            guard next.isUneventful(directives) else { return }
            self = next
        }
    }
}

// MARK: - Bytes

extension EngineCheckpoint {
    package init?(bytes: [UInt8]) {
        guard let checkpoint = bytes.withByteView({ Self(bytes: $0) }) else { return nil }
        self = checkpoint
    }

    /// Nil where the bytes are not a checkpoint. What a later version writes behind is ignored.
    package init?(bytes: ByteView) {
        var reader = ByteReader(bytes)
        let version: UInt32
        do {
            version = try reader.read(UInt32.self)
            guard version >= Self.firstVersion else { return nil }
            inputs = try reader.read()
            gates = try reader.readGates()
            marks = try reader.readList { reader in
                let fix = try reader.readFix()
                return Motion.Mark(
                    fix: fix, point: SurfacePoint(fix.coordinate),
                    isMoving: try reader.readOptional { try $0.readBool() })
            }
            anchor = try reader.readCoordinate()
            metafenceRadius = try reader.readOptional { try $0.readDouble() }
            regions = try reader.readList { try $0.readRegion() }
            known = try reader.read()
            isPositionLost = try reader.readBool()
            isRestarted = try reader.readBool()
            heartbeat = Heartbeat(
                point: try reader.readOptional { SurfacePoint(try $0.readCoordinate()) },
                lastRecenter: try reader.readOptional { try $0.readUptime() },
                isOverdue: try reader.readBool())
            pending = try reader.readList { reader in
                Pending(
                    fix: try reader.readFix(),
                    newPath: try reader.readOptional { try $0.readReason() })
            }
            if version > 2 {
                announcer = try reader.readAnnouncer()
                vehicle = try reader.readVehicle()
            }
            if version > 3 { beacons = try reader.readBeacons() }
            if version > 4 {
                try readWatches(&reader)
                standing = try reader.readStandstill()
                spent = Set(try reader.readList { try $0.readSpent() })
                parking = try reader.readParking()
                rest = try reader.readRest()
            }
            if version > 5 { parking.row = try reader.readOptional { try $0.readRow() } }
            if version > 6 {
                trust = try reader.readTrust()
                parking.doubted = trust.doubt?.old
            }
            if version > 7 {
                odometer = try reader.readOdometer()
                try readWays(&reader)
            }
            if version > 8 { try readArrivals(&reader) }
            if version > 9 {
                parking.trip = try reader.readOptional { reader in
                    var section = ByteReader(try reader.readSection())
                    var trip = try section.readTrip()
                    trip.seen = try reader.readOptional { try $0.readTime() }
                    return trip
                }
            }
        } catch {
            return nil
        }
        guard reader.isAtEnd || version > Self.version, gates.last != nil else { return nil }
    }

    /// The metres of the regions that count them, by index.
    private mutating func readWays(_ reader: inout ByteReader) throws {
        let ways = try reader.readList { reader in
            (index: try reader.readInt(), way: try reader.readOptional { try $0.readStayWay() })
        }
        for (index, way) in ways {
            guard regions.indices.contains(index) else { throw DamagedRecord() }
            regions[index].way = way
        }
    }

    /// The ways to the regions that are followed, by index.
    private mutating func readArrivals(_ reader: inout ByteReader) throws {
        let arrivals = try reader.readList { reader in
            (index: try reader.readInt(), arrival: try reader.readOptional { try $0.readArrival() })
        }
        for (index, arrival) in arrivals {
            guard regions.indices.contains(index) else { throw DamagedRecord() }
            regions[index].arrival = arrival
        }
    }

    /// The watches of the regions that have one, by index.
    private mutating func readWatches(_ reader: inout ByteReader) throws {
        let watches = try reader.readList { reader in
            (index: try reader.readInt(), watch: try reader.readOptional { try $0.readWatch() })
        }
        for (index, watch) in watches {
            guard regions.indices.contains(index) else { throw DamagedRecord() }
            regions[index].watch = watch
        }
    }
}
