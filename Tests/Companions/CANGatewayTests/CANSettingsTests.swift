import Program
import Settings
import Testing

@testable import CANGateway
@testable import VehicleBus

@Suite struct CANSettingsTests {
    private func read(_ text: String) -> (settings: CANSettings?, problems: [String]) {
        let (settings, problems) = CANSettings.read(
            ProgramSettings(Array(text.utf8), path: "can.conf"))
        return (settings, problems.map(\.description))
    }

    @Test("all keys, and what holds without them")
    func keys() throws {
        #expect(read("[Can]\n").settings == CANSettings())
        let settings = try #require(
            read("[Can]\nInterface=vcan0\nProtocol=obd2\nRequest=yes\n").settings)
        #expect(settings.interface == "vcan0")
        #expect(settings.language == .obd2)
        #expect(settings.requests)
    }

    @Test(
        "what is wrong is named with its line, and nothing runs with it",
        arguments: [
            ("[Can]\nInterface=a/b\n", "can.conf:2: Interface: a/b: not a network interface"),
            (
                "[Can]\nInterface=abcdefghijklmnop\n",
                "can.conf:2: Interface: abcdefghijklmnop: not a network interface"
            ),
            ("[Can]\nProtocol=lin\n", "can.conf:2: Protocol: lin: not one of auto, j1939, obd2"),
            (
                "[Can]\nProtocol=j1939\nRequest=yes\n",
                "can.conf:3: Request: only of OBD-II: J1939 tells everything unasked"
            ),
        ])
    func wrong(text: String, problem: String) {
        let (settings, problems) = read(text)
        #expect(settings == nil)
        #expect(problems == [problem])
    }

    @Test("a car is asked once a second while it answers, and left alone while it does not")
    func asking() {
        var asker = CANAsker()
        var asked = 0
        for second in 0..<60 { asked += asker.due(at: VehicleTime.at(second)).count }
        #expect(asked == 2)
        for second in 60..<90 {
            asker.heard(at: VehicleTime.at(second))
            asked += asker.due(at: VehicleTime.at(second)).count
        }
        // Its speed 30 times, less the one just before, its odometer 15 times, its engine 6 times.
        #expect((49...53).contains(asked - 2))
    }
}
