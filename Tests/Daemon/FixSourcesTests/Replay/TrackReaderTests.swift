import Foundation
import Geodesy
import Model
import SystemTestKit
import Testing
import Time

@testable import FixSources

@Suite("Recordings")
struct TrackReaderTests {
    private func all(_ path: String) throws -> [PositionReport] {
        let reader = try TrackReader(path: path)
        var all: [PositionReport] = []
        while let report = try reader.next() { all.append(report) }
        return all
    }

    private func failure(_ path: String) -> TrackError? {
        do {
            _ = try all(path)
            return nil
        } catch {
            return error as? TrackError
        }
    }

    @Test("a GPX track: a real drive")
    func gpxDrive() throws {
        let points = try all(dataFolder.appending(path: "car_visnjan_sparse_2020.gpx").path)
        #expect(points.count == 104)
        #expect(points[0].time == utc("2020-12-18T06:15:50Z"))
        #expect(
            points[0].coordinate == Coordinate(latitude: 45.2735188510, longitude: 13.7142099626))
        #expect(points.allSatisfy { $0.hasFix && $0.error == nil })
    }

    @Test("the contents of a track point")
    func gpxPoint() throws {
        let folder = try TemporaryFolder()
        let text = """
            <?xml version="1.0"?>
            <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x">
            <wpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time></wpt>
            <trk><trkseg>
            <trkpt lat=" 45.5 " lon="-13.25"><time> 2020-01-01T01:00:00.25+01:00 </time>
              <hdop>1.2</hdop><extensions><x:TrackPointExtension><x:speed>12.5</x:speed>
              <x:course>90</x:course><x:time>1999-01-01T00:00:00Z</x:time><x:hdop>9</x:hdop>
              <x:fix>none</x:fix></x:TrackPointExtension></extensions></trkpt>
            <trkpt lat="45.5" lon="-13.25"><speed>3</speed><fix>none</fix><hdop>0</hdop></trkpt>
            <trkpt lat="45.5" lon="-13.25"><hdop>2</hdop><fix>dgps</fix></trkpt>
            <trkpt lat="45.5"><time>yesterday</time></trkpt>
            </trkseg></trk></gpx>
            """
        let points = try all(folder.write(text.utf8, as: "a.gpx"))
        #expect(
            points == [
                PositionReport(
                    time: utc("2020-01-01T00:00:00.25Z"), hasFix: true,
                    coordinate: Coordinate(latitude: 45.5, longitude: -13.25), error: 18,
                    speed: 12.5, course: 90),
                PositionReport(
                    time: nil, hasFix: false,
                    coordinate: Coordinate(latitude: 45.5, longitude: -13.25), speed: 3),
                PositionReport(
                    time: nil, hasFix: true,
                    coordinate: Coordinate(latitude: 45.5, longitude: -13.25), error: 7.5),
                PositionReport(time: nil, hasFix: false, coordinate: nil),
            ])
    }

    @Test("a gpsd log: every TPV is read, whatever surrounds it")
    func gpsd() throws {
        let folder = try TemporaryFolder()
        let tpv =
            #"{"class":"TPV","device":"/dev/x","mode":3,"time":"2024-03-02T12:00:00.290Z","#
            + #""lat":49.5,"lon":12.25,"epx":3,"epy":4,"speed":2.5,"track":131.9,"new":{"a":[1,"}"]}}"#
        let text = [
            #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
            tpv, tpv.replacing(#""class":"#, with: #""class" : "#),
            "2024-03-02T12:00:00Z: " + tpv.replacing(#""epx""#, with: #""eph":9.5,"epx""#),
            #"{"class":"TPV","device":"/dev/x","mode":1}"#,
            #"{"class":"SKY","satellites":[]}"#, #"{"class":"TPV","mode":3,"lat":49"#,
        ].joined(separator: "\r\n")
        let reader = try TrackReader(path: folder.write(text.utf8, as: "a.json"))
        var found: [PositionReport] = []
        while let report = try reader.next() { found.append(report) }
        var expected = PositionReport(
            time: utc("2024-03-02T12:00:00.29Z"), hasFix: true,
            coordinate: Coordinate(latitude: 49.5, longitude: 12.25), error: 5, speed: 2.5,
            course: 131.9)
        var all = [expected, expected]
        expected.error = 9.5
        all += [expected, PositionReport(time: nil, hasFix: false, coordinate: nil)]
        #expect(found == all)
        #expect(reader.complaint == "1 TPV objects passed over, the first in line 7")
    }

    @Test("of points without a time that can be read the complaint speaks of the time")
    func undated() throws {
        let folder = TemporaryDirectory()
        func complaint(_ text: String, _ name: String) throws -> String? {
            let reader = try TrackReader(path: folder.write(text, to: name))
            while try reader.next() != nil {}
            return reader.complaint
        }
        let times = ["2024-05-01t10:00:00z", "20240501T100000Z", "2024-05-01T10:00Z", ""]
        let points = times.map { #"<trkpt lat="1" lon="2"><time>\#($0)</time></trkpt>"# }
        #expect(
            try complaint("<gpx>" + points.joined() + "</gpx>", "a.gpx")
                == "3 points without a time that can be read, such as “20240501T100000Z”")
        #expect(try complaint("<gpx>" + points[0] + "</gpx>", "b.gpx") == nil)
        let fix = #"{"class":"TPV","mode":3,"lat":1,"lon":2}"#
        #expect(
            try complaint(fix + "\n" + fix + "\n", "c.json")
                == "2 positions without a time")
    }

    @Test("compressed or not, in one chunk or many, the reports are the same")
    func compressed() throws {
        let folder = try TemporaryFolder()
        let plain = try data("gpsd/haicom-305N.log.gz")
        let path = try folder.write(plain, as: "plain.nmea")
        let packed = dataFolder.appending(path: "gpsd/haicom-305N.log.gz").path
        #expect(try all(path) == all(packed))
        #expect(try all(path).count > 60)
    }

    @Test("an unreadable part is reported with file and line")
    func failures() throws {
        let folder = try TemporaryFolder()
        let missing = folder.url.appending(path: "none").path
        #expect(failure(missing)?.description == "No such file or directory: \(missing)")
        #expect(failure(folder.url.path)?.reason == "Is a directory")
        let empty = try folder.write([], as: "empty")
        #expect(failure(empty)?.description == "the file is empty: \(empty)")
        let text = try folder.write("hello\nworld\n".utf8, as: "text")
        #expect(failure(text)?.reason == "neither NMEA sentences nor GPX nor gpsd objects in it")
        let sums = try folder.write("$GPGGA,1,2*00\r\n$GPRMC,1,2*00\r\n".utf8, as: "sums")
        #expect(
            failure(sums)?.reason
                == "NMEA sentences, but not one with a right checksum (2 with a wrong one)")
        let kml = try folder.write("<?xml version='1.0'?><kml><Document/></kml>".utf8, as: "a.kml")
        #expect(failure(kml)?.reason == "KML is not read: a track is GPX, NMEA or gpsd's JSON")
        let html = try folder.write("<html></html>".utf8, as: "a.html")
        #expect(failure(html)?.reason == "no GPX: there is no element <gpx>")
        let cut = try folder.write(
            "<gpx>\n<trkpt lat=\"1\" lon=\"2\"></trkpt>\n<trkpt".utf8, as: "cut.gpx")
        #expect(failure(cut)?.description == "not well-formed XML: unclosed token: \(cut):3")
    }

    @Test("NMEA behind gpsd's first objects, as gpspipe -r writes it")
    func gpspipe() throws {
        let folder = try TemporaryFolder()
        let head = """
            {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
            {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0","driver":"NMEA0183"}]}
            {"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0,"scaled":false}

            """
        let log = try data("gpsd/haicom-305N.log.gz")
        let plain = try folder.write(log, as: "plain.nmea")
        let piped = try folder.write(Array(head.utf8) + log, as: "piped")
        #expect(try TrackReader(path: piped).format == .nmea)
        #expect(try all(piped) == all(plain))
        #expect(try TrackReader.isRecording(piped))
        // Of both, as gpspipe -r -w writes, gpsd's own objects count.
        let tpv = #"{"class":"TPV","device":"a","mode":3,"time":"2020-01-01T00:00:00Z"}"# + "\n"
        let both = Array(head.utf8) + Array(log.prefix(500)) + Array(tpv.utf8)
        let mixed = try folder.write(both, as: "mixed")
        #expect(try TrackReader(path: mixed).format == .gpsd)
        let alone = try folder.write(head.utf8, as: "alone")
        #expect(try TrackReader(path: alone).format == .gpsd)
    }

    @Test("a recording in a zip archive is read", arguments: ["drive.nmea", "logs/DRIVE.LOG"])
    func zipped(_ name: String) throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write(try data("gpsd/haicom-305N.log.gz"), as: "plain")
        let archive = try zip(["README.md": "hello", name: plain], in: folder)
        #expect(try all(archive) == all(plain))
        #expect(try TrackReader.isRecording(archive))
        let empty = try zip(["picture.png": "x"], in: folder)
        #expect(failure(empty)?.reason == "no such file in the zip archive")
        let fences = try zip(["doc.kml": "<kml/>"], in: folder)
        #expect(try !TrackReader.isRecording(fences))
        #expect(
            failure(fences)?.reason.hasPrefix("KMZ, which is KML in a zip archive, is not") == true)
    }

    /// An archive of these files, whose contents are given, or a path to them.
    private func zip(_ files: KeyValuePairs<String, String>, in folder: TemporaryFolder) throws
        -> String
    {
        let path = folder.url.appending(path: "\(files[0].key.count)-\(files.count).zip").path
        let script = """
            import os, sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
                for name, what in zip(sys.argv[2::2], sys.argv[3::2]):
                    z.writestr(name, open(what).read() if os.path.exists(what) else what)
            """
        let run = Subprocess(
            ["python3", "-c", script, path] + files.flatMap { [$0.key, $0.value] })
        let ending = try #require(run.wait())
        try #require(ending.status == 0, "\(ending.errors)")
        return path
    }

    @Test("what cannot be read says what it is and what to do")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let marks: [(String, [UInt8])] = [
            ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
            ("bzip2", Array("BZh9".utf8)), ("7-Zip", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        ]
        for (name, mark) in marks {
            let path = try folder.write(mark + [1, 2, 3], as: name)
            #expect(
                failure(path)?.reason == "compressed with \(name), which is not read:"
                    + " unpack it, or compress it with gzip or zip")
        }
        let bare = (0..<3).map {
            "$GPRMC,12000\($0),A,4901.5940,N,01203.9163,E,10.0,131.9,020324,,\r\n"
        }
        let path = try folder.write(bare.joined().utf8, as: "bare.nmea")
        #expect(
            failure(path)?.reason.hasPrefix("NMEA sentences without checksums (3), which are not")
                == true)
        let points = """
            <gpx><wpt lat="1" lon="2"><time>2020-01-01T00:00:00Z</time></wpt>
            <rte><rtept lat="1" lon="2"><time>2020-01-01T00:00:00Z</time></rtept>
            <rtept lat="1" lon="2"/></rte></gpx>
            """
        #expect(
            failure(try folder.write(points.utf8, as: "route.gpx"))?.reason.hasPrefix(
                "no track in this GPX file, but 1 waypoints and 2 points of routes") == true)
    }

    @Test("a broken gzip file: the part before the break is read, then it is reported")
    func brokenGzip() throws {
        let folder = try TemporaryFolder()
        let packed = try Data(contentsOf: dataFolder.appending(path: "gpsd/haicom-305N.log.gz"))
        let short = try folder.write(packed.dropLast(packed.count / 4), as: "short.gz")
        let reader = try TrackReader(path: short)
        var count = 0
        let error = #expect(throws: TrackError.self) {
            while try reader.next() != nil { count += 1 }
        }
        #expect(count > 10)
        #expect(error?.reason == "compressed data end too early")
        #expect((error?.line ?? 0) > 50)

        var damaged = packed
        damaged[packed.count / 2] ^= 0xFF
        let path = try folder.write(damaged, as: "damaged.gz")
        #expect(failure(path)?.reason.hasPrefix("compressed data are broken: ") == true)
    }

    @Test(
        "a few kilobytes that unpack to gigabytes of nothing are not read to their end",
        arguments: [
            rmc("120000"), "{\"class\":\"TPV\",\"mode\":1}\n",
            "<gpx><trkpt lat='1' lon='2'></trkpt>",
        ])
    func bomb(_ beginning: String) throws {
        let folder = try TemporaryFolder()
        for filler in [" ", "\n", "$", "x"] {
            let plain = beginning + String(repeating: filler, count: 4 << 20)
            let path = try folder.write(plain.utf8, as: "bomb")
            try #require(Subprocess(["gzip", "--force", path]).wait()?.status == 0)
            let reader = try TrackReader(path: path + ".gz", patience: 1 << 20)
            var count = 0
            let error = #expect(throws: TrackError.self) {
                while try reader.next() != nil { count += 1 }
            }
            #expect(error?.reason == "1 MiB without a position")
            #expect(count <= 1)
        }
    }

    @Test("three hours at 1 Hz take a moment, unoptimized and on a busy machine")
    func speed() throws {
        let folder = try TemporaryFolder()
        var text = ""
        text.reserveCapacity(10_800 * 160)
        for second in 0..<10_800 {
            let time = String(
                second / 3600 * 10_000 + second / 60 % 60 * 100 + second % 60 + 1_000_000
            )
            .dropFirst()
            text += rmc(String(time)) + gga(String(time))
        }
        let path = try folder.write(text.utf8, as: "day.nmea")
        let clock = ContinuousClock()
        var count = 0
        let time = try clock.measure { count = try all(path).count }
        #expect(count == 10_800)
        #expect(time < .seconds(20))
    }
}
