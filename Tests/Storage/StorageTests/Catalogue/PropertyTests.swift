import Engine
import EngineTestKit
import Formats
import FormatsTestKit
import Storage
import Testing

@Suite("properties in the catalogue")
struct PropertyTests {
    @Test("every property of the table is kept, alone and with all others, across a restart")
    func kept() throws {
        let scratch = try Scratch()
        var fences = [
            try circle("none", 1, 2), try circle("all", 1, 2).unusual(FenceProperty.fields),
        ]
        for property in FenceProperty.fields {
            fences.append(try circle("only \(property.name)", 1, 2).unusual([property]))
        }
        do {
            let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
            _ = try store.apply(upserts: fences)
        }
        let store = try SQLiteFenceStore(directory: scratch.path, bootID: nil)
        for fence in fences {
            let entry = try #require(try store.entries(ids: [fence.id]).first)
            #expect(entry.fence == fence, "\(fence.id)")
        }
    }
}
