import Foundation
import Glibc
import JSON
import SystemTestKit
import Testing

// From the fences to those who are to be told.

extension DaemonTests.BrokenBox {
    static let damagedStore = Box(
        "stored fences are damaged, of which there is no copy", "fences-lost"
    ) { bench in
        try bench.gpsd.start()
        try bench.bench.startAndWait()
        for name in ["a", "b"] {
            let place = name == "a" ? "48.03,11,100" : "10,10,100"
            #expect(try bench.bench.tool("add", name, "--circle", place).status == 0)
        }
        _ = try bench.bench.stop()
        let damage = Subprocess([
            "sqlite3", "\(bench.bench.state)/catalogue.sqlite",
            "UPDATE cell SET fences = x'0105' WHERE number = (SELECT max(number) FROM cell)",
        ])
        #expect(damage.wait()?.status == 0, "\(damage.errorsSoFar)")
        try? FileManager.default.removeItem(atPath: "\(bench.bench.state)/copies")
        try bench.bench.startAndWait()
        try bench.drive { bench.bench.property("Degraded")?.contains("fences-lost") == true }
    }

    static let fences: [Box] = [
        Box("no fences", "no-fences") { bench in
            try bench.removeFence("depot")
            try bench.start()
        },
        Box("fences far away", "nearest-far") { bench in
            try bench.removeFence("depot")
            bench.addFence("far", latitude: -33, longitude: 151)
            try bench.start()
        },
        Box("latitude is longitude", "axes-swapped") { bench in
            try bench.removeFence("depot")
            bench.addFence("swapped", latitude: 11, longitude: 48)
            try bench.start()
        },
        Box("fences that have all expired", "fences-expired") { bench in
            for id in ["depot", "yard"] {
                bench.addFence(
                    id, latitude: 48.02, properties: #","expires":"2026-01-01T00:00:00Z""#)
            }
            try bench.start()
        },
        Box("outside its hours", "outside-hours", "2001") { bench in
            bench.addFence("depot", latitude: 48.02, properties: #","active":"2001 Jan 01""#)
            try bench.start()
        },
        Box("nothing is to be announced", "silenced") { bench in
            bench.addFence(
                "depot", latitude: 48.02,
                properties: #","notify_on_entry":false,"notify_on_exit":false"#)
            try bench.start()
        },
        Box("no enter is to be announced", "half-silenced", "no enter") { bench in
            bench.addFence("depot", latitude: 48.02, properties: #","notify_on_entry":false"#)
            try bench.start()
        },
        Box("a fence that cannot be", "fence-file-refused", "bad.geojson") { bench in
            bench.addFence("bad", latitude: 48.02, radius: -1)
            try bench.start()
        },
        Box("a file with another ending", "fence-file-ignored", "places.json") { bench in
            bench.bench.writeFences("{}", to: "places.json")
            try bench.start()
        },
        Box("a call is left out after crashes", "crash-loop") { bench in
            bench.bench.directory.write("0 call Recenter\n", to: "run/left-out")
            bench.addFence("other", latitude: 48.03)
            try bench.start()
        },
        Box("hazards, and no height", "vehicle-unset") { bench in
            bench.bench.writeFences(AlertBench.fences, to: "roads.geojson")
            try bench.start()
        },
        Box("a height that nobody has confirmed", "height-not-confirmed") { bench in
            bench.bench.writeFences(AlertBench.fences, to: "roads.geojson")
            try bench.start()
            _ = try bench.bench.tool("vehicle", "set", "--height", "4m")
            _ = try bench.bench.tool("vehicle", "set", "--height", "3m", "--unconfirmed")
        },
        Box("a height that was meant to be 4.20 m", "height-absurd", "1.20 m was set") { bench in
            try bench.start()
            _ = try bench.bench.tool("vehicle", "set", "--height", "1.2m")
        },
        Box("half of the height before", "height-absurd", "5.00 m is in force") { bench in
            try bench.start()
            _ = try bench.bench.tool("vehicle", "set", "--height", "5m")
            _ = try bench.bench.tool("vehicle", "set", "--height", "2.1m", "--unconfirmed")
        },
        Box("more fences at one place than the window has", "window-grew") { bench in
            bench.configure("[Window]\nSize=4\n")
            for number in 0..<8 { bench.addFence("here-\(number)", latitude: 48, radius: 300) }
            try bench.start()
        },
        Box("beacons, and no radio", "beacons", "no-bluez") { bench in
            try bench.start()
            let beacon = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"
            #expect(try bench.bench.tool("add", "ramp", "--beacon", beacon).status == 0)
            try bench.drive { bench.bench.property("Degraded")?.contains("beacons") == true }
        },
    ]

    static let surroundings: [Box] = [
        Box("a consumer that cannot be started", "consumer-fails", "org.example.Gone") { bench in
            try bench.consumer("org.example.Gone")
        },
        Box("an uplink that does not run", "uplink-fails", "org.geofenced.Uplink1.fleet") {
            try $0.configure("uplink.d", "fleet")
            try $0.consumer("org.geofenced.Uplink1.fleet")
        },
        Box("an uplink whose configuration is gone", "uplink-removed", "fleet") {
            try $0.consumer("org.geofenced.Uplink1.fleet")
        },
        Box("a voice that does not run", "alert-stopped", "org.geofenced.Alert1") {
            try $0.consumer("org.geofenced.Alert1")
        },
        Box("a source whose configuration is gone", "sync-removed", "office") { bench in
            try bench.start()
            let file = bench.bench.directory.write(
                """
                {"type":"Feature","id":"gate","geometry":{"type":"Point","coordinates":[11,48.02]},
                "properties":{"radius":100}}
                """, to: "gate.geojson")
            let origin = try bench.bench.tool("import", "--origin", "source/office", file)
            #expect(origin.status == 0, "\(origin.errors)")
        },
        Box("the program that told of the ignition is gone", "sender-gone", "org.example.Can") {
            $0.configure(
                """
                [Parking]
                IgnitionSignal=sender=org.example.Can path=/a interface=org.example.Can1 member=Key

                """)
            try $0.start()
        },
        Box("the vehicle's network is not heard", "can-stopped", "org.geofenced.Can1") {
            $0.configure("[Vehicle]\nWheels=yes\n")
            try $0.start()
        },
        Box("no such GPIO chip", "line-gone", "/dev/gpiochip99") {
            $0.configure("[Parking]\nIgnitionGPIO=gpiochip99:1\n")
            try $0.start()
        },
        Box("an uplink that was never started", "uplink-unseen", "fleet") { bench in
            try bench.configure("uplink.d", "fleet")
            try bench.start()
        },
        Box("a source that was never looked at", "sync-unseen", "office") { bench in
            try bench.configure("sources.d", "office")
            try bench.start()
        },
        Box("a source that does not answer", "sync-fails", "no-network") { bench in
            try bench.start()
            let directory = bench.bench.directory
            try bench.configure("sources.d", "office")
            for name in ["sync", "status"] { mkdir(directory.file(name), 0o700) }
            let config = directory.write(
                "[Source]\nURL=http://127.0.0.1:1/svc\nEntitySet=Places\nTimeoutSec=2s\n",
                to: "sources.d/office.conf")
            let look = Subprocess(
                [
                    builtProgram("geofenced-sync"), "--config", config, "--bus",
                    bench.bench.bus?.address ?? "", "--state-dir", directory.file("sync"),
                    "--status-dir", directory.file("status"), "office",
                ], environment: ["NOTIFY_SOCKET": nil, "JOURNAL_STREAM": nil])
            try #require(look.wait(seconds: 30) != nil)
        },
    ]
}

extension DoctorBench {
    func removeFence(_ id: String) throws {
        try FileManager.default.removeItem(
            atPath: bench.directory.file("fences.d/\(id).geojson"))
    }

    /// The configuration of an instance.
    func configure(_ folder: String, _ name: String) throws {
        let path = bench.directory.file(folder)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        bench.directory.write("", to: "\(folder)/\(name).conf")
    }

    /// A box with a durable consumer that does not run, for which an event waits.
    func consumer(_ name: String) throws {
        addFence("here", latitude: 48, radius: 300)
        try gpsd.start()
        try bench.startAndWait()
        let call = bench.bus?.busctl(
            "call", "org.geofenced.Geofence1", "/org/geofenced/Geofence1",
            "org.geofenced.Geofence1.Manager", "RegisterConsumer", "sa{sv}", name, "0")
        try #require(call?.wait()?.status == 0, "\(call?.errorsSoFar ?? "")")
        try drive { try bench.json("consumer", "list").first?["last_error"]?.string != nil }
    }
}
