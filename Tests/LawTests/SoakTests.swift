import EngineTestKit
import Foundation
import Testing

/// `make soak`: every property with fresh seeds, for SOAK minutes, on every core.
@Suite struct SoakTests {
    private static let minutes = ProcessInfo.processInfo.environment["SOAK"].flatMap(Double.init)
    private static let cores = UInt64(ProcessInfo.processInfo.activeProcessorCount)
    /// No run begins where another has been.
    private static let first = UInt64(Date.now.timeIntervalSince1970) << 24

    @Test(
        "every property holds for as long as one cares to wait",
        .enabled(if: minutes != nil, "for make soak"),
        arguments: 0..<cores)
    func soak(worker: UInt64) throws {
        let end = Date.now.addingTimeInterval(try #require(Self.minutes) * 60)
        var counts = [Int](repeating: 0, count: Property.all.count)
        var seconds = [Double](repeating: 0, count: Property.all.count)
        var seed = Self.first + worker
        while Date.now < end {
            // Each property, also the slowest, gets its share of the time.
            let turn = seconds.indices.min { seconds[$0] < seconds[$1] } ?? 0
            let begun = Date.now
            if let flaw = Property.all[turn].firstFlaw(in: seed..<seed + 1) {
                Issue.record("\(flaw)")
            }
            counts[turn] += 1
            seconds[turn] += Date.now.timeIntervalSince(begun)
            seed += Self.cores
        }
        for (index, property) in Property.all.enumerated() {
            let rate = Double(counts[index]) / max(seconds[index], 0.001)
            print("\(property): \(counts[index]) scenarios, \(Int(rate)) per second")
        }
    }
}
