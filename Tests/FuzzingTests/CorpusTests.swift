import Foundation
import Model
import Testing

@testable import Fuzzing

/// The seeds and findings of the fuzzers, in every run of the tests.
@MainActor
@Suite struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

    private static func files(_ target: FuzzTarget) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: target.rawValue), includingPropertiesForKeys: nil)
    }

    @Test("the seeds of approaches give every stage, and every end that a drive can have")
    func approaches() throws {
        var told: Set<String> = []
        for file in try Self.files(.engine) where file.lastPathComponent.hasPrefix("approach-") {
            for event in EngineFuzz.run([UInt8](try Data(contentsOf: file))).events {
                told.insert(event.kind == .clear ? event.reason?.name ?? "" : event.kind.name)
            }
        }
        #expect(
            told.isSuperset(of: [
                "advisory", "urgent", "passed", "turned-off", "vehicle-changed", "fence-changed",
                "position-lost",
            ]), "\(told)")
    }

    @Test("the corpus shows no flaw, nor does any beginning of it", arguments: FuzzTarget.allCases)
    func corpus(_ target: FuzzTarget) throws {
        let files = try Self.files(target)
        #expect(files.count >= 3)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            let name = file.lastPathComponent
            #expect(target.flaw(bytes) == nil, "\(name)")
            // Those are cut as it is.
            guard !name.hasPrefix("kept-") else { continue }
            for part in 1..<4 {
                let cut = Array(bytes.prefix(bytes.count * part / 4))
                #expect(target.flaw(cut) == nil, "the first \(cut.count) bytes of \(name)")
            }
        }
    }
}
