import Foundation
import Testing

@testable import Geodesy

@Suite("Antimeridian and poles")
struct SeamTests {
    static let names = [
        "almost-180", "complex-split", "cw-split", "issues-164", "issues-174", "issues-201",
        "latitude-band", "north-pole", "one-hole", "over-180", "point-on-antimeridian",
        "south-pole", "two-holes",
    ]

    @Test(
        "a polygon written carelessly is the one cut at ±180 as RFC 7946 has it", arguments: names)
    func careless(name: String) throws {
        let cases = try #require(
            try Shipped.object("antimeridian.json")["cases"] as? [[String: Any]])
        let one = try #require(cases.first { $0["name"] as? String == name })
        let raw = try Area(GeoJSON.geometry(#require(one["input"] as? [String: Any])))
        let cut = try Area(GeoJSON.geometry(#require(one["fixed_flat"] as? [String: Any])))
        #expect(abs(raw.size / cut.size - 1) < 1e-6)
        #expect(raw.inradii.count == 1 && cut.inradii.count == 1)
        #expect(abs(raw.inradii[0] / cut.inradii[0] - 1) < 0.01)
        var random = Seeded(7)
        for _ in 0..<300 {
            let p = point(random.number(-90...90), random.number(-180...180))
            let a = raw.signedDistance(to: p)
            let b = cut.signedDistance(to: p)
            #expect((a <= 0) == (b <= 0))
            #expect(abs(a - b) <= 1e-4 * abs(a) + 5e-3, "\(p.coordinate)")
        }
    }

    @Test("Fiji, Chukotka and Antarctica have no boundary along ±180")
    func countries() throws {
        let areas = Dictionary(
            uniqueKeysWithValues: try Shipped.areas("seam_countries.geojson").map {
                ($0.id, $0.area)
            })
        let fiji = try #require(areas["Fiji"])
        #expect(fiji.inradii.count == 2)
        #expect(fiji.boundingBox.east - fiji.boundingBox.west < 5)
        // Taveuni, on the seam: the sea is 15 km away, not 0.
        #expect(fiji.signedDistance(to: point(-16.35, 180)) < -5000)
        #expect(
            abs(
                fiji.signedDistance(to: point(-16.35, 179.9999))
                    - fiji.signedDistance(to: point(-16.35, -179.9999))) < 30)
        let russia = try #require(areas["Russia"])
        #expect(russia.inradii.count == 2)
        #expect(russia.signedDistance(to: point(67, 180)) < -100_000)
        // The two sides do not meet in the same vertex there, by 1e-13 degrees.
        #expect(russia.signedDistance(to: point(64.97970870219847, 180)) < 1)
        let antarctica = try #require(areas["Antarctica"])
        #expect(antarctica.signedDistance(to: point(-90, 0)) < -450_000)
        #expect(antarctica.signedDistance(to: point(-89, 180)) < -350_000)
        #expect(
            antarctica.crossings(
                of: PathSegment(from: point(-88, 179.99), to: point(-88, -179.99))
            ).isEmpty)
    }

    @Test("parts that meet at ±180 count as one, also where their vertices differ")
    func differing() throws {
        let cut = try Area(
            .polygons([
                [box(178, 0, 180, 2)],
                [
                    [
                        at(0.5, -180), at(0.5, -179), at(1.5, -179), at(1.5, -180),
                        at(1.2, -180), at(0.9, -180), at(0.5, -180),
                    ]
                ],
            ]))
        #expect(cut.inradii.count == 1)
        // Inside, 1.5 degrees west of the east rim.
        #expect(cut.signedDistance(to: point(1, 180)) < -50_000)
        // If only one side reaches ±180, that is its boundary.
        let rim = cut.signedDistance(to: point(1.8, 179.99))
        #expect(rim < 0 && rim > -1200)
        let outside = cut.signedDistance(to: point(1.8, -179.99))
        #expect(outside > 0 && outside < 1200)
    }

    @Test("two parts on one side of ±180 do not hide each other's edge")
    func oneSide() throws {
        let area = try Area(.polygons([[box(178, 0, 180, 2)], [box(179, 0, 180, 2)]]))
        #expect(abs(area.signedDistance(to: point(1, 180))) < 1e-3)
        #expect(area.signedDistance(to: point(1, -179.99)) > 1000)
    }

    @Test(
        "a ring round a pole encloses it, a full band does not end at ±180",
        arguments: [
            ("cap", [at(60, 0), at(60, 120), at(60, -120), at(60, 0)], 90.0, true),
            ("cap, south", [at(-60, 0), at(-60, 120), at(-60, -120), at(-60, 0)], -90, true),
            ("cap, not the other", [at(60, 0), at(60, 120), at(60, -120), at(60, 0)], -90, false),
            ("cap cut at ±180", box(-180, 60, 180, 90), 90, true),
            ("cap from 0 to 360", box(0, 60, 360, 90), 90, true),
            (
                "cap with a spur to the pole",
                [at(60, -180), at(60, 0), at(60, 180), at(90, 180), at(90, -180), at(60, -180)],
                90, true
            ),
            (
                "southern ring that names the north pole",
                [
                    at(-10, -180), at(-10, -60), at(-10, 60), at(-10, 180), at(90, 180),
                    at(90, -180), at(-10, -180),
                ], 90, true
            ),
        ])
    func poles(name: String, ring: [Coordinate], pole: Double, isInside: Bool) throws {
        let area = try Area(.polygons([[ring]]))
        let distance = area.signedDistance(to: point(pole, 77))
        #expect((distance < -3_000_000) == isInside, "\(name)")
        #expect((distance > 3_000_000) == !isInside, "\(name)")
        for longitude in [-180, -179.999, 0, 0.001, 179.999] {
            let edge = ring[0].latitude
            let near = point(edge + (edge > 0 || name.contains("names") ? 1 : -1), longitude)
            let depth = area.signedDistance(to: near)
            // A degree of latitude from the edge, and nothing else is near.
            #expect(depth < -110_000 && depth > -112_000, "\(name) \(longitude)")
        }
        #expect(area.inradii.count == 1)
    }

    @Test("the whole Earth has an inside and no boundary")
    func earth() throws {
        let area = try Area(.polygons([[box(-180, -90, 180, 90)]]))
        #expect(area.signedDistance(to: point(12, 34)) < -1e7)
        #expect(abs(area.size / 5.10065621724e14 - 1) < 1e-6)
        #expect(area.crossings(of: PathSegment(from: point(0, 179), to: point(1, -179))).isEmpty)
    }

    @Test("traccar's cases over ±180 and Greenwich")
    func traccar() throws {
        let all = try Shipped.object("traccar.json")
        func position(_ json: Any) throws -> Coordinate {
            let v = try #require(json as? [NSNumber])
            return at(v[0].doubleValue, v[1].doubleValue)
        }
        func line(_ json: Any?) throws -> [Coordinate] {
            try #require(json as? [Any]).map(position)
        }
        func judge(_ area: Area, _ one: [String: Any]) throws {
            if let p = one["point"] {
                let isInside = area.signedDistance(to: SurfacePoint(try position(p))) <= 0
                #expect(isInside == (one["contains"] as? Bool), "\(one)")
            } else {
                let ends = try line(one["segment"])
                let path = PathSegment(
                    from: SurfacePoint(ends[0]), to: SurfacePoint(ends[1]))
                #expect(area.meets(path) == (one["intersects"] as? Bool), "\(one)")
            }
        }
        for one in try #require(all["circle"] as? [[String: Any]]) {
            let circle = try #require(one["circle"] as? [String: Any])
            let radius = try #require(circle["radius_m"] as? NSNumber).doubleValue
            let center = try position(#require(circle["center"]))
            try judge(Area(.circle(center: center, radius: radius)), one)
        }
        for one in try #require(all["polygon"] as? [[String: Any]]) {
            let ring = try line(one["polygon"])
            try judge(Area(.polygons([[ring + [ring[0]]]])), one)
        }
        for one in try #require(all["corridor"] as? [[String: Any]]) {
            let half = try #require(one["half_width_m"] as? NSNumber).doubleValue
            // Traccar has corridors of width 0, which are refused here: they get a centimetre.
            let width = max(2 * half, 0.01)
            try judge(Area(.corridor(line: line(one["line"]), width: width)), one)
        }
    }
}
