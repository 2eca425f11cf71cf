import Testing
import Time

@testable import BeaconSource

@Suite("Without monitors the radio listens")
struct LimitedRoundsTests {
    private var rounds = LimitedRounds()
    private let settings = BeaconRadioSettings()

    /// The round at each of these seconds.
    private mutating func rounds(_ seconds: Range<Int>, isActive: Bool = false) -> [Int?] {
        seconds.map { rounds.round(at: .boot + .seconds(Double($0)), isActive: isActive, settings) }
    }

    @Test("in two rounds of 5 s each minute")
    mutating func rhythm() {
        let minute = rounds(0..<60)
        #expect(minute.prefix(6).allSatisfy { $0 == 1 })
        #expect(minute[6..<12].allSatisfy { $0 == 2 })
        #expect(minute[12...].allSatisfy { $0 == nil })
        #expect(rounds(60..<62) == [nil, nil])
        #expect(rounds(62..<68) == [3, 3, 3, 3, 3, 3])
    }

    @Test("without a pause while every sighting is wanted, and pauses after that")
    mutating func active() {
        _ = rounds(0..<20)
        #expect(rounds(20..<26, isActive: true) == [3, 3, 3, 3, 3, 3])
        #expect(rounds(26..<32, isActive: true) == [4, 4, 4, 4, 4, 4])
        #expect(rounds(32..<38, isActive: true).allSatisfy { $0 == 5 })
        #expect(rounds(38..<60).allSatisfy { $0 == nil })
    }

    @Test("at once after the radio was lost")
    mutating func restart() {
        _ = rounds(0..<20)
        rounds.restart()
        #expect(rounds(20..<33).compactMap(\.self) == [3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4])
    }
}
