package import Bytes
import Geodesy
import Model
import Time

// A record that waits for the disk, as bytes: it waits in a file that survives a kill.
extension EventRecord {
    /// Raised with every change of the layout. Version 1 had no approaches, version 2 no evidence,
    /// version 3 no beacons, version 4 no terms, version 5 no doubt, version 7 no metres and no drivers,
    /// version 8 no arrivals, version 9 no trips.
    /// From version 7 on each event and stay, and each detail of an event, is a section: later versions
    /// append to these and to the record, and what is known of them is read.
    private static let version: UInt32 = 10

    /// The record in its stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { write(to: &$0) } }

    /// Writes ``bytes``.
    package func write(to writer: inout ByteWriter) {
        writer.write(Self.version)
        writer.write(events) { writer, event in writer.writeSection { $0.write(event) } }
        writer.write(opened) { writer, stay in writer.writeSection { $0.write(stay) } }
        writer.write(closed) { $0.write($1) }
        writer.write(known)
        writer.write(positionLost)
        writer.write(spent) { $0.write($1) }
        writer.write(vehicle?.parking) { writer, parking in
            writer.writeSection { $0.write(parking) }
        }
        writer.write(vehicle?.doubted) { $0.write($1) }
        writer.write(fencesLost) { $0.write($1) }
        writer.write(driven) { $0.write($1) }
        writer.write(vehicle?.trip) { writer, trip in writer.writeSection { $0.write(trip) } }
    }

    package init?(bytes: [UInt8]) {
        guard let record = bytes.withByteView({ Self(bytes: $0) }) else { return nil }
        self = record
    }

    /// Nil where the bytes are not a record. What a later version writes behind is ignored.
    package init?(bytes: ByteView) {
        var reader = ByteReader(bytes)
        let version: UInt32
        do {
            version = try reader.read(UInt32.self)
            guard version >= 1 else { return nil }
            self.init(
                events: try reader.readList { reader in
                    try reader.readPart(version) { try $0.readEvent(version) }
                },
                opened: try reader.readList { reader in
                    try reader.readPart(version) { try $0.readStay(version) }
                },
                closed: try reader.readList { try $0.readString() }, known: try reader.read(),
                positionLost: try reader.readBool())
            if version > 4 {
                spent = try reader.readList { try $0.readSpent() }
                vehicle = try reader.readDetail(version) { try $0.read(Parking.self) }
                    .map { VehicleRecord(parking: $0) }
                if version > 5 {
                    let doubted = try reader.readOptional { try $0.readFix() }
                    vehicle?.doubted = doubted
                }
                if version > 6 { fencesLost = try reader.readOptional { try $0.readBool() } }
                if version > 7 { driven = try reader.readOptional { try $0.read() } }
                if version > 9 {
                    let trip = try reader.readDetail(version) { try $0.read(Trip.self) }
                    vehicle?.trip = trip
                }
            }
        } catch {
            return nil
        }
        guard reader.isAtEnd || version > Self.version else { return nil }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ event: Event) {
        write(event.kind.rawValue)
        write(event.fence) { $0.write($1) }
        write(event.title)
        write(event.time)
        write(event.fixTime)
        write(event.presence) { $0.write($1.rawValue) }
        write(event.inferred)
        write(event.reasonNumber) { $0.write($1) }
        for value in [event.distance, event.error, event.speed, event.course] {
            write(value) { $0.write($1) }
        }
        write(event.coordinate) { $0.write($1) }
        write(event.stay) { $0.write($1.nanoseconds) }
        write(event.announced)
        write(event.metadata)
        write(event.approach) { writer, details in writer.writeSection { $0.write(details) } }
        write(event.evidence) { writer, evidence in writer.writeSection { $0.write(evidence) } }
        write(event.beacon) { writer, evidence in writer.writeSection { $0.write(evidence) } }
        write(event.terms) { writer, details in writer.writeSection { $0.write(details) } }
        write(event.odometer) { $0.write($1) }
        write(event.way) { writer, way in writer.writeSection { $0.write(way) } }
        write(event.driver) { $0.write($1) }
        write(event.trip) { writer, trip in writer.writeSection { $0.write(trip) } }
    }

    fileprivate mutating func write(_ stay: OpenStay) {
        write(stay.fence)
        write(stay.added)
        write(stay.began)
        write(stay.dwellTold)
        write(stay.stage) { $0.write($1.rawValue) }
        write(stay.manualUntil) { $0.write($1) }
        write(stay.watch) { writer, watch in writer.writeSection { $0.write(watch) } }
        write(stay.way) { writer, way in writer.writeSection { $0.write(way) } }
    }
}

extension ByteReader {
    /// A section, or what was there instead of it before version 7.
    fileprivate mutating func readPart<T>(
        _ version: UInt32, _ body: (inout ByteReader) throws -> T
    ) throws -> T {
        guard version > 6 else { return try body(&self) }
        var reader = ByteReader(try readSection())
        return try body(&reader)
    }

    /// A detail of an event or a stay. In a section, one that cannot be understood costs only itself.
    fileprivate mutating func readDetail<T>(
        _ version: UInt32, _ body: (inout ByteReader) throws -> T
    ) throws -> T? {
        let detail = try readOptional { reader -> T? in
            guard version > 6 else { return try body(&reader) }
            var section = ByteReader(try reader.readSection())
            return try? body(&section)
        }
        return detail ?? nil
    }

    fileprivate mutating func readEvent(_ version: UInt32) throws -> Event {
        var event = Event(
            kind: EventKind(rawValue: try read()), fence: try readOptional { try $0.readString() },
            title: try readString(),
            time: try readTime(), fixTime: try readTime(),
            presence: try readOptional { Presence(rawValue: try $0.read()) } ?? nil,
            inferred: try readBool())
        if let reason = try readOptional({ try $0.byte() }) { event.setReason(number: reason) }
        event.distance = try readOptional { try $0.readDouble() }
        event.error = try readOptional { try $0.readDouble() }
        event.speed = try readOptional { try $0.readDouble() }
        event.course = try readOptional { try $0.readDouble() }
        event.coordinate = try readOptional { try $0.readCoordinate() }
        event.stay = try readOptional { TimeSpan(nanoseconds: try $0.read()) }
        event.announced = try readBool()
        event.metadata = try readString()
        if version > 1 { event.approach = try readDetail(version) { try $0.read() } }
        if version > 2 { event.evidence = try readDetail(version) { try $0.read() } }
        if version > 3 { event.beacon = try readDetail(version) { try $0.read() } }
        if version > 4 {
            event.terms = try readDetail(version) {
                try $0.readTermsDetails(isWhole: version > 6)
            }
        }
        if version > 7 {
            event.odometer = try readOptional { try $0.readDouble() }
            event.way = try readDetail(version) { try $0.readWayDetails() }
            event.driver = try readOptional { try $0.read() }
        }
        if version > 9 { event.trip = try readDetail(version) { try $0.readTripDetails() } }
        return event
    }

    fileprivate mutating func readStay(_ version: UInt32) throws -> OpenStay {
        var stay = OpenStay(
            fence: try readString(), added: try read(), began: try readTime(),
            dwellTold: try readBool(),
            stage: version > 1
                ? try readOptional { ApproachStage(rawValue: try $0.read()) } ?? nil : nil,
            manualUntil: version > 3 ? try readOptional { try $0.readTime() } : nil)
        if version > 4 { stay.watch = try readDetail(version) { try $0.read() } }
        if version > 7 { stay.way = try readDetail(version) { try $0.read() } }
        return stay
    }
}

extension ByteWriter {
    mutating func write(_ spent: SpentFence) {
        write(spent.fence)
        write(spent.added)
    }
}

extension ByteReader {
    mutating func readSpent() throws -> SpentFence {
        SpentFence(fence: try readString(), added: try read())
    }
}
