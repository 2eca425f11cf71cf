import Foundation
import FoundationXML
import Geofence1
import Model
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct IntrospectionTests {
    @Test(
        "the interfaces that are installed are those of the running service",
        arguments: [
            Geofence1.managerInterface, Geofence1.subscriptionInterface,
            Geofence1.rangingInterface,
        ])
    func installed(interface: String) throws {
        let fixture = try ServiceFixture()
        try fixture.connect()
        let client = try fixture.bus.connect(fixture.loop)
        let subscription = try fixture.call(client, "CreateSubscription", [.dictionary([])])
            .success?[0].asString
        let beacons = BeaconMessage.value(of: [.uuid(BeaconUUID(high: 1, low: 2))])
        let session = try fixture.call(
            client, "CreateRangingSession", [.dictionary([("beacons", beacons)])]
        ).success?[0].asString
        let path =
            switch interface {
            case Geofence1.subscriptionInterface: try #require(subscription)
            case Geofence1.rangingInterface: try #require(session)
            default: Geofence1.path
            }
        let running = try fixture.loop.run(
            untilEndOf: fixture.bus.busctl("introspect", "--xml-interface", Geofence1.name, path))
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent(
                "systemd/usr/share/dbus-1/interfaces/\(Geofence1.name).xml")
        let installed = InterfaceLister.lines(of: interface, in: try Data(contentsOf: file))
        #expect(!installed.isEmpty)
        let present = InterfaceLister.lines(of: interface, in: Data((running?.output ?? "").utf8))
        // Differences are named; the order of arguments counts too.
        #expect(installed.filter { !present.contains($0) } == [])
        #expect(present.filter { !installed.contains($0) } == [])
        #expect(installed == present)
    }

    @Test("the bus policy allows every method, one by one, and nothing else")
    func policy() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let policy = try String(
            contentsOf: root.appendingPathComponent(
                "systemd/usr/share/dbus-1/system.d/\(Geofence1.name).conf"), encoding: .utf8)
        let interfaces = try Data(
            contentsOf: root.appendingPathComponent(
                "systemd/usr/share/dbus-1/interfaces/\(Geofence1.name).xml"))
        for interface in [
            Geofence1.managerInterface, Geofence1.subscriptionInterface,
            Geofence1.rangingInterface,
        ] {
            let methods = InterfaceLister.lines(of: interface, in: interfaces)
                .filter { $0.hasPrefix("method ") && !$0.contains("arg") }
                .map { String($0.dropFirst("method ".count)) }
            let pattern = try Regex("send_interface=\"\(interface)\" send_member=\"(\\w+)\"")
            let allowed = policy.matches(of: pattern).compactMap { $0[1].substring }.map(
                String.init)
            #expect(Set(allowed) == Set(methods), "\(interface)")
        }
    }
}

/// An interface as lines that can be compared, without comments and order of attributes.
private final class InterfaceLister: NSObject, XMLParserDelegate {
    private let interface: String
    private var isInside = false
    private var member = ""
    private var lines: [String] = []

    static func lines(of interface: String, in xml: Data) -> [String] {
        let lister = InterfaceLister(interface)
        let parser = XMLParser(data: xml)
        parser.delegate = lister
        _ = parser.parse()
        return lister.lines
    }

    private init(_ interface: String) { self.interface = interface }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        if name == "interface" { isInside = attributes["name"] == interface }
        // What Qt's generator is told is of no matter on the bus.
        let isOfQt = attributes["name"]?.hasPrefix("org.qtproject.QtDBus.") == true
        guard isInside, name != "interface", !isOfQt else { return }
        if ["method", "signal", "property"].contains(name) {
            member = "\(name) \(attributes["name"] ?? "")"
            let rest = [attributes["type"], attributes["access"]].compactMap { $0 }
            lines.append(([member] + rest).joined(separator: " "))
        } else {
            let rest = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.append(([member, name] + rest).joined(separator: " "))
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        if name == "interface" { isInside = false }
    }
}
