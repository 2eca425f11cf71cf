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
    static let version: UInt32 = 11
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
    // Of a version that is older than one of these, as it is at the start.
    var gates: Gates
    var way: Way
    var anchor: Coordinate
    var metafenceRadius: Double?
    var regions: [Region]
    var known: Generation
    var reception: Reception
    var heartbeat: Heartbeat
    /// Accepted fixes that the store has yet to be asked for.
    var pending: StoreQueue
    var announcer = Announcer()
    var spent: Set<SpentFence> = []
    var parking = Parking()
    var trips = TripLaw()
    var trust = Trust()
    /// Nil in a checkpoint of before approaches: that of the settings.
    var vehicle: Vehicle?
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

    /// Writes ``checkpointBytes``, where there are any: each part at the place that it has had since the
    /// version that brought it.
    package func writeCheckpoint(to writer: inout ByteWriter) {
        guard let window else { return }
        let regions = window.regions
        writer.write(EngineCheckpoint.version)
        writer.write(age)
        writer.write(gates)
        writer.write(way.motion)
        writer.write(window.anchor.coordinate)
        writer.write(window.metafenceRadius) { $0.write($1) }
        writer.write(regions)
        writer.write(catalogue.known)
        writer.write(reception.isLost)
        writer.write(way.isRestarted)
        writer.write(self.regions.heartbeat)
        writer.write(queue)
        writer.write(approaches.announcer)
        writer.write(approaches.vehicle)
        writer.write(beacons.memory)
        writer.write(of: regions.indices, { regions[$0].isWatched ? regions[$0].watch : nil }) {
            $0.write($1)
        }
        writer.write(way.standing)
        writer.write(spent.sorted { $0.added < $1.added }) { $0.write($1) }
        writer.write(parking)
        writer.write(reception.isResting)
        writer.write(reception.restEnded) { $0.write($1) }
        writer.write(parking.row) { $0.write($1) }
        writer.write(trust)
        writer.write(way.odometer)
        writer.write(of: regions.indices, { regions[$0].way }) { $0.write($1) }
        writer.write(of: regions.indices, { regions[$0].arrival }) { $0.write($1) }
        writer.write(trips)
        writer.write(way.pace)
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
            isPositionLost: checkpoint.reception.isLost)
        let present = entries.byKey
        age = checkpoint.inputs
        gates = checkpoint.gates
        gates.settings = settings.gates
        way = checkpoint.way
        reception = checkpoint.reception
        regions.heartbeat = checkpoint.heartbeat
        approaches.announcer = checkpoint.announcer
        if let vehicle = checkpoint.vehicle { approaches.vehicle = vehicle }
        catalogue.spent = checkpoint.spent
        parking = checkpoint.parking
        trips = checkpoint.trips
        trust = checkpoint.trust
        queue = checkpoint.pending
        let monitors = checkpoint.regions.compactMap { region -> RegionMonitor? in
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
        regions.window = Window(
            anchor: SurfacePoint(checkpoint.anchor), metafenceRadius: checkpoint.metafenceRadius,
            regions: monitors)
        beacons.resume(checkpoint.beacons.memory(beaconRegions))
        let followed = Set(
            monitors.map(\.key) + beacons.openStays(beaconClock).map { FenceKey($0.fence) })
        regions.add(
            catalogue.resumed(
                stays.filter { !followed.contains(FenceKey($0.fence)) }, present,
                settings.crossing))
        set(route)
        handleAgain(checkpoint.reports)
        catalogue.generation = generation
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
            way = Way()
            way.motion = try reader.read()
            anchor = try reader.readCoordinate()
            metafenceRadius = try reader.readOptional { try $0.readDouble() }
            regions = try reader.readList { try $0.readRegion() }
            known = try reader.read()
            reception = Reception(isLost: try reader.readBool())
            way.isRestarted = try reader.readBool()
            heartbeat = try reader.read()
            pending = try reader.read()
            if version > 2 {
                announcer = try reader.readAnnouncer()
                vehicle = try reader.readVehicle()
            }
            if version > 3 { beacons = try reader.readBeacons() }
            if version > 4 {
                try reader.readParts(of: &regions, \.watch) { try $0.read() }
                way.standing = try reader.read()
                spent = Set(try reader.readList { try $0.readSpent() })
                parking = try reader.read()
                reception.isResting = try reader.readBool()
                reception.restEnded = try reader.readOptional { try $0.readUptime() }
            }
            if version > 5 { parking.row = try reader.readOptional { try $0.read() } }
            if version > 6 { trust = try reader.read() }
            if version > 7 {
                way.odometer = try reader.read()
                try reader.readParts(of: &regions, \.way) { try $0.read() }
            }
            if version > 8 {
                try reader.readParts(of: &regions, \.arrival) { try $0.read() }
            }
            if version > 9 { trips = try reader.read() }
            if version > 10 { way.pace = try reader.read() }
        } catch {
            return nil
        }
        guard reader.isAtEnd || version > Self.version, gates.last != nil else { return nil }
    }
}

// What few of the regions have, each with the index of its region.

extension ByteWriter {
    @inline(__always)
    fileprivate mutating func write<Part>(
        of regions: Range<Int>, _ part: (Int) -> Part?,
        _ body: (inout ByteWriter, Part) -> Void
    ) {
        let present = regions.compactMap { index in part(index).map { (index, $0) } }
        write(present) { writer, part in
            writer.write(Int64(part.0))
            writer.write(true)
            body(&writer, part.1)
        }
    }
}

extension ByteReader {
    fileprivate mutating func readParts<Part>(
        of regions: inout [EngineCheckpoint.Region],
        _ part: WritableKeyPath<EngineCheckpoint.Region, Part?>,
        _ body: (inout ByteReader) throws -> Part
    ) throws {
        let parts = try readList { reader in
            (index: try reader.readInt(), value: try reader.readOptional { try body(&$0) })
        }
        for (index, value) in parts {
            guard regions.indices.contains(index) else { throw DamagedRecord() }
            regions[index][keyPath: part] = value
        }
    }
}
