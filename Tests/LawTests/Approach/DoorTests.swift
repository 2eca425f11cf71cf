import EngineTestKit
import Geodesy
import Model
import Testing

/// What is refused before it is stored: section 8 of the law.
@Suite struct DoorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// In the reason.
        var reason: String
        var fence: @Sendable () throws -> Fence
    }

    /// The bridge with other legs or limits.
    static func changed(
        _ fence: Fence, limits: Limits? = nil, rivals: [[Coordinate]] = [],
        _ change: (inout [Approach.Leg]) -> Void = { _ in }
    ) throws -> Fence {
        var fence = fence
        let approach = try #require(fence.approach)
        var legs = approach.legs
        change(&legs)
        fence.approach = Approach(
            limits: limits ?? approach.limits, course: .legs(legs), rivals: rivals)
        return fence
    }

    static func leg(
        _ name: String, _ reason: String,
        _ change: @escaping @Sendable (inout [Approach.Leg]) -> Void
    ) -> Case {
        Case(testDescription: name, reason: reason) { try changed(Cab.bridge(), change) }
    }

    static func limit(_ name: String, _ reason: String, _ limits: Limits) -> Case {
        Case(testDescription: name, reason: reason) { try Cab.bridge(limits: limits) }
    }

    static let cases = [
        limit("NaN", "height_m nan is outside", Limits([.height: .nan])),
        limit("low", "height_m 0.9 is outside 1.0…9.9 m", Limits([.height: 0.9])),
        limit("high", "height_m 10.0 is outside", Limits([.height: 10])),
        limit("width", "width_m 0.4", Limits([.width: 0.4])),
        limit("length", "length_m 61.0", Limits([.length: 61])),
        limit("weight", "weight_t 0.4", Limits([.weight: 0.4])),
        limit("axle load", "axle_load_t 201.0", Limits([.axleLoad: 201])),
        limit("none", "no limit", Limits([:])),
        limit("number without", "with a number on", Limits([.height: 4], basis: .unknown)),
        leg("next missing", "leg 2 has next 7, which is no leg") { $0[1].next = 7 },
        leg("next itself", "leg 2 has itself as next") { $0[1].next = 1 },
        leg("cycle", "leads into a cycle") { $0[0].next = 1 },
        leg("no way", "leg 2 does not reach the hazard") { $0[1].next = nil },
        leg("end_m rises", "leg 2 has end_m 300.0 where the next begins at 40") {
            $0[1].endToGo = 300
        },
        leg("end_m negative", "leg 1 has end_m -1.0") { $0[0].endToGo = -1 },
        leg("chance 0", "leg 1 has chance 0.0") { $0[0].chance = 0 },
        leg("chance above 1", "leg 1 has chance 1.5") { $0[0].chance = 1.5 },
        leg("chance rises", "leg 2 has a chance above") { $0[1].chance = 0.9 },
        leg("escape outside", "leg 1 has escape_m 5000.0, outside the tree") {
            $0[0].escapeToGo = 5_000
        },
        leg("turn", "leg 1 has turn") { $0[0].turn = Approach.Turn(toGo: 1, angle: 400) },
        leg("too many", "more than 5000 legs") { $0 += Array(repeating: $0[0], count: 5_000) },
        Case(testDescription: "ends", reason: "200 legs without next and 57 lines of the section") {
            try RouteAttack.hazard(ends: 200, sections: 57, at: Script.origin)
        },
        leg("more legs than lines", "4 legs and 3 lines") { $0 += $0 },
        Case(testDescription: "apart", reason: "m from the next") {
            let fence = try Cab.bridge()
            guard case .lines(var lines, let width)? = fence.area?.geometry else { return fence }
            lines[1] = lines[1].dropLast() + [Script.place(-800)]
            var moved = fence
            moved.subject = .area(try Area(.lines(lines, width: width)))
            return moved
        },
        Case(testDescription: "rival", reason: "rival 1 has fewer than 2 positions") {
            try changed(Cab.bridge(), rivals: [[Script.place(0)]])
        },
        Case(testDescription: "cone of lines", reason: "a cone that is no point") {
            var fence = try Cab.bridge()
            fence.approach = Approach(
                limits: Limits([.height: 4]), course: .cone(direction: nil))
            return fence
        },
        Case(testDescription: "direction", reason: "direction_deg 361.0") {
            Fence(
                id: "c", area: try Area(.circle(center: Script.place(0), radius: 1_750)),
                approach: Approach(
                    limits: Limits([.height: 4]), course: .cone(direction: 361)))
        },
    ]

    @Test("a bad approach is refused with its reason", arguments: cases)
    func refused(_ one: Case) throws {
        let flaw = try #require(FenceRules.flaw(try one.fence()))
        #expect(flaw.contains(one.reason))
    }

    @Test("a good one is not, and may carry a warning")
    func accepted() throws {
        #expect(FenceRules.flaw(try Cab.bridge()) == nil)
        let most = try RouteAttack.hazard(ends: 200, sections: 56, at: Script.origin)
        #expect(FenceRules.flaw(most) == nil)
        #expect(try Cab.bridge().warning == nil)
        #expect(try Cab.bridge(section: 400).warning?.contains("restricted section is 40") == true)
        let late = try Cab.bridge(escape: 2_960).warning
        #expect(late?.hasPrefix("warns late: its roads end") == true)
        #expect(try Cab.bridge(escape: 2_900).warning == nil)
        let cut = try Cab.bridge(escape: 2_900, isCut: true).warning
        #expect(cut?.hasPrefix("may warn late: the edge of the data is 10") == true)
        #expect(try Cab.bridge(escape: 2_700, isCut: true).warning == nil)
    }

    @Test("values of a vehicle are refused outside their ranges")
    func vehicle() {
        for (kind, bad) in [
            (Limits.Kind.height, 0.99), (.height, 6.01), (.width, 5.1), (.length, 61),
            (.weight, 0), (.axleLoad, .nan),
        ] {
            #expect(Vehicle.flaw(bad, of: kind)?.contains(kind.vehicleKey) == true)
        }
        #expect(Vehicle.flaw(4.2, of: .height) == nil)
    }
}
