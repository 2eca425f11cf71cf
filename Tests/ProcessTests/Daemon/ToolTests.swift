import Foundation
import JSON
import SystemTestKit
import Testing

extension DaemonTests {
    @MainActor
    @Suite("with the tool")
    struct ToolTests {
        @Test("fences are added, shown, listed, imported and removed; the window and events follow")
        func verbs() throws {
            let receiver = try Receiver()
            let gpsd = try Gpsd(receiver: receiver)
            let trace = try Trace.drive()
            let bench = try DaemonBench()
            bench.source = gpsd.uri
            try gpsd.start()
            try gpsd.record()
            try bench.startAndWait()
            let status = try #require(try bench.json("status").first)
            #expect(status["state"]?.string == "running")
            #expect(status["source"]?.string == gpsd.uri)
            #expect(status["fences"]?.integer == 0)
            #expect(try bench.json("events").isEmpty)

            #expect(try bench.tool("add", "pole", "--circle", "89,0,50").status == 0)
            #expect(try bench.tool("import", trace.fences).status == 0)
            let listed = try bench.json("list")
            #expect(listed.count > 5)
            #expect(try bench.json("show", "gate").first?["id"]?.string == "gate")

            let follower = Subprocess([
                builtProgram("geofencectl"), "--bus", try #require(bench.bus).address, "events",
                "--follow", "--json",
            ])
            try #require(waitUntil { !bench.said("fixes come from gpsd").isEmpty })
            try receiver.send(trace.epochs)
            try #require(waitUntil { gpsd.fixes >= trace.epochs.count - 2 })
            try #require(bench.waits(forFixAt: gpsd.lastFix))
            let golden = try trace.golden().map(\.crossing)
            #expect(try bench.events().map(\.crossing) == golden)
            #expect(waitUntil { follower.outputSoFar.count(where: \.isNewline) == golden.count })
            #expect(
                try follower.outputSoFar.jsonLines.map { try LoggedLine($0) } == bench.events())
            let last = try #require(try bench.json("status").first)
            #expect(last["last_seq"]?.integer == Int64(golden.count))
            #expect(last["position_state"]?.string == "known")
            let window = try bench.json("window")
            #expect(
                window.contains {
                    $0["id"]?.string == "street" && $0["presence"]?.string == "inside"
                }, "\(window.map(\.text))")

            #expect(try bench.tool("remove", "street").status == 0)
            #expect(
                waitUntil { (try? bench.events().last?.crossing) == "exit street" })
            #expect(try bench.events().last?.reason == "fence-removed")
            let missing = try bench.tool("show", "street")
            #expect(missing.status == 1)
            #expect(missing.errors.hasPrefix("geofencectl: "))
            #expect(try bench.json("list").count == listed.count - 1)

            follower.signal(SIGINT)
            #expect(follower.wait() != nil)
            #expect(try bench.stop().status == 0)
            let gone = try bench.tool("status")
            #expect(gone.status == 1)
            #expect(gone.errors.count(where: \.isNewline) == 1, "\(gone.errors)")
        }

        @Test("a set of a named origin survives a kill, keeps to its quota, and is removed alone")
        func origins() throws {
            let bench = try DaemonBench()
            bench.directory.write("[Origins]\nMaxFences=3\n", to: "geofenced.conf")
            let header = "id,latitude,longitude,radius\n"
            bench.directory.write(header + "yard,2,2,50\n", to: "fences.d/yard.csv")
            try bench.startAndWait()
            func set(_ ids: [String]) throws -> Subprocess.Ending {
                try bench.tool(
                    "import", "--replace", "--origin", "source/depots", "-",
                    input: header + ids.map { "\($0),1,1,50\n" }.joined())
            }
            #expect(try bench.tool("add", "own", "--circle", "3,3,50").status == 0)
            let made = try set(["a", "b", "yard", "own"])
            #expect(made.status == 0 && made.output.contains("2 new or changed, 0 removed"))
            #expect(
                made.errors.contains("belongs to the file yard.csv; the entry of source/depots"))
            #expect(made.errors.contains("belongs to the bus; the entry of source/depots"))
            let log = bench.property("LogId")
            bench.kill()
            try bench.startAndWait()
            #expect(bench.property("LogId") == log && log?.count == 34)
            #expect(
                try bench.json("list", "--origin", "source/depots").map { $0["id"]?.string }
                    == ["a", "b"])
            #expect(
                try bench.json("list", "--origin", "file:yard.csv").map { $0["id"]?.string }
                    == ["yard"])
            let refused = try set(["a", "c", "d", "e"])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("more than 3 fences of source/depots"))
            #expect(try set(["a", "c", "d"]).output.contains("2 new or changed, 1 removed"))
            #expect(try bench.tool("remove", "--origin", "file:yard.csv").status == 1)
            #expect(
                try bench.tool("remove", "--origin", "source/depots").output
                    == "source/depots: 3 removed\n")
            #expect(try bench.json("list").map { $0["id"]?.string } == ["own", "yard"])
            #expect(try bench.stop().status == 0)
        }
    }
}
