import Testing

@testable import Model

@Suite("Identities of beacons")
struct BeaconIdentityTests {
    private static let uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e"

    @Test(
        "three spellings of a UUID are equal",
        arguments: [
            uuid, uuid.uppercased(), uuid.filter { $0 != "-" },
        ])
    func spellings(_ text: String) {
        #expect(BeaconUUID(text)?.text == Self.uuid)
    }

    @Test(
        "texts that are not UUIDs are refused",
        arguments: [
            "", "f7826da6", uuid + "0", "f7826da64-fa2-4e98-8024-bc5b71e0893e",
            "g7826da6-4fa2-4e98-8024-bc5b71e0893e", "{\(uuid)}",
            "f7826da6-4fa2-4e98-8024-bc5b71e0893-",
            "é7826da6-4fa2-4e98-8024-bc5b71e0893",
        ])
    func noUUID(_ text: String) {
        #expect(BeaconUUID(text) == nil)
    }

    @Test("zero and all ones are valid identities")
    func extremes() {
        for text in [String(repeating: "0", count: 32), String(repeating: "f", count: 32)] {
            #expect(BeaconUUID(text)?.text.filter { $0 != "-" } == text)
        }
        #expect(BeaconNamespace("00000000000000000000")?.text == "00000000000000000000")
        #expect(BeaconNamespace("0102030405060708090A")?.text == "0102030405060708090a")
        #expect(BeaconNamespace("0102030405060708090") == nil)
        #expect(BeaconNamespace("0102030405060708090a0") == nil)
    }

    @Test("only the pattern of a single beacon has a single beacon")
    func single() {
        let uuid = BeaconUUID(high: 1, low: 2)
        let space = BeaconNamespace(high: 1, low: 2)
        for beacon in [
            BeaconIdentity.proximity(uuid, major: 3, minor: 4), .eddystone(space, instance: 5),
        ] {
            #expect(beacon.pattern.identity == beacon)
        }
        for pattern in [BeaconPattern.uuid(uuid), .major(uuid, 3), .namespace(space)] {
            #expect(pattern.identity == nil)
        }
    }

    @Test("a region holds all of an owner, those of one major number, or one")
    func patterns() throws {
        let uuid = try #require(BeaconUUID(Self.uuid))
        let other = BeaconUUID(high: 0, low: 0)
        let beacon = BeaconIdentity.proximity(uuid, major: 7, minor: 9)
        #expect(BeaconPattern.uuid(uuid).matches(beacon))
        #expect(BeaconPattern.major(uuid, 7).matches(beacon))
        #expect(BeaconPattern.minor(uuid, major: 7, minor: 9).matches(beacon))
        #expect(!BeaconPattern.uuid(other).matches(beacon))
        #expect(!BeaconPattern.major(uuid, 9).matches(beacon))
        #expect(!BeaconPattern.minor(uuid, major: 7, minor: 7).matches(beacon))
        #expect(BeaconPattern.minor(uuid, major: 7, minor: 9).owner == .uuid(uuid))
        let space = try #require(BeaconNamespace("0102030405060708090a"))
        let tag = BeaconIdentity.eddystone(space, instance: 5)
        #expect(BeaconPattern.namespace(space).matches(tag))
        #expect(BeaconPattern.instance(space, 5).matches(tag))
        #expect(!BeaconPattern.instance(space, 6).matches(tag))
        #expect(!BeaconPattern.namespace(space).matches(beacon))
        #expect(BeaconPattern.instance(space, 5).owner == .namespace(space))
    }

    @Test(
        "a pattern is written as text, and read from it",
        arguments: ["", "/0", "/65535/1"])
    func text(_ rest: String) {
        #expect(BeaconPattern(Self.uuid + rest)?.text == Self.uuid + rest)
        #expect(BeaconPattern("0102030405060708090a")?.text == "0102030405060708090a")
        let tag = "0102030405060708090a/00000000000b"
        #expect(BeaconPattern(tag)?.text == tag)
    }

    @Test(
        "any other text is refused",
        arguments: [
            "", "/", uuid + "/", uuid + "/65536", uuid + "/+1", uuid + "/1/2/3", uuid + "/1/",
            "0102030405060708090a/b", "0102030405060708090a/00000000000b/1",
        ])
    func noText(_ text: String) {
        #expect(BeaconPattern(text) == nil)
    }
}
