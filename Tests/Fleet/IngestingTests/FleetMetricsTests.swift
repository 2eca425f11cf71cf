import Metrics
import PostgreSQL
import SystemTestKit
import Testing

@testable import Ingesting

extension DatabaseTests {
    private func lines() throws -> Set<String> {
        let text = try FleetMetrics.read(from: database).text
        return Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init))
    }

    @Test("metrics count boxes by state, what waits, what is missing and what was set aside")
    func metrics() throws {
        _ = try Questions.setUp(database, tenant: "other", retention: nil)
        try note(#"{"online":true,"waiting":5,"degraded":["source","jammed"]}"#, of: "b1")
        try note(#"{"online":true,"waiting":0,"degraded":["source"]}"#, of: "b2")
        try note(#"{"online":false}"#, of: "b3")
        for (box, state) in [("b5", "no-daemon"), ("b6", "stopped"), ("b7", "idle")] {
            try note(#"{"online":true,"state":"\#(state)"}"#, of: box, tenant: "other")
        }
        try note(#"{"online":true}"#, of: "b4")
        _ = try database.run(
            "UPDATE fleet.box SET last_seen = now() - interval '1 hour' WHERE name = 'b4'")
        _ = try take(try row(1, after: 0, "enter"), try row(5, after: 2, "dwell"))
        _ = try database.run("SELECT fleet.set_aside('acme', 'b1', 'why', 'x')")
        let lines = try lines()
        for line in [
            #"geofenced_fleet_boxes{tenant="acme",state="online"} 2"#,
            #"geofenced_fleet_boxes{tenant="acme",state="offline"} 1"#,
            #"geofenced_fleet_boxes{tenant="acme",state="unknown"} 1"#,
            #"geofenced_fleet_boxes{tenant="acme",state="retired"} 0"#,
            #"geofenced_fleet_boxes{tenant="other",state="online"} 3"#,
            #"geofenced_fleet_absent_daemons{tenant="acme",state="no-daemon"} 0"#,
            #"geofenced_fleet_absent_daemons{tenant="other",state="no-daemon"} 1"#,
            #"geofenced_fleet_absent_daemons{tenant="other",state="stopped"} 1"#,
            #"geofenced_fleet_degraded_boxes{tenant="acme",reason="source"} 2"#,
            #"geofenced_fleet_degraded_boxes{tenant="acme",reason="jammed"} 1"#,
            #"geofenced_fleet_waiting_events{tenant="acme"} 5"#,
            #"geofenced_fleet_waiting_boxes{tenant="acme"} 1"#,
            #"geofenced_fleet_missing_events{tenant="acme"} 1"#,
            #"geofenced_fleet_missing_events{tenant="other"} 0"#,
            #"geofenced_fleet_rejected_messages{tenant="acme"} 1"#,
            #"geofenced_fleet_presences{tenant="acme"} 1"#,
        ] { #expect(lines.contains(line), "\(line) not in \(lines.sorted())") }
        #expect(lines.contains { $0.hasPrefix("geofenced_fleet_event_rows ") })
        #expect(lines.contains { $0.hasPrefix("geofenced_fleet_database_bytes ") })
        #expect(
            lines.contains {
                $0.hasPrefix(#"geofenced_fleet_last_heard_timestamp_seconds{tenant="acme"} "#)
            })
    }

    @Test("what waits on a box does so while it is away, too")
    func waitingOffline() throws {
        try note(#"{"online":true,"waiting":5,"degraded":["source"]}"#, of: "b1")
        try note(#"{"v":1,"online":false}"#, of: "b1")
        let lines = try lines()
        for line in [
            #"geofenced_fleet_boxes{tenant="acme",state="offline"} 1"#,
            #"geofenced_fleet_waiting_events{tenant="acme"} 5"#,
            #"geofenced_fleet_waiting_boxes{tenant="acme"} 1"#,
        ] { #expect(lines.contains(line), "\(line) not in \(lines.sorted())") }
    }

    @Test(
        "what a box says of itself becomes no label and stops no metric",
        arguments: [
            #"{"online":"maybe","waiting":"x","degraded":"source"}"#,
            #"{"online":{"a":1},"waiting":-1,"degraded":["a b","\"}\n","UPPER",{"x":1},null]}"#,
            #"{"online":[],"waiting":1e300,"degraded":{"a":1}}"#,
        ])
    func hostileMetrics(_ status: String) throws {
        try note(status, of: "b1")
        let lines = try lines()
        #expect(lines.contains(#"geofenced_fleet_boxes{tenant="acme",state="unknown"} 1"#))
        #expect(lines.contains(#"geofenced_fleet_waiting_events{tenant="acme"} 0"#))
        #expect(!lines.contains { $0.hasPrefix("geofenced_fleet_degraded_boxes") }, "\(lines)")
    }

    @Test("a reader's metrics are those of its tenants")
    func readersMetrics() throws {
        _ = try Questions.setUp(database, tenant: "other", retention: nil)
        try note(#"{"online":true,"waiting":5}"#, of: "b1")
        try note(#"{"online":true,"waiting":7}"#, of: "b1", tenant: "other")
        try database.runAll(
            """
            CREATE ROLE seer IN ROLE fleet_reader;
            INSERT INTO fleet.access SELECT 'seer', id FROM fleet.tenant WHERE name = 'acme';
            SET ROLE seer
            """)
        let lines = try lines()
        #expect(lines.contains(#"geofenced_fleet_waiting_events{tenant="acme"} 5"#))
        #expect(!lines.contains { $0.contains("other") }, "\(lines)")
    }
}
