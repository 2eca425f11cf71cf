import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite("SetIgnition", .serialized)
struct IgnitionTests {
    @Test("the ignition can be set repeatedly")
    func sets() throws {
        let (fixture, client) = try ServiceFixture.withClient()
        #expect(try fixture.property("Ignition") == #"s "unknown""#)
        for isOn in [false, false, true] {
            let answer = try fixture.call(client, "SetIgnition", [.bool(isOn)])
            #expect(answer.success == [])
            #expect(fixture.monitoring.ignition == isOn)
            #expect(try fixture.property("Ignition") == (isOn ? #"s "on""# : #"s "off""#))
        }
        #expect(try fixture.property("Resting") == "b false")
        #expect(try fixture.property("Receiver") == #"s "/dev/ttyACM0""#)
    }
}
