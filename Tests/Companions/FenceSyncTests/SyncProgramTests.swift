import Glibc
import JSON
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized) struct SyncProgramTests {
    @Test("A set is taken over page by page, and costs nothing while it is the same")
    func whole() throws {
        let bench = try SyncBench()
        let first = try bench.sync("good")
        #expect(first.status == 0, "\(first.errors)")
        #expect(try bench.state() == "imported")
        let set = try bench.catalogue()
        for number in 0..<10 { #expect(set.contains("office/w0\(number)")) }
        bench.stopDaemon()
        // The daemon is away: it is not called.
        let second = try bench.sync("good")
        #expect(second.status == 0, "\(second.errors)")
        #expect(try bench.state() == "unchanged")
    }

    @Test("A set is printed with the hash that a box tells of it, and nothing is remembered")
    func printed() throws {
        let bench = try SyncBench()
        #expect(try bench.sync("good").status == 0)
        let hash = try bench.status()["sum"]?.string
        let run = try bench.sync("good", "--print")
        #expect(run.status == 0, "\(run.errors)")
        let set = try JSONValue(parsing: run.output)
        #expect(set["origin"]?.string == "source/office" && set["hash"]?.string == hash)
        #expect(set["features"]?.array?.first?["id"]?.string == "office/w00")
        #expect(set["features"]?.array?.count == 10)
        // Another set is printed, too, and is no set that this box has.
        let other = try bench.sync("changed", "--print")
        #expect(try JSONValue(parsing: other.output)["hash"]?.string != hash)
        #expect(try bench.status()["sum"]?.string == hash)
        let failed = try bench.sync("503", "--print")
        #expect(failed.status == 1 && failed.output.isEmpty)
        let nearby = try bench.sync("good", extra: "Mode=nearby", "--print")
        #expect(nearby.output.isEmpty && nearby.status != 0, "\(nearby.errors)")
    }

    @Test("A set of which no entry can be used, or an empty one, is no success, printed or taken")
    func nothing() throws {
        let bench = try SyncBench()
        func write(_ radii: [Int]) {
            let features = radii.enumerated().map {
                #"{"type":"Feature","id":"w\#($0)","geometry":{"type":"Point","coordinates":[1,2]},"#
                    + #""properties":{"radius":\#($1)}}"#
            }
            bench.directory.write(
                #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
                to: "set.geojson")
        }
        write([50, 60])
        #expect(try bench.sync("file", document: true).status == 0)
        for (radii, extra, reason) in [
            ([-1, -2], "", "no entry can be used, such as office/w0: "),
            ([], "", "an empty set, and AllowEmpty=yes is not set"),
            ([50, -1], "OnInvalid=refuse", "1 entries are flawed, such as office/w1: "),
        ] {
            write(radii)
            let printed = try bench.sync("file", document: true, extra: extra, "--print")
            #expect(printed.status == 1 && printed.output.isEmpty, "\(printed)")
            #expect(printed.errors.contains(reason), "\(printed.errors)")
            let taken = try bench.sync("file", document: true, extra: extra)
            #expect(taken.status == 1, "\(taken)")
            #expect(try bench.status()["detail"]?.string?.hasPrefix(reason) == true)
            #expect(try bench.catalogue().contains("office/w1"))
        }
        write([50, -1])
        let part = try bench.sync("file", document: true, "--print")
        #expect(part.status == 0 && part.errors.contains("office/w1"), "\(part)")
    }

    @Test("An unchanged document is one request that is answered with 304")
    func unchangedDocument() throws {
        let bench = try SyncBench()
        #expect(try bench.sync("good", document: true).status == 0)
        let before = bench.requests.count
        #expect(try bench.sync("good", document: true).status == 0)
        #expect(bench.requests.count == before + 1)
        #expect(try bench.status()["detail"]?.string == "304")
    }

    @Test(
        "A document that was rewritten within the second of its time is fetched again",
        arguments: [0, 59, 3600])
    func rewritten(_ age: Int) throws {
        let bench = try SyncBench()
        let time = timeval(tv_sec: Glibc.time(nil) - age, tv_usec: 0)
        func write(_ radius: Int) {
            let head = #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"w","#
            let path = bench.directory.write(
                head + #""geometry":{"type":"Point","coordinates":[1,2]},"#
                    + #""properties":{"radius":\#(radius)}}]}"#, to: "set.geojson")
            #expect(utimes(path, [time, time]) == 0)
        }
        write(100)
        #expect(try bench.sync("seconds", document: true).status == 0)
        #expect(try bench.state() == "imported")
        // As long as before, in the same second: for a server of files it is the same.
        write(200)
        let run = try bench.sync("seconds", document: true)
        #expect(try bench.state() == (age < 60 ? "imported" : "unchanged"), "\(run.errors)")
        #expect(try (bench.status()["detail"]?.string == "304") == (age >= 60))
    }

    @Test(
        "What is doubtful about a document is said, and one in another reference system is refused")
    func doubtful() throws {
        let bench = try SyncBench()
        func sync(
            _ members: String, _ features: Int = 1, _ beside: String = ""
        ) throws -> String? {
            let features = (0..<features).map {
                #"{"type":"Feature","id":"w\#($0)",\#(beside)"#
                    + #""geometry":{"type":"Point","coordinates":[1,2]},"#
                    + #""properties":{"radius":90,"MaxSpeed":30}}"#
            }
            _ = bench.directory.write(
                #"{"type":"FeatureCollection",\#(members)"features":[\#(features.joined(separator: ","))]}"#,
                to: "set.geojson")
            try bench.sync("seconds", document: true)
            return try bench.status()["detail"]?.string
        }
        #expect(
            try sync(#""crs":{"type":"name","properties":{"name":"EPSG:4326"}},"#)
                == "1 new or changed, 0 removed; \"MaxSpeed\" is kept as metadata, in 1 of 1 entry, "
                + "first in line 1: is speed_limit_kmh meant?")
        #expect(
            try sync(#""name":"all","#, 2, #""title":"Yard","#)?.hasSuffix(
                "; \"title\" is not read where it stands, in 2 of 2 entries, first in entry 1: "
                    + "is title meant?") == true)
        let other = try sync(#""crs":{"type":"name","properties":{"name":"EPSG:27700"}},"#, 2)
        #expect(other?.hasPrefix("coordinates in EPSG:27700, which is not WGS 84") == true)
        #expect(try bench.state() == "invalid")
        #expect(try sync("", 0) == "an empty set, and AllowEmpty=yes is not set")
        #expect(try bench.catalogue().contains("office/w0"))
    }

    @Test("A server that is busy for a second is waited for, in the middle of a set")
    func busy() throws {
        let bench = try SyncBench()
        let run = try bench.sync("busy")
        #expect(try bench.state() == "imported", "\(run.errors)")
        #expect(try bench.status()["fences"]?.integer == 10)
    }

    @Test("What is said of a source whose fences somebody has removed is what is so now")
    func emptied() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        #expect(try bench.shown().contains("office\t10 fences, imported"))
        #expect(try bench.tool("remove", "office/w03").status != 0)
        #expect(try bench.tool("remove", "--origin", "source/office").status == 0)
        #expect(try bench.shown().contains("office\t0 fences, missing"))
        let json = try JSONValue(parsing: bench.shown("--json"))
        #expect(json["state"]?.string == "missing" && json["fences"]?.integer == 0)
        // A look that fails brings nothing, and does not say that there are ten.
        try bench.sync("503")
        #expect(try bench.shown().contains("office\t0 fences, refused"))
        try bench.sync("good")
        #expect(try bench.shown().contains("office\t10 fences, imported"))
    }

    @Test("A source without its file is removed: it fails no more, and is gone with its fences")
    func withoutFile() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        try bench.sync("503")
        #expect(try bench.shown().contains("office\t10 fences, refused"))
        unlink(bench.directory.file("office.conf"))
        #expect(try bench.shown().contains("office\t10 fences, removed"))
        let doctor = try bench.tool(
            "doctor", "--json", "--status-dir", bench.directory.file("status"))
        #expect(!doctor.output.contains("sync-fails"), "\(doctor.output)")
        #expect(try bench.tool("remove", "--origin", "source/office").status == 0)
        #expect(try bench.shown().isEmpty)
    }

    @Test(
        "What was stored and is not there any more is brought again, and that is said",
        arguments: ["removed", "changed", "lost"])
    func missing(_ how: String) throws {
        let bench = try SyncBench()
        #expect(try bench.sync("good", document: true).status == 0)
        let before = try bench.catalogue()
        #expect(try bench.sync("good", document: true).errors.contains("304"))
        switch how {
        case "removed":
            #expect(try bench.tool("remove", "--origin", "source/office").status == 0)
        case "changed":
            let line = #"{"type":"Feature","id":"office/w03","properties":{"radius":9},"#
            bench.directory.write(
                line + #""geometry":{"type":"Point","coordinates":[1,2]}}"#, to: "other.geojson")
            let run = try bench.tool(
                "import", "--origin", "source/office", bench.directory.file("other.geojson"))
            #expect(run.status == 0, "\(run.errors)")
        default:
            bench.stopDaemon()
            let state = bench.directory.file("state")
            for end in ["", "-wal", "-shm"] { unlink("\(state)/catalogue.sqlite\(end)") }
            // Otherwise it is filled again from there.
            unlink("\(state)/copies/source+office.copy")
            try bench.startDaemon()
            #expect(try bench.tool("status").output.contains("fences-lost"))
        }
        #expect(try bench.catalogue() != before)
        let run = try bench.sync("good", document: true)
        #expect(run.errors.contains("has not the fences that it was given"), "\(run.errors)")
        #expect(try bench.state() == "imported")
        #expect(try bench.catalogue() == before)
        #expect(try !bench.tool("status").output.contains("fences-lost"))
        #expect(try bench.sync("good", document: true).errors.contains("304"))
    }

    @Test("A part without a link to the next is asked for by hand")
    func byHand() throws {
        let bench = try SyncBench()
        let run = try bench.sync("no-links", extra: "PageSize=3")
        #expect(try bench.state() == "imported", "\(run.errors)")
        #expect(try bench.status()["fences"]?.integer == 10)
        #expect(bench.requests.contains { $0.contains("$orderby=ID") && $0.contains("$skip=9") })
    }

    @Test("A document in another reference system is refused")
    func reference() throws {
        let bench = try SyncBench()
        try bench.sync("other-crs", document: true)
        #expect(try bench.state() == "invalid")
        #expect(try !bench.catalogue().contains("office/"))
    }

    @Test("A mass removal waits for a person, who accepts that one set")
    func held() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        try bench.sync("gone-60")
        #expect(try bench.state() == "held")
        try bench.sync("gone-60", "--accept")
        #expect(try bench.state() == "imported")
        #expect(try bench.status()["fences"]?.integer == 4)
        #expect(try !bench.catalogue().contains("office/w09"))
    }

    @Test("A few that go are removed")
    func removed() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        try bench.sync("gone-10")
        #expect(try bench.state() == "imported")
        #expect(try !bench.catalogue().contains("office/w09"))
    }

    @Test("A flawed entry keeps its former version", arguments: ["bad-entry", "bad-radius"])
    func flawed(_ fault: String) throws {
        let bench = try SyncBench()
        try bench.sync("good")
        let before = try bench.catalogue()
        let run = try bench.sync(fault)
        #expect(try bench.state() == "imported")
        #expect(run.errors.contains("office/w03"))
        #expect(try bench.catalogue() == before)
        try bench.sync(fault, extra: "OnInvalid=refuse")
        #expect(try bench.state() == "invalid")
    }

    @Test("A dry run changes nothing, and says what it would")
    func dryRun() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        let before = try bench.catalogue()
        try bench.sync("changed", "--dry-run")
        #expect(
            try bench.status()["detail"]?.string == "dry run: 1 would change, 0 would go")
        #expect(try bench.catalogue() == before)
    }

    @Test("What is not due is not asked for; after a failure not before its wait")
    func due() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        let before = bench.requests.count
        #expect(try bench.sync("good", "--due").status == 0)
        #expect(bench.requests.count == before)
        try bench.sync("503")
        let after = bench.requests.count
        #expect(try bench.sync("503", "--due").status == 0)
        #expect(bench.requests.count == after)
    }

    @Test("What is said of a source is there again after a boot, also where no look is due")
    func booted() throws {
        let bench = try SyncBench()
        // What is over is not remembered: with a failure each look of the timer would be due.
        for (fault, failures) in [("503", 1), ("good", 0), ("503", 1)] as [(String, Int64)] {
            bench.directory.write(fault, to: "fault")
            try bench.sync("live")
            let before = try bench.status()
            unlink(bench.directory.file("status/office.json"))
            let asked = bench.requests.count
            #expect(try bench.look(["--due"]).status == 0)
            #expect(bench.requests.count == asked)
            let after = try bench.status()
            #expect(after == before, "\(after.text), \(before.text)")
            #expect(after["failures"]?.integer == failures, "\(fault): \(after.text)")
        }
    }

    @Test("A set waits on the disk of nobody: without the daemon it is not stored, and comes again")
    func withoutDaemon() throws {
        let bench = try SyncBench()
        bench.stopDaemon()
        #expect(try bench.sync("good").status == 1)
        #expect(try bench.state() == "not-stored")
    }

    @Test("The file is checked without a look")
    func check() throws {
        let bench = try SyncBench()
        #expect(try bench.sync("good", "--check").status == 0)
        let run = try bench.sync("good", extra: "Typo=1", "--check")
        #expect(run.status == 1)
        #expect(run.errors.contains("office.conf:7: Typo: unknown key in [Source]"))
        for (text, status) in [(nil, 1), ("\n", 1), ("secret\n", 0)] as [(String?, Int32)] {
            if let text { bench.directory.write(text, to: "password") }
            let run = try bench.sync(
                "good", extra: "[Auth]\nType=basic\nUser=box\nPassword=@password", "--check")
            #expect(run.status == status && run.errors.isEmpty == (status == 0))
            #expect(status == 0 || run.errors.contains("; it is a file of \(bench.directory.path)"))
        }
        #expect(bench.requests.isEmpty)
    }

    @Test("what a server repeats of a password is not told")
    func echo() throws {
        let bench = try SyncBench()
        bench.directory.write("tulip-4711\n", to: "password")
        // The test kit looks for it.
        let run = try bench.sync("echo", extra: "[Auth]\nType=basic\nUser=box\nPassword=@password")
        #expect(run.status == 1 && run.errors.contains("401 from 127.0.0.1: 1: … is box:…"))
    }

    @Test("a source that is paused is not looked at, whatever is missing, until somebody asks")
    func paused() throws {
        let bench = try SyncBench()
        try bench.sync("good")
        let whole = try bench.catalogue()
        #expect(try bench.tool("remove", "--origin", "source/office").status == 0)
        let removed = try bench.catalogue()
        #expect(removed != whole)
        func ask(_ request: String) {
            bench.directory.write(request, to: "status/office.request")
        }
        ask("pause\n")
        let asked = bench.requests.count
        for _ in 0..<3 {
            #expect(try bench.look(["--due"]).status == 0)
            #expect(try bench.state() == "paused")
        }
        #expect(bench.requests.count == asked)
        #expect(try bench.list().hasPrefix("office\t10 fences, paused; "))
        #expect(try bench.catalogue() == removed)
        ask("")
        #expect(try bench.look(["--due"]).status == 0)
        #expect(try bench.state() == "imported")
        #expect(try bench.catalogue() == whole)
    }

    @Test("geofencectl sync says how a source is doing, and how a held set is accepted")
    func list() throws {
        let bench = try SyncBench()
        #expect(try bench.list().isEmpty)
        try bench.sync("good")
        #expect(try bench.list().hasPrefix("office\t10 fences, imported "))
        try bench.sync("gone-60")
        let line = try bench.list()
        #expect(line.hasPrefix("office\t10 fences, held: would remove "))
        #expect(line.hasSuffix("; geofencectl sync office --accept\n"))
        let json = try JSONValue(parsing: try bench.list("--json"))
        #expect(json["source"]?.string == "office")
        #expect(json["state"]?.string == "held")
    }
}
