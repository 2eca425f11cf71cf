import FixSources
import Law
import Model
import Testing
import Time

@Suite("Recorded sightings")
struct SightingFileTests {
    private static let data = "02011a1aff4c000215daf246ce836311e4b116123b93f75cba00000002c2"

    private static func sighting(_ line: String) -> Result<ReplaySighting?, SightingFile.Flaw> {
        SightingFile.sighting(Array(line.utf8))
    }

    @Test("a line has a time, an address, an RSSI and the bytes", arguments: ["address", "addr"])
    func line(_ key: String) throws {
        let place = #""\#(key)": "C0:00:00:00:02:02""#
        let line = #"{"t": 0.166, \#(place), "rssi": -87, "data": "\#(Self.data)"}"#
        let found = try #require(try Self.sighting(line).get())
        #expect(found.time == .boot + .milliseconds(166))
        #expect(found.sightings.map(\.rssi) == [-87])
        #expect(
            found.sightings.map(\.identity.text) == ["daf246ce-8363-11e4-b116-123b93f75cba/0/2"])
    }

    @Test("an advertisement without a beacon is not a sighting; an RSSI may be missing")
    func others() throws {
        let none = #"{"t": 1, "address": "", "rssi": -87, "data": "02011a"}"#
        #expect(try Self.sighting(none).get() == nil)
        let weak = #"{"t": 1, "address": "", "rssi": null, "data": "\#(Self.data)"}"#
        #expect(try Self.sighting(weak).get()?.sightings.map(\.rssi) == [nil])
    }

    @Test(
        "an invalid line is refused with a reason",
        arguments: [
            "": "no object of JSON", "[]": "no object of JSON", "{": "no object of JSON",
            "{}": "t is not a number of seconds",
            #"{"t": -1}"#: "t is not a number of seconds",
            #"{"t": 1e12}"#: "t is not a number of seconds",
            #"{"t": 1}"#: "no address",
            #"{"t": 1, "address": ""}"#: "data is not pairs of hexadecimal digits",
            #"{"t": 1, "address": "", "data": "0"}"#: "data is not pairs of hexadecimal digits",
            #"{"t": 1, "address": "", "data": "0g"}"#: "data is not pairs of hexadecimal digits",
            #"{"t": 1, "address": "", "data": "00", "rssi": "x"}"#: "rssi is not an integer",
            #"{"t": 1, "address": "", "data": "00", "rssi": 1.5}"#: "rssi is not an integer",
        ])
    func refused(_ line: String, _ reason: String) {
        #expect(throws: SightingFile.Flaw(reason: reason)) { try Self.sighting(line).get() }
    }
}
