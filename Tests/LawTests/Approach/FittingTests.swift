import EngineTestKit
import Geodesy
import Model
import Testing
import Time

/// Does the vehicle fit? Section 8 of the law.
@Suite struct FittingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var limits: Limits
        var vehicle: Vehicle
        /// Nil where it fits.
        var shortBy: Double?
    }

    static let cases = [
        Case(
            testDescription: "signed: 10 cm are enough", limits: Limits([.height: 4.3]),
            vehicle: Vehicle(height: 4.2)),
        Case(
            testDescription: "signed: 9 cm are not", limits: Limits([.height: 4.29]),
            vehicle: Vehicle(height: 4.2), shortBy: 0.01),
        Case(
            testDescription: "actual: 15 cm are needed",
            limits: Limits([.height: 4.34], basis: .signedActual), vehicle: Vehicle(height: 4.2),
            shortBy: 0.01),
        Case(
            testDescription: "measured: 25 cm are needed",
            limits: Limits([.height: 4.44], basis: .measured), vehicle: Vehicle(height: 4.2),
            shortBy: 0.01),
        Case(
            testDescription: "width: 20 cm", limits: Limits([.width: 2.7]),
            vehicle: Vehicle(height: 2, width: 2.55), shortBy: 0.05),
        Case(
            testDescription: "weight: no margin", limits: Limits([.weight: 7.5]),
            vehicle: Vehicle(height: 2, weight: 7.5)),
        Case(
            testDescription: "axle load above", limits: Limits([.axleLoad: 5]),
            vehicle: Vehicle(height: 2, axleLoad: 5.5), shortBy: 0.5),
        Case(
            testDescription: "length above", limits: Limits([.length: 12]),
            vehicle: Vehicle(height: 2, length: 12.5), shortBy: 0.5),
        Case(
            testDescription: "an unknown width is not compared", limits: Limits([.width: 2]),
            vehicle: Vehicle(height: 2)),
        Case(
            testDescription: "an unknown height is 4.20 m", limits: Limits([.height: 4.2]),
            vehicle: Vehicle(), shortBy: 0.1),
        Case(
            testDescription: "an unknown height fits under 4.3", limits: Limits([.height: 4.3]),
            vehicle: Vehicle()),
        Case(
            testDescription: "the worse of two", limits: Limits([.height: 4, .weight: 3.5]),
            vehicle: Vehicle(height: 4, weight: 7.5), shortBy: 4),
    ]

    @Test("what a vehicle is short by", arguments: cases)
    func shortfalls(_ one: Case) throws {
        var cab = Cab([try Cab.bridge(limits: one.limits)])
        cab.set(one.vehicle)
        cab.drive(from: -1_500, to: -1_400)
        #expect(cab.details.map(\.shortBy) == one.shortBy.map { [$0] } ?? [])
    }

    @Test("a vehicle without a warning fits, if all values that the limit needs are known")
    func fits() {
        let cases: [(Limits, Vehicle, VehicleFit)] = [
            (Limits([.height: 4.3]), Vehicle(height: 4.2), VehicleFit.fits),
            (Limits([.height: 4.29]), Vehicle(height: 4.2), .breaks),
            (Limits([.height: 4.3]), Vehicle(), .fits),
            (Limits([.width: 2]), Vehicle(height: 2), .unknown),
            (Limits([.height: 4.3, .weight: 7.5]), Vehicle(height: 2), .unknown),
            (Limits([.height: 4, .weight: 7.5]), Vehicle(height: 4.2), .breaks),
            (Limits([:], basis: .belowDefault), Vehicle(height: 3.5), .fits),
            (Limits([:], basis: .belowDefault), Vehicle(height: 3.6), .breaks),
            (Limits([:], unnumbered: .width, basis: .belowDefault), Vehicle(height: 2), .unknown),
            (Limits([:], basis: .unknown), Vehicle(height: 2), .unknown),
        ]
        for (limits, vehicle, fit) in cases {
            #expect(vehicle.fit(limits, assumedHeight: 4.2) == fit, "\(limits)")
        }
    }

    @Test("an assumed height says so, a confirmed one for 24 h")
    func certainty() throws {
        var cab = Cab([try Cab.bridge()], height: nil)
        cab.drive(from: -1_500, to: -1_400)
        #expect(cab.details.map(\.certainty) == [.assumed])
        for (hours, expected) in [(23.0, Vehicle.Certainty.confirmed), (25, .unconfirmed)] {
            var cab = Cab([try Cab.bridge()])
            let confirmed = Script.time(0) + .seconds(-hours * 3_600)
            cab.set(Vehicle(height: 4.2, confirmedAt: confirmed))
            cab.drive(from: -1_500, to: -1_400)
            #expect(cab.details.map(\.certainty) == [expected])
        }
    }

    @Test("an unknown clearance below the default: advisory only, above 3.5 m; unknown is off")
    func unnumbered() throws {
        for (basis, height, told) in [
            (Limits.Basis.belowDefault, 3.6, ["advisory b initial", "clear b passed"]),
            (.belowDefault, 3.5, []), (.unknown, 4.5, []),
        ] {
            var cab = Cab(
                [try Cab.bridge(limits: Limits([:], basis: basis))], height: height)
            cab.drive(from: -1_500, to: 120)
            #expect(cab.told == told)
            #expect(cab.details.allSatisfy { $0.limit == nil && $0.shortBy == nil })
        }
    }
}
