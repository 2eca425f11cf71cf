import Ingesting
import Program
import Reports
import Testing

@Suite("The command line of geofenced-ingest") struct IngestArgumentsTests {
    @Test("a verb comes first, and has options of its own")
    func verbs() throws {
        let plain = try IngestArguments([])
        #expect(plain.verb == .run)
        #expect(plain.config == "/etc/geofenced/ingest.conf")
        let run = try IngestArguments(["--worker", "w1", "--config=/c", "--take-over"])
        #expect(run.takesOver && !plain.takesOver)
        #expect(run.verb == .run && run.worker == "w1" && run.config == "/c")
        let report = try IngestArguments([
            "report", "--tenant", "acme", "--place=wh/WDF01", "--format", "csv",
            "--by", "trip",
        ])
        #expect(report.key == .trip)
        #expect(report.verb == .report && report.format == .csv)
        let forget = try IngestArguments(["forget", "acme/b1", "--database", "dbname=f"])
        #expect(forget.verb == .forget && forget.selection.box == "acme/b1")
        let fences = try IngestArguments(["fences", "--tenant", "acme", "set.geojson"])
        #expect(fences.file == "set.geojson" && fences.selection.tenant == "acme")
        #expect(try IngestArguments(["metrics", "--output", "x.prom"]).output == "x.prom")
        let driver = try IngestArguments(["forget", "--driver", "Bob", "--tenant=acme"])
        #expect(driver.driver == "Bob" && driver.selection.tenant == "acme")
        #expect(throws: Failure.self) { try IngestArguments(["retire"]) }
        let over = try IngestArguments(["setup", "--report-over", "host=a", "--report-over=host=b"])
        #expect(over.shards == ["host=a", "host=b"])
        let move = try IngestArguments(["move", "acme/b1", "--to", "host=b"])
        #expect(move.selection.box == "acme/b1" && move.destination == "host=b")
        let archive = try IngestArguments(["archive", "--before", "2026-08-01", "--to", "/srv"])
        #expect(archive.before == "2026-08-01" && archive.destination == "/srv")
        #expect(try IngestArguments(["restore", "a", "b"]).files == ["a", "b"])
        #expect(report.selection.tenant == "acme" && report.selection.place == "wh/WDF01")
    }

    @Test(
        "errors are named",
        arguments: [
            (["rum"], "unknown verb: rum (did you mean run?)"),
            (["run", "x"], "unexpected argument: x"),
            (["status", "--worker", "w1"], "not an option of status: --worker"),
            (["status", "--take-over"], "not an option of status: --take-over"),
            (["--place", "x"], "not an option of run: --place"),
            (["setup", "--tenant"], "option needs a value: --tenant"),
            (["run", "--fly"], "unknown option: --fly"),
            (["report", "--format", "xls"], "none of table, csv, json, html: --format xls"),
            (
                ["report", "--by", "box"],
                "none of place, day, driver, jurisdiction, trip: --by box"
            ),
            (["report", "--by", "jurisdiction"], "missing option: --areas"),
            (["report", "--areas", "f"], "is for --by jurisdiction alone: --areas"),
            (
                ["report", "--by", "jurisdiction", "--areas", "f", "--place", "x"],
                "does not go with --by jurisdiction: --place"
            ),
            (["assign", "--tenant", "acme"], "missing option: --box"),
            (["fences", "x"], "missing option: --tenant"),
            (["archive", "--to", "x"], "missing option: --before"),
            (["archive", "--before", "today"], "missing option: --to"),
            (["restore"], "missing argument: FILE"),
            (["fences", "--tenant", "acme"], "missing argument: FILE"),
            (["metrics", "--tenant", "acme"], "not an option of metrics: --tenant"),
            (["move", "b1"], "missing option: --to"),
            (["move", "--to", "host=b"], "missing argument: BOX"),
            (["forget", "b1", "--to", "x"], "not an option of forget: --to"),
            (
                ["setup", "--report-over", "x", "--tenant", "t"],
                "tenants are made at their shards: --tenant"
            ),
            (["forget", "b1", "b2"], "unexpected argument: b2"),
            (["forget", "--tenant", "acme"], "missing argument: BOX"),
            (["forget", "b1", "--driver", "Bob"], "a box, and --driver Bob: b1"),
            (["retire", "b1", "--box", "b2"], "not an option of retire: --box"),
        ])
    func usage(_ arguments: [String], _ reason: String) {
        #expect(throws: Failure.usage(reason)) {
            try IngestArguments(arguments)
        }
    }

    @Test(
        "help and version end the reading",
        arguments: [(["-h"], EarlyExit.help), (["report", "--version"], .version)])
    func ends(_ arguments: [String], _ exit: EarlyExit) {
        #expect(throws: exit) { try IngestArguments(arguments) }
    }
}
