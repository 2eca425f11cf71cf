import Bytes
import Geodesy
import Law
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

/// Section 5 of the law, for several sinks.
@MainActor
@Suite("each sink has a position of its own")
struct DeliveryTests {
    enum Keeping: String, CaseIterable, CustomTestStringConvertible {
        case checkpoint = "in the checkpoint, across a kill"
        case log = "in the log, across an orderly stop"

        var testDescription: String { rawValue }
    }

    @Test(
        "a slow sink makes no other repeat, and gets what it missed", arguments: Keeping.allCases)
    func slow(_ keeping: Keeping) throws {
        let bench = MonitoringBench(hasCheckpoint: keeping == .checkpoint)
        do {
            let (journal, bus) = (TestSink("journal", isOpen: false), TestSink("bus"))
            let service = try bench.start([journal, bus])
            try bench.addFences(3, to: service)
            bench.drive(service, from: 0, to: 2500)
            #expect(bus.told == [1, 2, 3, 4] && journal.told.isEmpty)
            if keeping == .log { service.stop(at: bench.now) }
        }
        let (journal, bus) = (TestSink("journal"), TestSink("bus"))
        let service = try bench.start([journal, bus])
        #expect(journal.told == [1, 2, 3, 4] && bus.told.isEmpty)
        bench.drive(service, from: 2520, to: 3500)
        #expect(journal.told == [1, 2, 3, 4, 5, 6] && bus.told == [5, 6])
    }

    @Test("an event announced late is not repeated, though no fix came before the kill")
    func late() throws {
        let bench = MonitoringBench()
        do {
            let (journal, bus) = (TestSink("journal", isOpen: false), TestSink("bus"))
            let service = try bench.start([journal, bus])
            try bench.addFences(1, to: service)
            bench.drive(service, from: 0, to: 1500)
            journal.isOpen = true
            service.sinkIsReady(at: bench.now)
            #expect(journal.told == [1, 2])
        }
        let (journal, bus) = (TestSink("journal"), TestSink("bus"))
        _ = try bench.start([journal, bus])
        #expect(journal.told.isEmpty && bus.told.isEmpty)
    }

    @Test("killed after a commit, before the checkpoint says so: the engine goes on as it was")
    func withinCommit() throws {
        let bench = MonitoringBench()
        var files = bench.files
        do {
            let bus = TestSink("bus")
            let service = try bench.start([bus])
            try bench.addFences(1, to: service)
            service.notify = { if case .committed = $0 { files = bench.files } }
            bench.drive(service, from: 0, to: 1000)
            #expect(bus.told == [1])
        }
        try bench.put(files)
        let service = try bench.start([TestSink("bus")])
        #expect(service.engine.counters.accepted > 40)
        bench.drive(service, from: 1020, to: 1500)
        let kinds = try service.store.log.events(after: 0, limit: 9).map(\.event.kind)
        #expect(kinds == [.enter, .exit])
    }

    @Test("a sink that refuses is offered nothing until its back-off is over, or it is ready")
    func refusing() throws {
        let bench = MonitoringBench()
        let (journal, bus) = (TestSink("journal", isOpen: false), TestSink("bus"))
        let service = try bench.start([journal, bus])
        try bench.addFences(1, to: service)
        bench.drive(service, from: 860, to: 920)
        #expect(bus.told == [1] && journal.offers == 1)
        // 0.1 s, doubled up to 5 s.
        while journal.offers < 9 { try bench.wake(service) }
        // One initial a second.
        for number in 1...4 {
            let area = try Area(
                .circle(center: Coordinate(latitude: 48, longitude: 11), radius: 10_000))
            _ = try service.apply(
                upserts: [Fence(id: "around-\(number)", area: area)], removing: [], at: bench.now)
            bench.drive(service, from: 920, to: 920)
        }
        #expect(bus.told.count >= 4 && journal.offers == 9)
        journal.isOpen = true
        service.sinkIsReady(at: bench.now)
        #expect(journal.told == bus.told)
    }

    @Test("a new sink begins where the slowest ended")
    func new() throws {
        let bench = MonitoringBench()
        do {
            let (journal, bus) = (TestSink("journal", isOpen: false), TestSink("bus"))
            let service = try bench.start([journal, bus])
            try bench.addFences(1, to: service)
            bench.drive(service, from: 0, to: 1500)
        }
        let console = TestSink("console")
        do { _ = try bench.start([console]) }
        #expect(console.told == [1, 2])
        let bus = TestSink("bus")
        _ = try bench.start([bus])
        #expect(bus.told.isEmpty)
    }

    @Test("a sink that cannot announce is retried separately from the others")
    func retried() throws {
        let bench = MonitoringBench()
        let (journal, bus) = (TestSink("journal", isOpen: false), TestSink("bus"))
        let service = try bench.start([journal, bus])
        try bench.addFences(1, to: service)
        bench.drive(service, from: 0, to: 1500)
        journal.isOpen = true
        let due = try #require(service.nextWake)
        service.wake(at: due)
        #expect(journal.told == [1, 2] && bus.told == [1, 2])
    }

    @Test("the log's growth is notified whether or not a sink announces")
    func committed() throws {
        let bench = MonitoringBench()
        let service = try bench.start([TestSink("bus", isOpen: false)])
        var told: [UInt64] = []
        service.notify = { if case .committed = $0 { told.append(service.lastSeq) } }
        try bench.addFences(1, to: service)
        bench.drive(service, from: 0, to: 1500)
        #expect(told == [1, 2])
    }

    @Test("a checkpoint of the previous version is resumed")
    func version3() throws {
        let bench = MonitoringBench()
        let data = #filePath.prefix(through: #filePath.lastIndex(of: "/") ?? #filePath.startIndex)
        let run = Subprocess([
            "sh", "-c", "zcat \"$0\" >\"$1\"", data + "Data/checkpoint-3.gz",
            bench.directory.file("memory"),
        ])
        try #require(run.wait()?.status == 0, "\(run.errorsSoFar)")
        let bus = TestSink("bus")
        let service = try bench.start([bus], bootID: "b22530daf9684627b0834aae75886a1f")
        #expect(service.engine.counters.accepted == 350)
        // There is no log, and that is told.
        #expect(service.lastSeq == 19 && bus.told == [19])
    }

    @Test("a checkpoint of a later version, which has more everywhere, is resumed")
    func later() throws {
        let bench = MonitoringBench()
        let bus = TestSink("bus")
        do {
            let service = try bench.start([bus])
            try bench.addFences(2, to: service)
            // Inside the second fence, with additions after the last complete write.
            bench.drive(service, from: 0, to: 2000)
            #expect(bus.told == [1, 2, 3])
        }
        try lengthen(bench.directory.file("memory"))
        let again = TestSink("bus")
        let service = try bench.start([again])
        #expect(service.engine.counters.accepted == 101)
        bench.drive(service, from: 2020, to: 3000)
        #expect(again.told == [4])
    }

    /// Appends to each section, and one more section to the whole; raises both versions.
    private func lengthen(_ path: String) throws {
        let content: CheckpointFile.Content
        do {
            let file = try CheckpointFile(path: path)
            content = try #require(file.read())
            #expect(content.version == 5 && !content.additions.isEmpty)
            let boot = MonitoringBench.bootID.utf8.count
            let longer = lengthened(Array(content.bytes.dropFirst(boot)), versioned: [1, 2])
            let whole = Array(content.bytes.prefix(boot)) + longer
            #expect(file.write { writer in for byte in whole { writer.write(byte) } })
            for addition in content.additions {
                let longer = lengthened(addition, versioned: [])
                #expect(file.add { writer in for byte in longer { writer.write(byte) } })
            }
        }
        let run = Subprocess([
            "sh", "-c",
            "for at in 0 \(CheckpointFile.capacity + 24); do printf '\\006' | "
                + "dd of=\"$0\" bs=1 seek=$at conv=notrunc status=none; done", path,
        ])
        try #require(run.wait()?.status == 0, "\(run.errorsSoFar)")
    }

    /// - Parameter versioned: which sections begin with a version: the record's and the engine's.
    private func lengthened(_ bytes: [UInt8], versioned: Set<Int>) -> [UInt8] {
        bytes.withByteView { view in
            var reader = ByteReader(view)
            return ByteWriter.bytes { writer in
                var index = 0
                while let section = try? reader.readSection() {
                    var longer = Array(section)
                    // An empty one is none.
                    if !longer.isEmpty {
                        longer += [1, 2, 3]
                        if versioned.contains(index) { longer[0] += 1 }
                    }
                    writer.writeSection { writer in for byte in longer { writer.write(byte) } }
                    index += 1
                }
                writer.writeSection { $0.write("more") }
            }
        }
    }
}
