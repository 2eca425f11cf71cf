import EngineTestKit
import Model
import Testing
import Time

/// Section 7 of the law: invariants for any vehicle and any honest receiver.
@Suite struct InvariantTests {
    #if DEBUG || EMULATED
        static let scale: UInt64 = 1
    #else
        static let scale: UInt64 = 4
    #endif

    @Test("a parked vehicle never flaps, whatever its error", arguments: 0..<4 as Range<UInt64>)
    func parked(block: UInt64) {
        #if DEBUG || EMULATED
            let count: UInt64 = 1
        #else
            let count: UInt64 = 2
        #endif
        let flaw = ParkedVehicle.week.firstFlaw(in: block * count..<(block + 1) * count)
        #expect(flaw == nil)
    }

    @Test("a crossing above 3 m/s is one enter and one exit", arguments: 0..<4 as Range<UInt64>)
    func crossing(block: UInt64) {
        let count = 60 * Self.scale
        let flaw = CrossingVehicle.pass.firstFlaw(in: block * count..<(block + 1) * count)
        #expect(flaw == nil)
    }

    @Test("a jump of 20 km for two fixes gives no event")
    func jump() {
        let flaw = OddReceivers.jump.firstFlaw(in: 0..<40 * Self.scale)
        #expect(flaw == nil)
    }

    @Test("ten honest fixes a second are all accepted")
    func jitter() {
        let flaw = OddReceivers.jitter.firstFlaw(in: 0..<40 * Self.scale)
        #expect(flaw == nil)
    }
}

@Suite struct EventLawTests {
    private func event(_ kind: EventKind, _ fence: String?) -> Event {
        let time = UTCTime(nanoseconds: 0)
        return Event(kind: kind, fence: fence, time: time, fixTime: time, presence: nil)
    }

    @Test("the order of the handbook is accepted")
    func order() {
        let sizes = ["small": 1.0, "large": 9.0, "b": 1.0]
        let events = [
            event(.positionRegained, nil), event(.dwell, "large"), event(.dwell, "small"),
            event(.exit, "b"), event(.exit, "small"), event(.exit, "large"),
            event(.enter, "large"), event(.enter, "small"), event(.dwell, "large"),
            event(.exit, "small"), event(.exit, "large"), event(.enter, "small"),
            event(.positionLost, nil),
        ]
        #expect(EventLaws.orderFlaw(events, sizes: sizes) == nil)
        for place in events.indices.dropLast() {
            // Two events of the same fence are different stays when they are exchanged.
            guard events[place].fence != events[place + 1].fence else { continue }
            var exchanged = events
            exchanged.swapAt(place, place + 1)
            #expect(EventLaws.orderFlaw(exchanged, sizes: sizes) != nil, "\(place)")
        }
    }

    @Test(
        "events that do not alternate are reported",
        arguments: [
            [EventKind.exit], [.dwell], [.enter, .enter], [.enter, .exit, .exit],
            [.initial, .enter], [.enter, .dwell, .dwell], [.enter, .exit, .dwell],
        ])
    func alternation(_ kinds: [EventKind]) {
        #expect(EventLaws.alternationFlaw(kinds.map { event($0, "a") }) != nil)
        #expect(EventLaws.alternationFlaw(kinds.dropLast().map { event($0, "a") }) == nil)
    }
}
