import Foundation
import Geodesy
import Law
import Model
import Storage
import Time

// A program that writes to a store until it is killed or cannot: store-child MODE DIRECTORY.

/// Prints a line at once, because the reader waits for it.
func say(_ what: String, _ value: Any) {
    FileHandle.standardOutput.write(Data("\(what) \(value)\n".utf8))
}

let mode = CommandLine.arguments[1]
let directory = CommandLine.arguments[2]

/// Enters and leaves one fence after the other; `number` counts from 1.
func record(_ number: UInt64) -> EventRecord {
    let fence = "fence-\(number / 2)"
    let time = UTCTime(nanoseconds: Int64(number) * 1_000_000_000)
    let enters = number % 2 == 0
    let event = Event(
        kind: enters ? .enter : .exit, fence: enters ? fence : "fence-\((number - 1) / 2)",
        time: time, fixTime: time, presence: enters ? .inside : .outside, reason: .certain,
        metadata: "{\"filler\":\"\(String(repeating: "x", count: 500))\"}")
    let stay = OpenStay(fence: fence, added: 1, began: time, dwellTold: false)
    return EventRecord(
        events: [event], opened: enters ? [stay] : [],
        closed: enters ? [] : ["fence-\((number - 1) / 2)"], known: 1, positionLost: false)
}

func kind(of error: any Error) -> String {
    (error as? StoreError).map { "\($0.kind)" } ?? "\(error)"
}

if mode == "vehicle" {
    // Each as many millimetres higher as it is later.
    let file = VehicleFile(directory: directory)
    for number in 1...3 {
        try file.write(StoredVehicle(vehicle: Vehicle(height: 3 + Double(number) / 1_000)))
        say("kept", number)
    }
    exit(0)
}

let store = try Store(directory: directory, bootID: "child")

switch mode {
case "commit":
    // As the daemon after a kill: what was in its hand is committed again.
    store.log.settleEnd(after: EventLog.Position(last: store.log.lastSeq, waiting: 1))
    while true {
        let logged = try store.commit(record(store.log.lastSeq + 1))
        say("committed", logged[0].seq)
    }
case "import":
    while true {
        let session = try store.beginImport(origin: .file("many.csv"))
        let round = store.generation
        for index in 0..<2_000 {
            let area = try Area(
                .circle(
                    center: Coordinate(latitude: Double(index) / 100, longitude: 1), radius: 50))
            try session.add(Fence(id: "\(index)", area: area, title: "round \(round)"))
        }
        say("committed", try session.finish(replacing: true).generation)
    }
case "replace":
    // One origin's set, of which half changes each time; one fence is another's.
    _ = try store.apply(upserts: [
        Fence(
            id: "own",
            area: try Area(
                .circle(center: Coordinate(latitude: 1, longitude: 1), radius: 50)))
    ])
    while true {
        let round = store.generation
        let first = round % 2 == 0 ? 0 : 500
        var rest = (first..<first + 1_000).makeIterator()
        let change = try store.replaceAll(origin: .named("source/many")) {
            guard let index = rest.next() else { return nil }
            let center = Coordinate(latitude: Double(index) / 100, longitude: 1)
            return Fence(
                id: "\(index)", area: try Area(.circle(center: center, radius: 50)),
                title: "round \(round)")
        }
        say("committed", change.generation)
    }
case "sets", "copies":
    // Sets that come, change, shrink and go, of the bus and of a named origin; with copies of each
    // that go along, and without them.
    func fence(_ index: Int, _ title: String = "") throws -> Fence {
        let center = Coordinate(latitude: Double(index) / 100, longitude: 1)
        return Fence(
            id: "\(index)", area: try Area(.circle(center: center, radius: 50)), title: title)
    }
    func replace(_ fences: [Fence]) throws {
        var rest = fences.makeIterator()
        _ = try store.replaceAll(origin: .named("source/set")) { rest.next() }
    }
    func copy() throws {
        guard mode == "copies" else { return }
        for origin in store.catalogue.copiesBehind {
            try Store.writeCopy(of: origin, in: directory)
            store.catalogue.takeCopy(of: origin)
        }
    }
    _ = try store.apply(upserts: [try fence(1), try fence(2)])
    try copy()
    try replace(try (100..<140).map { try fence($0) })
    try copy()
    try replace(try (110..<150).map { try fence($0, "changed") })
    try copy()
    _ = try store.apply(upserts: [try fence(2, "changed"), try fence(3)], removing: ["1"])
    try replace([])
    _ = try store.apply(upserts: [], removing: ["2", "3"])
    say("done", store.count)
case "fill":
    // Until the device or the limit stops it; then more room is made, and the same must succeed.
    var failure: String?
    for _ in 0..<100_000 {
        do {
            _ = try store.commit(record(store.log.lastSeq + 1))
        } catch {
            failure = kind(of: error)
            break
        }
    }
    let seq = store.log.lastSeq
    say("failed", failure ?? "never")
    _ = readLine()
    let logged = try store.commit(record(seq + 1))
    say("again", logged[0].seq == seq + 1)
    let all = try store.log.events(after: 0, limit: 1_000_000)
    say("whole", all.map(\.seq) == Array(1...(seq + 1)))
case "limit":
    // A file may not grow: the kernel answers EFBIG, which SQLite calls an I/O error.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(1), &limit)
    limit.rlim_cur = 300_000
    setrlimit(__rlimit_resource_t(1), &limit)
    var failure: String?
    for _ in 0..<100_000 where failure == nil {
        do {
            _ = try store.commit(record(store.log.lastSeq + 1))
        } catch {
            failure = kind(of: error)
        }
    }
    let seq = store.log.lastSeq
    say("failed", failure ?? "never")
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(1), &limit)
    say("again", try store.commit(record(seq + 1))[0].seq == seq + 1)
    say(
        "whole", try store.log.events(after: 0, limit: 1_000_000).map(\.seq) == Array(1...(seq + 1))
    )
default:
    exit(2)
}
