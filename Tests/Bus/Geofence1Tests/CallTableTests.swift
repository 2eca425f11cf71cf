import FormatsTestKit
import Foundation
import Geodesy
import Geofence1
import JSON
import Model
import Systemd
import Testing

@Suite("the table of the daemon's calls")
struct CallTableTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let interface = "systemd/usr/share/dbus-1/interfaces/\(Geofence1.name).xml"
    private static let policy = "systemd/usr/share/dbus-1/system.d/\(Geofence1.name).conf"
    private static let manual = "docs/man/\(Geofence1.name).5"

    private static func page(_ file: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
    }

    @Test("no call comes twice, and an origin that a right depends on is an argument")
    func rows() {
        #expect(Set(DaemonCall.all.map(\.name)).count == DaemonCall.all.count)
        for call in DaemonCall.all {
            guard case .writer(_, let index) = call.right else { continue }
            #expect(["origin", "filter"].contains(call.inputs[index].name), "\(call.name)")
        }
    }

    @Test("the interface and the bus policy say what the table says")
    func pages() throws {
        for (file, text) in [
            (Self.interface, CallPages.interface(after: try Self.page(Self.interface))),
            (Self.policy, CallPages.policy),
        ] {
            let isSame = try TablePage.isAsWritten(
                Self.root.appendingPathComponent(file), "calls", from: "Sources/Bus/Interface",
                text)
            #expect(isSame, "\(file): GOLDEN=1 writes it")
        }
    }

    @Test(
        "the manual page has each call with its arguments, and what it needs",
        arguments: DaemonCall.all.map(\.name))
    func manual(_ name: String) throws {
        let call = try #require(DaemonCall.all.first { $0.name == name })
        let page = try Self.page(Self.manual)
        let item = page.components(separatedBy: "\n.It Fn ").filter {
            $0.hasPrefix(name + " ") || $0.hasPrefix(name + "\n")
        }
        #expect(item.count == 1)
        let words = try #require(item.first).components(separatedBy: "\n.Ss ")[0]
        let arguments = call.inputs.map { " \"\($0.type) \($0.name)\"" }.joined()
        #expect(words.hasPrefix(name + arguments + "\n"))
        switch call.right {
        case .action(let action): #expect(words.contains("\n.Li \(action.key) "))
        case .writer(let action, _):
            #expect(words.contains("\n.Li \(action.key) "))
            #expect(words.contains("the bus name that belongs to"))
        case .consumer: break
        }
    }

    @Test("a region and a metafence come back from the bus")
    func objects() {
        let regions = [
            ToldRegion(
                id: "a", presence: ToldPresence(.inside, isUncertain: true), distance: -12.5)
        ]
        #expect([ToldRegion](bus: [regions.bus]) == regions)
        #expect([ToldRegion](bus: [.array(of: "s", [.string("a")])]).isEmpty)
        let metafence = ToldMetafence(centre: .init(latitude: 48, longitude: -11), radius: 812)
        let told = ToldMetafence.told.options(of: metafence)
        #expect(ToldMetafence(bus: [told]) == metafence)
        #expect(ToldMetafence(bus: [.options([])]) == nil && ToldMetafence(bus: []) == nil)
    }

    @Test("a fence comes back from the bus with its origin")
    func fence() throws {
        let fence = try FenceMessage.fence(
            id: "a",
            ["latitude": .double(48), "longitude": .double(11), "radius": .double(100)])
        let known = CatalogueFence(fence: fence, origin: try FenceOrigin(text: "source/depots"))
        let (id, properties) = try #require(FenceMessage.structure(known).asNamed)
        #expect(try CatalogueFence(id: id, properties) == known)
    }
}

/// The table as the pages have it.
private enum CallPages {
    static var policy: String {
        DaemonCall.all.map { call in
            """
                <allow send_destination="\(Geofence1.name)"
                       send_interface="\(Geofence1.managerInterface)" send_member="\(call.name)"/>

            """
        }.joined()
    }

    /// - Parameter page: what it says of each call in words, which stays.
    static func interface(after page: String) -> String {
        let words = words(of: page)
        return DaemonCall.all.map { (words[$0.name] ?? "") + element($0) }.joined(separator: "\n")
    }

    /// The comment before each method.
    private static func words(of page: String) -> [String: String] {
        var words: [String: String] = [:]
        var comment = ""
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("    <!-- "), !line.contains(" The table of ") {
                comment = line + "\n"
            } else if line.hasPrefix("         ") {
                comment += line + "\n"
            } else {
                if line.hasPrefix("    <method name=") {
                    words[line.components(separatedBy: "\"")[1]] = comment
                }
                comment = ""
            }
        }
        return words
    }

    private static func element(_ call: DaemonCall) -> String {
        let open = "    <method name=\"\(call.name)\""
        let arguments = lines(call.inputs, "in") + lines(call.outputs, "out")
        guard !arguments.isEmpty else { return open + "/>\n" }
        let types = types(call.inputs, "In") + types(call.outputs, "Out")
        return open + ">\n" + (arguments + types).joined() + "    </method>\n"
    }

    private static func lines(_ parameters: [BusParameter], _ direction: String) -> [String] {
        parameters.map {
            "      <arg type=\"\($0.type)\" name=\"\($0.name)\" direction=\"\(direction)\"/>\n"
        }
    }

    private static func types(_ parameters: [BusParameter], _ direction: String) -> [String] {
        parameters.enumerated().compactMap { index, parameter in
            qt[parameter.type].map {
                "      <annotation name=\"org.qtproject.QtDBus.QtTypeName.\(direction)\(index)\" "
                    + "value=\"\($0)\"/>\n"
            }
        }
    }

    /// What a generator for Qt needs of types that D-Bus does not name.
    private static let qt = [
        "a{sv}": "QVariantMap", "a(sa{sv})": "GeofenceEntries", "a(ss)": "GeofencePairs",
        "(dddd)": "GeofenceBox", "au": "GeofenceNumbers", "a{s(utt)}": "GeofenceStates",
        "a(sud)": "GeofenceRegions", "a(tsua{sv})": "GeofenceEvents", "a(dd)": "GeofencePositions",
    ]
}
