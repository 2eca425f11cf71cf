import JSON
import Model
import Testing

@testable import Formats

@Suite("Beacons in JSON")
struct BeaconJSONTests {
    private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

    @Test(
        "a pattern is written as it was read",
        arguments: [
            #"{"uuid":"\#(uuid)"}"#, #"{"uuid":"\#(uuid)","major":0}"#,
            #"{"uuid":"\#(uuid)","major":65535,"minor":1}"#,
            #"{"namespace":"0102030405060708090a"}"#,
            #"{"namespace":"0102030405060708090a","instance":"00000000000b"}"#,
        ])
    func written(_ text: String) throws {
        var writer = JSONWriter()
        BeaconJSON.write(try BeaconJSON.pattern(JSONValue(parsing: text)), to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test("a UUID may be spelt without dashes, and in upper case")
    func spelling() throws {
        let plain = Self.uuid.uppercased().filter { $0 != "-" }
        let pattern = try BeaconJSON.pattern(JSONValue(parsing: #"{"uuid":"\#(plain)"}"#))
        #expect(pattern == .uuid(try #require(BeaconUUID(Self.uuid))))
    }

    @Test(
        "anything else is refused with a reason",
        arguments: [
            "[]": "beacon is no object",
            "{}": "beacon has no uuid of 32 hexadecimal digits",
            #"{"uuid":7}"#: "beacon has no uuid of 32 hexadecimal digits",
            #"{"uuid":"\#(uuid)","minor":1}"#: "beacon has a minor without a major",
            #"{"uuid":"\#(uuid)","major":65536}"#: "beacon has a major that is not 0 to 65535",
            #"{"uuid":"\#(uuid)","major":1.5}"#: "beacon has a major that is not 0 to 65535",
            #"{"uuid":"\#(uuid)","uuid":"\#(uuid)"}"#: "beacon has two members uuid",
            #"{"uuid":"\#(uuid)","namespace":"0102030405060708090a"}"#:
                "beacon has a uuid and a namespace",
            #"{"instance":"00000000000b"}"#: "beacon has no namespace of 20 hexadecimal digits",
            #"{"namespace":"0102030405060708090a","instance":"+0000000000b"}"#:
                "beacon has no instance of 12 hexadecimal digits",
        ])
    func refused(_ text: String, _ reason: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(throws: BeaconFlaw(reason)) { try BeaconJSON.pattern(value) }
    }
}
