import EngineTestKit
import Law
import Model
import Schedules
import Storage
import Testing
import Time

@Suite("hours in the catalogue")
struct HoursTests {
    private func fence(_ id: String, _ active: String, _ zone: String = "") throws -> Fence {
        var fence = try circle(id, 1, 2)
        fence.terms.active = active
        fence.terms.timezone = zone
        return fence
    }

    @Test("a fence is loaded with its hours, in its zone or that of the machine")
    func read() throws {
        let scratch = try Scratch()
        let store = try Store(directory: scratch.path, bootID: nil)
        let files = ZoneFiles()
        let holidays = try Holidays("12-25")
        store.catalogue.keepHours(
            by: HourBook(files, zone: try files.zone(named: "Asia/Tokyo"), holidays: holidays))
        let text = "08:00-18:00; PH off"
        _ = try store.apply(upserts: [
            try fence("box", text), try fence("own", text, "Europe/Berlin"),
            try fence("always", ""),
        ])
        func hours(_ id: String) throws -> OpeningHours? {
            try store.entries(ids: [id]).first?.hours
        }
        let schedule = try Schedule(text)
        #expect(
            try hours("box")
                == OpeningHours(
                    schedule, in: try files.zone(named: "Asia/Tokyo"), holidays: holidays))
        #expect(
            try hours("own")
                == OpeningHours(
                    schedule, in: try files.zone(named: "Europe/Berlin"), holidays: holidays))
        #expect(try hours("always") == nil)
        store.catalogue.keepHours(by: HourBook(files, zone: .utc))
        #expect(try hours("box") == OpeningHours(schedule, in: .utc))
    }

    @Test("a zone that the system does not have is refused, with a batch and with an import")
    func refused() throws {
        let scratch = try Scratch()
        let store = try Store(directory: scratch.path, bootID: nil)
        let bad = try fence("bad", "", "Europe/Nowhere")
        let refusal = CatalogueRefusal(
            fence: "bad", reason: "timezone: \"Europe/Nowhere\" is no time zone of this system")
        #expect(throws: refusal) { try store.apply(upserts: [bad]) }
        let session = try store.beginImport(origin: .bus)
        #expect(throws: refusal) { try session.add(bad) }
        #expect(store.count == 0)
    }

    @Test("damaged terms give no fence and no crash: every byte changed")
    func damaged() throws {
        var fence = try fence("f", "Mo-Fr 08:00-18:00", "Europe/Berlin")
        fence.terms.speedLimit = 30
        fence.terms.stop = .seconds(60)
        fence.terms.expires = "2031-01-01T00:00:00Z"
        fence.terms.once = true
        let bytes = StoredFenceBytes.encode(fence)
        #expect(StoredFenceBytes.decode(bytes) == fence)
        for index in bytes.indices {
            for bit in 0..<8 as Range<UInt8> {
                var other = bytes
                other[index] ^= 1 << bit
                _ = StoredFenceBytes.decode(other)
            }
        }
    }
}
