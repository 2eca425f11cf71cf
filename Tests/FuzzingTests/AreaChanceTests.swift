import Foundation
import Fuzzing
import Testing

/// A one-second version of the fuzzer of areas: its seeds with random bytes in them.
@Suite struct AreaChanceTests {
    @Test("seeds with changed bytes show no flaw", arguments: 1...3 as ClosedRange<UInt64>)
    func changed(_ seed: UInt64) throws {
        let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzzing/Corpus/areas")
        let files = try FileManager.default.contentsOfDirectory(
            at: corpus, includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
        let seeds = try files.map { [UInt8](try Data(contentsOf: $0)) }
        var chance = Chance(state: seed)
        for _ in 0..<200 {
            guard var bytes = seeds.randomElement(using: &chance), !bytes.isEmpty else { continue }
            for _ in 0..<Int.random(in: 1...6, using: &chance) {
                let place = Int.random(in: 0..<bytes.count, using: &chance)
                switch Int.random(in: 0..<3, using: &chance) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
                case 1: bytes[place] = bytes[place] &+ 1
                default: bytes.insert(bytes[place], at: place)
                }
            }
            let flaw = FuzzTarget.areas.flaw(bytes)
            #expect(flaw == nil, "\(bytes)")
        }
    }
}
