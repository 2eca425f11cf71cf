import MQTT
import Testing
import Time

@Suite("When a broker is tried again")
struct ReconnectDelayTests {
    @Test("failures of the network double the range of the delay, from 1 s to 10 min")
    func network() {
        var delay = ReconnectDelay()
        let ranges = (0..<12).map { _ in
            delay.next(after: .network("refused"), lasted: nil, random: 1).seconds
        }
        #expect(ranges == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
        #expect(delay.next(after: .network("refused"), lasted: nil, random: 0) == .zero)
    }

    @Test("a denial is never tried again at once, and ends at an hour")
    func denial() {
        var delay = ReconnectDelay()
        let end = MQTTEnd.broker(.notAuthorized)
        #expect(delay.next(after: end, lasted: nil, random: 0) == .seconds(30))
        let longest = (0..<10).map { _ in delay.next(after: end, lasted: nil, random: 1) }.max()
        #expect(longest == .seconds(3600))
    }

    @Test("after the broker's goodbye a fleet comes back spread over a minute")
    func goodbye() {
        let end = MQTTEnd.broker(MQTTReason(rawValue: 0x8B))
        for (random, seconds) in [(0.0, 0.0), (0.5, 30), (1, 60)] {
            var delay = ReconnectDelay()
            #expect(
                delay.next(after: end, lasted: .seconds(3600), random: random) == .seconds(seconds))
        }
    }

    @Test(
        "addresses of brokers",
        arguments: [
            ("mqtts://broker.example", "broker.example 8883 true"),
            ("mqtt://10.0.0.1:1884/", "10.0.0.1 1884 false"),
            ("mqtts://[2001:db8::1]:1", "2001:db8::1 1 true"),
            ("mqtts://[2001:db8::1]", "2001:db8::1 8883 true"),
            ("http://a", nil), ("mqtt://", nil), ("mqtt://a:0", nil), ("mqtt://a:65536", nil),
            ("mqtt://user@a", nil), ("mqtt://a/b", nil),
        ])
    func addresses(_ text: String, _ expected: String?) {
        let address = BrokerAddress(text)
        #expect(address.map { "\($0.host) \($0.port) \($0.isSecure)" } == expected)
    }
}
