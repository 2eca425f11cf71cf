import Glibc
import Model
import Storage
import SystemTestKit
import Testing
import Time

@testable import Monitoring

@MainActor
@Suite("a file with more fences than there may be")
struct FenceLimitTests {
    private let directory = TemporaryDirectory()

    private func service() throws -> MonitoringService {
        var settings = MonitoringSettings()
        settings.fenceLimit = 1_000
        settings.originShare = .fences(200)
        return try MonitoringService(
            settings: settings,
            store: Store(directory: directory.path, bootID: MonitoringBench.bootID),
            bootID: MonitoringBench.bootID, checkpoint: nil, trouble: { _, _ in })
    }

    private func csv(_ count: Int, _ prefix: String = "f") -> String {
        "id,latitude,longitude,radius\n"
            + (0..<count).map { "\(prefix)\($0),48,11,50\n" }.joined()
    }

    private func load(
        _ count: Int, _ prefix: String = "f", into service: MonitoringService,
        _ origin: FenceOrigin = .file("a.csv")
    ) throws -> (read: Int, result: Result<CatalogueChange, any Error>) {
        let path = directory.write(csv(count, prefix), to: "fences")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let file = try service.beginImport(
            descriptor: descriptor, name: "fences", limit: 1 << 30, origin: origin,
            replacing: true, .init())
        do {
            while true {
                if let change = try file.step(at: .boot, until: { false }) {
                    return (file.bytesRead, .success(change))
                }
            }
        } catch { return (file.bytesRead, .failure(error)) }
    }

    @Test("is refused before it is read, also by the quota of its origin; one with as many is not")
    func refused() throws {
        let service = try service()
        #expect(throws: ChangeRefusal.tooManyFences(limit: 1_000)) {
            let (read, result) = try load(100_000, into: service)
            #expect(read == 0)
            _ = try result.get()
        }
        let named = FenceOrigin.named("a/b")
        #expect(throws: ChangeRefusal.quotaExceeded(named, limit: 200)) {
            let (read, result) = try load(201, into: service, named)
            #expect(read == 0)
            _ = try result.get()
        }
        _ = try load(200, "n", into: service, named).result.get()
        _ = try load(800, into: service).result.get()
        #expect(service.fenceCount == 1_000)
        // 200 of them are of others, and are skipped.
        _ = try load(200, "n", into: service).result.get()
    }
}
