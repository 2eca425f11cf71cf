import Foundation
import Fuzzing
import Testing

/// The seeds and findings of the fuzzers, in every run of the tests.
@MainActor
@Suite struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

    private static func files(_ target: FuzzTarget) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: target.rawValue), includingPropertiesForKeys: nil)
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
