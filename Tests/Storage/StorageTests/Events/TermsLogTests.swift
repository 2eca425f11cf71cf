import EngineTestKit
import Geodesy
import Law
import Model
import Storage
import Testing
import Time

@Suite("terms and parking in the log")
struct TermsLogTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func open() throws -> Store {
        try Store(directory: scratch.path, bootID: nil)
    }

    @Test("the details of an event, and the state of a stay, are read back from disk")
    func kept() throws {
        var told = event(1, .overspeedEnd)
        var details = TermsDetails()
        details.speedLimit = 50
        details.speedUnit = "mph"
        details.highestSpeed = 71.5
        details.length = .seconds(12.5)
        told.terms = details
        var left = event(2, .exit)
        left.terms = TermsDetails()
        left.terms?.stopped = false
        var stay = OpenStay(
            fence: "a", added: 3, began: UTCTime(nanoseconds: 7), dwellTold: false)
        var watch = StayWatch()
        watch.isUnseen = true
        watch.overstayTold = true
        stay.watch = watch
        let record = EventRecord(
            events: [told, left], opened: [stay], closed: [], known: 1, positionLost: false)
        #expect(EventRecord(bytes: record.bytes)?.bytes == record.bytes)
        _ = try open().commit(record)
        #expect(try open().log.events(after: 0, limit: 9).map(\.event) == [told, left])
        #expect(try open().log.openStays() == [stay])
    }

    @Test("the ignition and the place of a parked vehicle are those of the last commit")
    func parking() throws {
        #expect(try open().log.vehicle() == nil)
        var parking = Parking()
        parking.ignition = false
        parking.place = Parking.Place(
            coordinate: Coordinate(latitude: 48, longitude: 11), error: 5,
            time: UTCTime(nanoseconds: 9))
        var next = record([])
        let vehicle = VehicleRecord(parking: parking)
        next.vehicle = vehicle
        #expect(EventRecord(bytes: next.bytes)?.vehicle == vehicle)
        _ = try open().commit(next)
        _ = try open().commit(record([event(1)]))
        #expect(try open().log.vehicle() == vehicle)
    }

    @Test("a fence that has ended is marked with its exit, and removed whatever its origin")
    func spent() throws {
        let store = try open()
        _ = try store.apply(upserts: [try circle("a", 1, 2)], origin: .named("source/x"))
        _ = try store.apply(upserts: [try circle("b", 1, 2)])
        let a = SpentFence(fence: "a", added: 1)
        let gone = SpentFence(fence: "gone", added: 1)
        var over = record([event(1, .exit)])
        over.spent = [a, gone]
        #expect(EventRecord(bytes: over.bytes)?.spent == over.spent)
        _ = try store.commit(over)
        let again = try open()
        #expect(try again.log.spentFences() == [a, gone])
        try again.retire([a, gone])
        #expect(try again.catalogue.fence(id: "a") == nil)
        #expect(try again.catalogue.fence(id: "b") != nil)
        #expect(try again.log.spentFences().isEmpty)
    }

    @Test("a fence with that id that was added later is another one")
    func another() throws {
        let store = try open()
        _ = try store.apply(upserts: [try circle("a", 1, 2)])
        _ = try store.apply(upserts: [], removing: ["a"])
        _ = try store.apply(upserts: [try circle("a", 1, 2)])
        try store.retire([SpentFence(fence: "a", added: 1)])
        #expect(try store.catalogue.fence(id: "a") != nil)
    }
}
