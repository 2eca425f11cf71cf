import JSON
import SystemTestKit
import Testing

/// Faults of a server or of the network; each shows as one state, and the catalogue does not
/// change. Faults that `Servers/faulty` cannot simulate are tested elsewhere: a server that is
/// down, or ignores a filter (``RealServerTests``), that cannot prove its name, or has a
/// certificate of another time (``SecureServerTests``), a proxy (``ProxyTests``), links to changes
/// (``DeltaTests``), a full disk and a kill (``SyncKillTests``), flawed entries
/// (``SyncProgramTests``).
@MainActor
@Suite(.serialized) struct SyncFaultTests {
    struct Family: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The faults of `Servers/faulty`, with the state of each.
        var faults: [(name: String, state: String)]
        /// Faults of the document, not of the OData service.
        var isOfDocument = false
    }

    nonisolated static let families = [
        Family(
            testDescription: "the connection",
            faults: [
                ("reset", "incomplete"), ("hang-up", "incomplete"), ("half", "incomplete"),
                ("half-chunk", "incomplete"), ("no-http", "incomplete"),
                ("gzip-garbage", "incomplete"), ("bomb", "over-limit"), ("large", "over-limit"),
                ("stalled", "no-network"), ("silent", "no-network"), ("drip", "no-network"),
            ]),
        Family(
            testDescription: "the head",
            faults: [
                ("500", "refused"), ("502", "refused"), ("503", "refused"), ("401", "refused"),
                ("403", "refused"), ("404", "refused"), ("410", "refused"), ("429", "refused"),
                ("204", "refused"), ("206", "refused"), ("304", "incomplete"),
                ("redirect-away", "incomplete"), ("redirect-file", "incomplete"),
                ("redirect-nowhere", "refused"), ("redirect-loop", "refused"),
                ("long-head", "incomplete"),
            ]),
        Family(
            testDescription: "the text",
            faults: [
                ("html", "invalid"), ("xml", "invalid"), ("garbage", "invalid"),
                ("utf-16", "invalid"), ("latin-1", "invalid"), ("nan", "invalid"),
                ("huge-number", "invalid"), ("deep", "invalid"), ("trailing", "invalid"),
                ("no-list", "invalid"), ("null-list", "invalid"), ("two-lists", "invalid"),
                ("link-number", "invalid"),
            ]),
        Family(
            testDescription: "the set",
            faults: [
                ("empty", "incomplete"), ("twice", "incomplete"), ("twice-as-number", "incomplete"),
                ("no-id", "invalid"), ("wrong-count", "incomplete"), ("low-count", "incomplete"),
                ("count-changes", "incomplete"), ("announced", "over-limit"), ("gone-60", "held"),
            ]),
        Family(
            testDescription: "the pages",
            faults: [
                ("page-1-for-ever", "incomplete"), ("same-link", "incomplete"),
                ("empty-link", "incomplete"), ("foreign-link", "incomplete"),
                ("link-file", "incomplete"), ("hidden-error", "refused"),
                ("late-list", "invalid"), ("endless", "over-limit"),
                ("endless-empty", "incomplete"),
            ]),
        Family(
            testDescription: "the document",
            faults: [
                ("other-crs", "invalid"), ("no-features", "invalid"), ("returned", "incomplete"),
                ("matched", "incomplete"), ("304", "incomplete"), ("twice", "incomplete"),
                ("no-id", "invalid"), ("empty", "incomplete"), ("gone-60", "held"),
            ], isOfDocument: true),
    ]

    @Test(
        "A fault does not change the catalogue, and shows as its state; then the set comes again",
        arguments: families)
    func faults(_ family: Family) throws {
        let bench = try SyncBench()
        func sync(_ fault: String) throws -> Subprocess.Ending {
            try bench.sync(fault, document: family.isOfDocument)
        }
        _ = try sync("good")
        let before = try bench.catalogue()
        for (fault, state) in family.faults {
            let run = try sync(fault)
            #expect(try bench.state() == state, "\(fault): \(run.errors)")
            #expect(run.status == (state == "held" ? 0 : 1), "\(fault)")
            #expect(try bench.catalogue() == before, "\(fault)")
        }
        _ = try sync("changed")
        #expect(try bench.state() == "imported")
        #expect(try bench.catalogue() != before)
    }

    @Test("ids are told apart by their bytes, as the daemon does")
    func sameLetters() throws {
        let bench = try SyncBench()
        for isDocument in [false, true] {
            let run = try bench.sync("same-letters", document: isDocument)
            #expect(run.status == 0, "\(run.errors)")
            let features = try JSONValue(parsing: bench.catalogue())["features"]?.array ?? []
            let ids = features.compactMap { $0["id"]?.string?.utf8.reversed() }
            for end in ["caf\u{E9}", "cafe\u{301}"] {
                #expect(ids.count { $0.starts(with: end.utf8.reversed()) } == 1, "\(run.errors)")
            }
        }
    }
}
