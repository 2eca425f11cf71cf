import EngineTestKit
import Geodesy
import Model
import Testing

/// A point without roads: section 8 of the law.
@Suite struct ConeTests {
    private func cone(direction: Double? = nil) throws -> Fence {
        Fence(
            id: "c", area: try Area(.circle(center: Script.place(0), radius: Approach.coneRadius)),
            approach: Approach(
                limits: Limits([.height: 4]), course: .cone(direction: direction)))
    }

    @Test("advisory at 45 s, urgent at 10 s, clear behind it; every event says cone")
    func straight() throws {
        var cab = Cab([try cone()])
        cab.drive(from: -1_700, to: 300)
        #expect(cab.told == ["advisory c", "urgent c", "clear c passed"])
        #expect(cab.details.allSatisfy { $0.way == .cone && $0.chance == nil })
        #expect((880...900).contains(cab.details[0].toGo))
        #expect((180...200).contains(cab.details[1].toGo))
    }

    @Test("at most a mile before it, at least 500 m", arguments: [(60.0, 1_609.0), (5, 500)])
    func range(speed: Double, most: Double) throws {
        var cab = Cab([try cone()])
        cab.drive(from: -1_740, to: speed > 20 ? -700 : -300, speed: speed)
        #expect(cab.told == ["advisory c"])
        #expect((most - speed...most).contains(cab.details[0].toGo))
    }

    @Test("past it at a distance: no urgent, and turned off in the end")
    func beside() throws {
        var cab = Cab([try cone()])
        cab.drive(from: -1_000, to: 400, y: 120)
        #expect(cab.told == ["advisory c", "clear c turned-off"])
    }

    @Test(
        "against the direction of the list nothing is said",
        arguments: [(95.0, true), (270, false)])
    func direction(_ direction: Double, isSaid: Bool) throws {
        var cab = Cab([try cone(direction: direction)])
        cab.drive(from: -800, to: -600)
        #expect(cab.told.isEmpty != isSaid)
    }

    @Test("moving away from it nothing is said")
    func away() throws {
        var cab = Cab([try cone()])
        cab.drive(from: 100, to: 800)
        #expect(cab.told.isEmpty)
    }
}
