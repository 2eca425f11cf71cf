import Geodesy
import Storage
import Testing
import Time

@testable import Law
@testable import Model

/// How things stand is not what a copy says of it.
@Suite("what a restored backup leaves as it is")
struct RestoredStateTests {
    private static func place(_ east: Double) -> Coordinate {
        Coordinate(latitude: 48, longitude: 11 + east / 74_600)
    }

    private static func time(_ second: Double) -> UTCTime {
        UTCTime(nanoseconds: 0) + .seconds(second)
    }

    /// The vehicle has driven so far, m, is parked there since then, s, and a trip and a stay of 10 m are
    /// open.
    private func stand(_ store: Store, _ metres: Double) throws {
        var began = OdometerReading()
        began.way = metres - 10
        var driven = began
        driven.way = metres
        driven.newPaths = UInt32(metres / 1_000)
        var record = record([event(metres)])
        var stay = OpenStay(fence: "a", added: 1, began: Self.time(metres), dwellTold: false)
        stay.way = StayWay(from: began, error: 5)
        record.opened = [stay]
        var parking = Parking()
        parking.ignition = false
        parking.place = .init(coordinate: Self.place(metres), error: 5, time: Self.time(metres))
        record.vehicle = VehicleRecord(
            parking: parking,
            trip: Trip(began: Self.time(metres), from: nil, way: StayWay(from: began, error: 5)))
        record.driven = driven
        _ = try store.commit(record)
        try store.log.save(
            LastPosition(
                coordinate: Self.place(metres), time: Self.time(metres), driven: driven))
        let line = [Self.place(metres), Self.place(metres + 1_000)].map(Route.rounded)
        let number = UInt64(metres)
        try store.log.setRoute(
            StoredRoute(
                number: number, name: "\(number)", setAt: Self.time(metres), isKept: true,
                positions: line,
                progress: RouteProgress(
                    number: number, deadline: Uptime(nanoseconds: 1), drivenBefore: metres,
                    asOf: Uptime(nanoseconds: 0))))
    }

    private func open(_ scratch: Scratch) throws -> Store {
        try Store(
            directory: scratch.path, bootID: "0123456789abcdef0123456789abcdef")
    }

    /// A backup of where the vehicle was after 5 km.
    private func backup() throws -> (Scratch, path: String) {
        let scratch = try Scratch()
        let store = try open(scratch)
        try stand(store, 5_000)
        for name in ["a", "gone"] {
            try store.log.register(Consumer(name: name, uid: 7, acknowledged: 0, options: ""))
        }
        let path = scratch.file("copy")
        _ = try StoreBackup.make(of: scratch.path, to: path)
        return (scratch, path)
    }

    @Test("on the same disk: place, trip, odometer, route, and how far each consumer has read")
    func same() throws {
        let (scratch, copy) = try backup()
        do {
            let store = try open(scratch)
            try stand(store, 90_000)
            try store.log.acknowledge(2, consumer: "a")
            try store.log.unregister("gone")
            try store.log.register(Consumer(name: "new", uid: 8, acknowledged: 1, options: "{}"))
        }
        _ = try StoreBackup.restore(copy, into: scratch.path)
        let store = try open(scratch)
        #expect(try store.log.events(after: 0, limit: 10).map(\.seq) == [1])
        let driven = try store.log.driven()
        #expect(driven.metres == 90_000 && driven.newPaths == 90)
        let vehicle = try #require(try store.log.vehicle())
        #expect(vehicle.parking.place?.coordinate == Self.place(90_000))
        #expect(vehicle.parking.ignition == false && vehicle.trip?.began == Self.time(90_000))
        #expect(vehicle.trip?.way.details(driven, error: 0).metres == 10)
        #expect(try store.log.openStays().first?.way?.details(driven, error: 0).metres == 10)
        #expect(try store.log.lastPosition()?.coordinate == Self.place(90_000))
        let route = try #require(try store.log.route())
        #expect(route.number == 90_000 && route.isOfThisBoot && route.positions.count == 2)
        #expect(try store.log.consumers().map(\.name) == ["a", "new"])
        #expect(try store.log.consumers().map(\.acknowledged) == [2, 1])
    }

    @Test("a route that was cleared since does not come back")
    func cleared() throws {
        let (scratch, copy) = try backup()
        do {
            let store = try open(scratch)
            var progress = try #require(try store.log.route()).progress
            progress.end = .cleared
            try store.log.noteRoute(progress)
        }
        _ = try StoreBackup.restore(copy, into: scratch.path)
        let route = try #require(try open(scratch).log.route())
        #expect(route.progress.end == .cleared && route.positions.isEmpty && route.name.isEmpty)
    }

    @Test("on another disk the odometer goes on, and nothing is believed of where the vehicle was")
    func other() throws {
        let (disk, copy) = try backup()
        defer { withExtendedLifetime(disk) {} }
        let empty = try Scratch()
        _ = try StoreBackup.restore(copy, into: empty.path)
        var store = try open(empty)
        #expect(try store.log.driven().metres == 5_000)
        var vehicle = try #require(try store.log.vehicle())
        #expect(vehicle.parking.place == nil && vehicle.parking.ignition == false)
        #expect(vehicle.trip == nil)
        #expect(try store.log.consumers().map(\.name) == ["a", "gone"])
        // One on which a vehicle has driven since it was put in.
        let used = try Scratch()
        try stand(try open(used), 2_000)
        _ = try StoreBackup.restore(copy, into: used.path)
        store = try open(used)
        let driven = try store.log.driven()
        #expect(driven.metres == 5_000)
        vehicle = try #require(try store.log.vehicle())
        #expect(vehicle.parking.place?.coordinate == Self.place(2_000))
        #expect(vehicle.trip?.way.details(driven, error: 0).metres == 10)
        #expect(try store.log.openStays().first?.way?.details(driven, error: 0).metres == 10)
        #expect(try store.log.consumers().map(\.acknowledged) == [0, 0])
    }

    /// A number of a backup that has no next one, or that nothing can show.
    struct EdgeNumber: CustomTestStringConvertible, Sendable {
        var file = "events"
        var sql: String
        var named: String
        var testDescription: String { sql }
    }

    @Test(
        "a backup with a number at the edge of its type is refused by name, and replaces nothing",
        arguments: [
            EdgeNumber(sql: "UPDATE state SET last = 9223372036854775807", named: "last number"),
            EdgeNumber(sql: "UPDATE state SET last = 1 << 60", named: "last number"),
            EdgeNumber(sql: "UPDATE state SET last = -1", named: "last number"),
            EdgeNumber(sql: "UPDATE state SET last = 9.3e18", named: "last number"),
            EdgeNumber(sql: "UPDATE state SET last = 'x'", named: "last number"),
            EdgeNumber(sql: "UPDATE event SET seq = 9223372036854775807", named: "an event"),
            EdgeNumber(sql: "UPDATE event SET seq = 0", named: "an event"),
            EdgeNumber(sql: "UPDATE state SET announced = 1 << 62", named: "was announced"),
            EdgeNumber(sql: "UPDATE state SET known = 9223372036854775807", named: "known"),
            EdgeNumber(sql: "UPDATE stay SET added = 9223372036854775807", named: "a stay"),
            EdgeNumber(sql: "UPDATE position SET latitude = 9e999", named: "last position"),
            EdgeNumber(sql: "UPDATE consumer SET acknowledged = -1", named: "a consumer"),
            EdgeNumber(sql: "INSERT INTO sink VALUES ('bus', 1 << 61)", named: "a sink"),
            EdgeNumber(sql: "INSERT INTO earlier VALUES (1 << 61, 'x')", named: "an earlier log"),
            EdgeNumber(
                sql: "INSERT INTO driver VALUES (1 << 62, 'jane', 0, NULL)", named: "a driver"),
            EdgeNumber(sql: "UPDATE route_state SET number = 1 << 62", named: "the route"),
            EdgeNumber(
                file: "catalogue", sql: "UPDATE state SET generation = 9223372036854775807",
                named: "the generation"),
            EdgeNumber(
                file: "catalogue", sql: "UPDATE state SET next = 9223372036854775807",
                named: "the next fence"),
            EdgeNumber(
                file: "catalogue", sql: "UPDATE origin SET generation = 1 << 61",
                named: "an origin"),
        ])
    func edge(_ edge: EdgeNumber) throws {
        let (scratch, copy) = try backup()
        try sqlite(
            "INSERT INTO origin (name, fences) VALUES ('bus/x', 0)", "\(copy)/catalogue.sqlite")
        try sqlite(edge.sql, "\(copy)/\(edge.file).sqlite")
        do { try stand(try open(scratch), 90_000) }
        let before = scratch.names
        let failure = #expect(throws: BackupFailure.self) {
            try StoreBackup.restore(copy, into: scratch.path)
        }
        #expect(failure?.reason.contains(edge.named) == true, "\(failure?.reason ?? "")")
        #expect(failure?.place == "\(copy)/\(edge.file).sqlite")
        #expect(scratch.names == before)
        let store = try open(scratch)
        #expect(store.setAside.isEmpty && store.log.lastSeq == 2)
        #expect(try store.log.driven().metres == 90_000)
    }

    @Test("an odometer that no vehicle shows is refused likewise, and the greatest number is none")
    func largest() throws {
        let (scratch, copy) = try backup()
        try sqlite("UPDATE state SET last = 1 << 53, announced = 1 << 53", "\(copy)/events.sqlite")
        _ = try StoreBackup.restore(copy, into: scratch.path)
        do {
            let store = try open(scratch)
            #expect(store.log.lastSeq == 1 << 53 && store.setAside.isEmpty)
            var absurd = OdometerReading()
            absurd.way = 1e200
            try store.log.save(
                LastPosition(coordinate: Self.place(0), time: Self.time(0), driven: absurd))
        }
        let failure = #expect(throws: BackupFailure.self) {
            try StoreBackup.make(of: scratch.path, to: scratch.file("again"))
        }
        #expect(failure?.reason.contains("odometer") == true)
    }
}
