import Metrics
import Testing

@Suite("Metrics as Prometheus reads them")
struct MetricsTextTests {
    @Test("a metric has its help, its type and its samples, and no time")
    func whole() {
        var text = MetricsText()
        text.add("geofenced_events_total", .counter, "Events.", 4711)
        text.add(
            "geofenced_fixes_total", .counter, "Fixes.",
            [.init([("result", "accepted")], 2.5), .init([("result", "late")], 0)])
        #expect(
            text.text == """
                # HELP geofenced_events_total Events.
                # TYPE geofenced_events_total counter
                geofenced_events_total 4711
                # HELP geofenced_fixes_total Fixes.
                # TYPE geofenced_fixes_total counter
                geofenced_fixes_total{result="accepted"} 2.5
                geofenced_fixes_total{result="late"} 0

                """)
    }

    @Test("what is not known is left out")
    func unknown() {
        var text = MetricsText()
        text.add("a", .gauge, "A.", nil)
        text.add("b", .gauge, "B.", .nan)
        text.add("c", .gauge, "C.", [])
        text.add("d", "D.", state: "", of: ["on", "off"])
        #expect(text.text.isEmpty)
    }

    @Test("of several states the present one is 1, also one that is new")
    func states() {
        var text = MetricsText()
        text.add("d", "D.", state: "off", of: ["on", "off"])
        #expect(text.text.hasSuffix("d{state=\"on\"} 0\nd{state=\"off\"} 1\n"))
        text = MetricsText()
        text.add("d", "D.", state: "new", of: ["on"])
        #expect(text.text.hasSuffix("d{state=\"on\"} 0\nd{state=\"new\"} 1\n"))
    }

    @Test(
        "no value of a label ends its line or its quotes",
        arguments: [
            (#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("a\r\u{1B}b", "a??b"),
            ("Überlingen", "Überlingen"),
        ])
    func hostile(_ value: String, _ written: String) {
        var text = MetricsText()
        text.add("d", .gauge, "D.", [.init([("name", value)], 1)])
        #expect(text.text.hasSuffix("\nd{name=\"\(written)\"} 1\n"))
    }

    @Test("a label has an end")
    func long() {
        var text = MetricsText()
        text.add(
            "d", .gauge, "D.", [.init([("name", String(repeating: "x", count: 100_000))], 1)])
        #expect(text.text.utf8.count < 400)
    }
}
