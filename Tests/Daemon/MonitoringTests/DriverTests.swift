import Model
import Storage
import SystemTestKit
import Testing

@testable import Monitoring

@MainActor
@Suite("who drives")
struct DriverTests {
    private let bench = MonitoringBench()

    private func logged(_ service: MonitoringService) throws -> [LoggedEvent] {
        try service.events(after: 0, limit: 99).events
    }

    @Test("an event has the driver of when it was recorded, and is otherwise the same")
    func recorded() throws {
        let plain = MonitoringBench()
        var expected: [LoggedEvent] = []
        do {
            let service = try plain.start([TestSink("bus")])
            try plain.addFences(2, to: service)
            plain.drive(service, from: 0, to: 2500)
            expected = try logged(service)
            #expect(expected.map(\.driver) == [nil, nil, nil, nil])
        }
        let service = try bench.start([TestSink("bus")])
        try bench.addFences(2, to: service)
        bench.drive(service, from: 0, to: 1000)
        try service.setDriver("ada", at: bench.now)
        bench.drive(service, from: 1020, to: 2000)
        try service.setDriver(nil, at: bench.now)
        bench.drive(service, from: 2020, to: 2500)
        var found = try logged(service)
        #expect(found.map(\.driver) == [nil, "ada", "ada", nil])
        for index in found.indices {
            found[index].driver = nil
            found[index].event.driver = nil
        }
        #expect(found == expected)
    }

    @Test("an event that waits for the disk keeps its driver across a kill")
    func waiting() throws {
        do {
            let service = try bench.start([TestSink("bus")])
            try bench.addFences(1, to: service)
            try service.setDriver("ada", at: bench.now)
            bench.drive(service, from: 800, to: 880)
            let lock = try bench.lockLog()
            withExtendedLifetime(lock) {
                bench.drive(service, from: 900, to: 920)
                #expect(service.lastSeq == 0)
                #expect(throws: StoreError.self) { try service.setDriver("bob", at: bench.now) }
                #expect(service.driver?.id == "ada")
            }
        }
        let service = try bench.start([TestSink("bus")])
        try service.setDriver("bob", at: bench.now)
        bench.drive(service, from: 940, to: 1500)
        #expect(try logged(service).map(\.driver) == ["ada", "bob"])
    }

    @Test("what is no id is refused, and the driver is the one of before")
    func refused() throws {
        let service = try bench.start([TestSink("bus")])
        try service.setDriver(String(repeating: "ä", count: 64), at: bench.now)
        for id in [String(repeating: "ä", count: 65), "", "a\u{7}"] {
            #expect(throws: DriverRefusal.self) { try service.setDriver(id, at: bench.now) }
        }
        #expect(service.driver?.id.unicodeScalars.count == 64)
    }
}
