import Formats
import FormatsTestKit
import Foundation
import Model
import Testing

@Suite("beacon fences in files")
struct BeaconFenceTests {
    private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

    private static func rules() throws -> [BeaconRule] {
        let uuid = try #require(BeaconUUID(uuid))
        let space = try #require(BeaconNamespace("0102030405060708090a"))
        var trailer = BeaconRule(.minor(uuid, major: 1, minor: 2))
        trailer.isCompanion = true
        trailer.group = "trailer ü"
        var dock = BeaconRule(.major(uuid, 65_535))
        dock.sightings = 1
        dock.leastRSSI = -70
        return [
            trailer, dock, BeaconRule(.uuid(uuid)), BeaconRule(.namespace(space)),
            BeaconRule(.instance(space, 11)),
        ]
    }

    @Test("a fence written as GeoJSON is read back unchanged, with every property it may have")
    func roundTrip() throws {
        for rule in try Self.rules() {
            var fence = Fence(id: "a", subject: .beacons(rule), metadata: #"{"height":4}"#)
            fence = fence.unusual(FenceProperty.ofFences)
            let feature = FenceFileWriter.feature(fence)
            #expect(feature.contains(#""geometry":null"#))
            let content = FileContent(feature)
            #expect(content.fences == [fence], "\(content.messages)")
        }
    }

    @Test("every property of beacons is in a Feature under the name in the table")
    func table() throws {
        let text = try Self.rules().map {
            FenceFileWriter.feature(Fence(id: "a", subject: .beacons($0)))
        }.joined()
        for property in [FenceProperty.beacon] + FenceProperty.ofBeacons {
            #expect(text.contains("\"\(property.name)\":"), "\(property.name)")
        }
    }

    private static func feature(_ properties: String, _ geometry: String = "null") -> String {
        #"{"type":"Feature","id":"a","geometry":\#(geometry),"properties":{\#(properties)}}"#
    }

    private static let beacon = #""beacon":{"uuid":"\#(uuid)"}"#
    private static let point = #"{"type":"Point","coordinates":[11,48]}"#

    @Test(
        "an invalid one is refused with a reason",
        arguments: [
            (feature(""), "no geometry"),
            (feature(#""beacon":"x""#), "no geometry"),
            (
                feature(beacon + #","radius":50"#, point),
                "a beacon and a geometry: one of them is null"
            ),
            (feature(#""beacon":{}"#), "beacon has no uuid of 32 hexadecimal digits"),
            (feature(beacon + #","sightings":0"#), "sightings 0 is not 1 to 10"),
            (feature(beacon + #","sightings":1.5"#), "sightings is no whole number"),
            (feature(beacon + #","min_rssi":21"#), "min_rssi 21 is not -127 to 20"),
            (
                feature(beacon + #","active":"Mo-Fr""#),
                "a fence of beacons has no hours, limits of speed and stay, and end of its own"
            ),
            (
                feature(beacon + #","once":true"#),
                "a fence of beacons has no hours, limits of speed and stay, and end of its own"
            ),
            (feature(beacon + #","companion":1"#), "companion is neither true nor false"),
            (feature(beacon + #","group":"a""#), "a group without companion"),
            (feature(beacon + #","companion":true,"group":7"#), "group is no string"),
            (
                feature(beacon + #","companion":true,"group":"""#),
                "of the group: the id is empty"
            ),
        ])
    func refused(_ text: String, _ reason: String) {
        let content = FileContent(text)
        #expect(content.fences.isEmpty)
        #expect(content.messages.map { $0.hasSuffix(reason) } == [true], "\(content.messages)")
    }

    @Test("beside an area the other names are metadata, as before")
    func metadata() {
        let text = Self.feature(#""radius":50,"beacon":"red","sightings":3"#, Self.point)
        #expect(FileContent(text).fences.map(\.metadata) == [#"{"beacon":"red","sightings":3}"#])
    }

    @Test("the example is valid")
    func example() throws {
        let file = repository("docs/examples/beacons/yard.geojson")
        let content = FileContent(try String(contentsOf: file, encoding: .utf8))
        #expect(content.messages.isEmpty)
        #expect(content.fences.compactMap(\.beacons).count == 4)
    }

    @Test("CSV has no beacons and no approaches, and says so")
    func csv() {
        let content = FileContent("id,beacon\na,\(Self.uuid)\n")
        #expect(content.fences.isEmpty)
        #expect(content.messages.first?.contains("beacons are said in GeoJSON") == true)
        let hazards = FileContent("id,latitude,longitude,radius,Approach\na,48,11,50,cone\n")
        #expect(hazards.fences.isEmpty)
        #expect(hazards.messages.first?.contains("approaches are said in GeoJSON") == true)
    }
}
