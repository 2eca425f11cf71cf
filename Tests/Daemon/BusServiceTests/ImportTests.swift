import BusService
import Foundation
import Geofence1
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct ImportTests {
    let fixture: ServiceFixture
    let client: BusConnection
    let files = TemporaryDirectory()

    init() throws {
        fixture = try ServiceFixture()
        fixture.settings.importLimit = 2_500_000
        fixture.settings.spoolDirectory = fixture.state.path
        try fixture.connect()
        client = try fixture.bus.connect(fixture.loop)
    }

    private func csv(_ count: Int, radius: Double = 50) -> String {
        var text = "id,latitude,longitude,radius\n"
        for index in 0..<count {
            text +=
                "f\(index),\(48 + Double(index % 1000) / 1000),\(11 + Double(index / 1000)),\(radius)\n"
        }
        return text
    }

    private func importing(
        _ descriptor: Int32, _ format: String = "", flags: UInt64 = 0
    ) throws -> Result<[BusValue], BusError> {
        try fixture.call(
            client, "ImportFences",
            [.fileDescriptor(descriptor), .string(format), .uint64(flags)])
    }

    private func importing(_ text: String, flags: UInt64 = 0) throws -> Result<[BusValue], BusError>
    {
        let descriptor = open(files.write(text, to: "fences"), O_RDONLY)
        defer { close(descriptor) }
        return try importing(descriptor, flags: flags)
    }

    @Test("a file is imported whole, again changes nothing, as a replacement removes the rest")
    func file() throws {
        #expect(
            try importing(csv(3000)).success == [
                .uint64(1), .uint64(3000), .uint64(0), .array(of: "(ss)", []),
            ])
        #expect(fixture.monitoring.fenceCount == 3000)
        #expect(try importing(csv(3000)).success?[1] == .uint64(0))
        #expect(try importing(csv(10)).success?.prefix(3) == [.uint64(1), .uint64(0), .uint64(0)])
        #expect(
            try importing(csv(10, radius: 60), flags: 1).success?.prefix(3)
                == [.uint64(2), .uint64(10), .uint64(2990)])
        #expect(fixture.monitoring.fenceCount == 10)
    }

    @Test("a pipe that is fed slowly does not hold up fixes and other callers")
    func pipe() throws {
        try fixture.add("here", east: 300)
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        defer { close(ends[0]) }
        var answer: Result<BusMessage, BusError>?
        try client.call(
            ServiceFixture.manager, "ImportFences",
            [.fileDescriptor(ends[0]), .string("csv"), .uint64(0)]
        ) { answer = $0 }
        let bytes = Array(csv(20_000).utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(ends[1], $0.baseAddress?.advanced(by: sent), min(30_000, bytes.count - sent))
            }
            try #require(count > 0)
            sent += count
            if sent == count {
                fixture.drive(from: 0, to: 600)
                #expect(try fixture.property("LastSeq") == "t 2")
            }
            try fixture.loop.run(seconds: 0.02) { false }
        }
        #expect(answer == nil, "the end has not come")
        close(ends[1])
        #expect(try fixture.loop.run { answer != nil })
        #expect(try answer?.get().values()[1] == .uint64(20_000))
        #expect(fixture.monitoring.fenceCount == 20_001)
    }

    @Test("calls are answered while a large file is read")
    func answersMeanwhile() throws {
        let descriptor = open(files.write(csv(60_000), to: "fences"), O_RDONLY)
        defer { close(descriptor) }
        var answer: Result<BusMessage, BusError>?
        try client.call(
            ServiceFixture.manager, "ImportFences",
            [.fileDescriptor(descriptor), .string(""), .uint64(0)]
        ) { answer = $0 }
        var calls = 0
        while answer == nil, calls < 10_000 {
            #expect(try fixture.call(client, "GetStates", [.strings(["f1"])]).failure == nil)
            calls += 1
        }
        #expect(calls > 3)
        #expect(try answer?.get().values()[1] == .uint64(60_000))
    }

    @Test("a bad entry is named with its line; nothing of the file is stored")
    func badEntry() throws {
        let error = try #require(
            try importing(csv(5000) + "bad,99,11,50\n" + csv(1)).failure)
        #expect(error.name == "org.geofenced.Geofence1.Error.InvalidArea")
        #expect(error.message.contains("5002"), "\(error.message)")
        #expect(error.message.contains("bad"))
        #expect(fixture.monitoring.fenceCount == 0)
        #expect(try importing("").failure?.name == "org.geofenced.Geofence1.Error.InvalidArea")
        #expect(
            try importing("garbage").failure?.name == "org.geofenced.Geofence1.Error.InvalidArea")
        #expect(try importing(csv(1)).failure == nil, "the next one goes in")
    }

    @Test("a too large file, a non-file, or a wrong request is refused")
    func refused() throws {
        let zero = open("/dev/zero", O_RDONLY)
        defer { close(zero) }
        #expect(try importing(zero).failure?.name == BusError.invalidArguments)
        let directory = open(files.path, O_RDONLY)
        defer { close(directory) }
        #expect(try importing(directory).failure?.name == BusError.invalidArguments)
        let file = open(files.write(csv(1), to: "one"), O_RDONLY)
        defer { close(file) }
        // O_PATH, which Swift's Glibc module does not have: cannot be read from.
        for flags in [0o10_000_000, O_WRONLY] {
            let unreadable = open(files.file("one"), flags)
            defer { close(unreadable) }
            let error = try #require(try importing(unreadable).failure)
            #expect(error.message.contains("Bad file descriptor"), "\(error)")
        }
        #expect(try importing(file, "shapefile").failure?.name == BusError.invalidArguments)
        #expect(try importing(file, flags: 2).failure?.name == BusError.invalidArguments)
        #expect(
            try importing(String(repeating: " ", count: 2_500_001)).failure?.name
                == BusError.limitsExceeded)
        #expect(fixture.monitoring.fenceCount == 0)
    }

    @Test("a file compressed with gzip is imported, and counts as what it unpacks to")
    func packed() throws {
        for (text, isGood) in [
            (csv(3000), true), (csv(1) + String(repeating: "\n", count: 2_500_000), false),
        ] {
            let path = files.write(text, to: "fences.csv")
            try #require(Subprocess(["gzip", "-f", path]).wait()?.status == 0)
            let descriptor = open(path + ".gz", O_RDONLY)
            defer { close(descriptor) }
            let answer = try importing(descriptor, flags: 1)
            #expect(fixture.monitoring.fenceCount == 3000)
            if isGood {
                #expect(answer.success?[1] == .uint64(3000))
            } else {
                let message = try #require(answer.failure).message
                #expect(message.hasSuffix(": is larger than 2500000 bytes"), "\(message)")
            }
        }
    }

    @Test("a client that leaves in the middle leaves nothing behind, and the next import runs")
    func clientGone() throws {
        let leaving = try fixture.bus.connect(fixture.loop)
        var ends: [Int32] = [0, 0]
        try #require(Foundation.pipe(&ends) == 0)
        try leaving.call(
            ServiceFixture.manager, "ImportFences",
            [.fileDescriptor(ends[0]), .string("csv"), .uint64(0)]
        ) { _ in }
        let bytes = Array(csv(100).utf8)
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        try fixture.loop.run(seconds: 0.2) { false }
        leaving.close()
        close(ends[0])
        #expect(try importing(csv(3)).success?[1] == .uint64(3))
        close(ends[1])
        try fixture.loop.run(seconds: 0.2) { false }
        #expect(fixture.monitoring.fenceCount == 3)
    }
}
