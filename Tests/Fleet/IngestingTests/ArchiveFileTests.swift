import Bytes
import Foundation
import PostgreSQL
import Program
import SystemTestKit
import Testing

@testable import Ingesting

/// Files that are not what they were, and an archiving that is killed.
extension ArchiveTests {
    /// The file, changed as text, under another name.
    private func changed(_ change: (String) throws -> String) throws -> String {
        let text = try #require(Subprocess(["zstd", "-dc", file]).wait()).output
        let path = directory.write(try change(text), to: "changed.copy")
        #expect(try #require(Subprocess(["zstd", "-qf", path]).wait()).status == 0)
        return path + ".zst"
    }

    @Test("a file that was cut short or changed is refused whole, at any place")
    func broken() throws {
        try fill()
        _ = try archive()
        let (kept, bytes) = (try rows(), try Data(contentsOf: URL(filePath: file)))
        let path = directory.file("broken.copy.zst")
        for count in stride(from: 0, to: bytes.count, by: 7) {
            try bytes.prefix(count).write(to: URL(filePath: path))
            #expect(throws: Failure.self, "\(count) bytes") { try Restore.run(path, in: database) }
        }
        for place in stride(from: 0, to: bytes.count, by: 5) {
            var bytes = bytes
            bytes[place] ^= 0x10
            try bytes.write(to: URL(filePath: path))
            // Of the frame's descriptor a bit is unused.
            if try #require(Subprocess(["zstd", "-tq", path]).wait()).status == 0 { continue }
            #expect(throws: Failure.self, "byte \(place)") { try Restore.run(path, in: database) }
        }
        #expect(try rows() == kept)
        #expect(try archived() == [[week, "15"]])
    }

    @Test(
        "what is wrong in a file is named with its line",
        arguments: [
            ("# geofenced events 1", "# geofenced events 2", ":1", "no file of archived events"),
            ("# schema ", "# schema 99", ":3", "of version 99"),
            ("# week 20", "# week 19", "", "is no week, or it has events of another one"),
            ("nowhere", "", ":", "ends in the middle of a line"),
            ("# week 20", "# week XX", ":4", "cannot be read"),
            (" at kind", " kind at", ":7", "columns that are not those"),
            (
                "columns tenant box log seq at kind", "columns tenant box log seq at evil", ":7",
                "columns that"
            ),
            ("\texit\t", "\texit\t\t", ":", "14 columns instead of 13"),
            ("\texit\t", "\tquit\t", ":", "it was changed"),
            ("\n# rows ", "\n7\t# rows ", ":", "columns instead of"),
            ("# tenant 1 acme\n", "", ":", "which the file does not name"),
            ("# tenant 1 acme", "# tenant 1 acne", "", "its tenant 1 is acne, which is here acme"),
            ("# rows 15", "# rows 16", ":", "digest of the rows is another one"),
        ] as [(String, String, String, String)])
    func flaws(_ old: String, _ new: String, _ line: String, _ reason: String) throws {
        try fill()
        _ = try archive()
        let kept = try rows()
        let path = try changed { text in
            guard let place = text.range(of: old) else { return text + "x" }
            return text.replacingCharacters(
                in: old == "# schema "
                    ? place.lowerBound..<text.index(place.upperBound, offsetBy: 2) : place,
                with: new)
        }
        #expect {
            _ = try Restore.run(path, in: database)
        } throws: { error in
            "\(error)".contains(reason) && "\(error)".contains(path + line)
        }
        #expect(try rows() == kept)
        #expect(try archived() == [[week, "15"]])
    }

    @Test("a file of no event and of a week that is none takes nothing from another week")
    func noWeek() throws {
        try fill()
        _ = try archive()
        let kept = try rows()
        let year = Int(week.prefix(4)) ?? 0
        var nothing = SHA256()
        let last = String(ArchiveHeader.last(0, nothing.finish()).dropLast())
        for number in 54...99 {
            let path = try changed { text in
                var lines = text.split(separator: "\n").filter { $0.hasPrefix("# ") }.map(
                    String.init)
                try #require(lines.count > 3)
                lines[3] = "# week \(year - 1)-W\(number)"
                lines[lines.count - 1] = last
                return lines.joined(separator: "\n") + "\n"
            }
            #expect(throws: Failure.self, "\(number)") { try Restore.run(path, in: database) }
        }
        #expect(try take(3, #""kind":"overspeed","fence":"a""#, hour: 30) == "0")
        #expect(try rows() == kept)
    }

    @Test("an older file of a week that was archived again is not taken for all of it")
    func older() throws {
        try fill()
        _ = try archive()
        let old = directory.file("old.copy.zst")
        try FileManager.default.moveItem(atPath: file, toPath: old)
        _ = try Restore.run(old, in: database)
        try take(8, after: 7, #""kind":"overspeed","fence":"a""#, hour: 31)
        let whole = try rows()
        #expect(try archive() == ["\(week): 16 events are in \(file)"])
        #expect {
            _ = try Restore.run(old, in: database)
        } throws: { "\($0)".contains("is not what \(week) was archived to last: 16 events on ") }
        #expect(try archived() == [[week, "16"]])
        _ = try Restore.run(file, in: database)
        #expect(try rows() == whole)
        // Of a week that is not archived it has nothing new.
        #expect(try Restore.run(old, in: database).contains("0 of 15"))
    }

    @Test("a file that another shard puts there meanwhile is not replaced")
    func meanwhile() throws {
        try fill()
        let (whole, aside) = (try rows(), directory.file("aside"))
        chmod(directory.path, 0o777)
        // It is asked for after the look for a former file.
        try database.runAll(
            """
            ALTER FUNCTION fleet.identity RENAME TO own_identity;
            CREATE FUNCTION fleet.identity() RETURNS uuid LANGUAGE plpgsql AS $$ BEGIN
                COPY (SELECT 'of another one') TO '\(aside)';
                COPY (SELECT '') TO PROGRAM 'mv \(aside) \(file)';
                RETURN fleet.own_identity();
            END $$
            """)
        #expect { _ = try archive() } throws: { "\($0)".contains("File exists") }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "of another one\n")
        #expect(try rows() == whole && archived().isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    }

    @Test("a file of another database is refused, and so is anything that is none")
    func strangers() throws {
        try fill()
        _ = try archive()
        try database.runAll("UPDATE fleet.identity SET id = gen_random_uuid()")
        #expect { _ = try Restore.run(file, in: database) } throws: {
            "\($0)".hasPrefix("is of the database ")
        }
        for path in ["/dev/zero", directory.path, directory.file("none"), "/etc/hostname"] {
            #expect(throws: Failure.self, "\(path)") { try Restore.run(path, in: database) }
        }
    }

    @Test("killed at any moment, a week is whole in the database, or its verified file is there")
    func kills() throws {
        try fill()
        try database.runAll(
            """
            INSERT INTO fleet.event (tenant, box, log, seq, at, kind, fence, title, stay, inferred, details)
                SELECT tenant, box, log, 1000 + n, at, kind, fence, title, stay, inferred,
                    details || jsonb_build_object('n', md5(n::text))
                FROM fleet.event, generate_series(1, 3000) AS n WHERE seq < 5
            """)
        let whole = try rows()
        let before = try reports()
        var chance = SystemRandomNumberGenerator()
        var archivedBefore = 0
        for number in 0..<24 {
            let archives = number % 2 == 0
            let words =
                archives
                ? ["archive", "--before", end, "--to", directory.path] : ["restore", file]
            let run = Subprocess(
                [builtProgram("geofenced-ingest")] + words + ["--database", server.address])
            usleep(UInt32.random(in: 1_000...700_000, using: &chance))
            run.signal(SIGKILL)
            _ = run.wait(seconds: 10)
            // The session ends after what it does now.
            waitUntil(seconds: 20) {
                (try? database.run(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE application_name = 'geofenced-ingest'
                    """
                ).values) == [["0"]]
            }
            #expect(try reports() == before)
            if try archived().isEmpty {
                #expect(try rows() == whole)
            } else {
                archivedBefore += 1
                let reader = try ArchiveReader(file)
                while try reader.next() != nil {}
                #expect(reader.rows == whole.count - 3)
                if archives { continue }
                _ = try Restore.run(file, in: database)
                #expect(try rows() == whole)
            }
        }
        _ = try archive()
        _ = try Restore.run(file, in: database)
        #expect(try rows() == whole)
    }
}
