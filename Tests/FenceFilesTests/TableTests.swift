import Formats
import FormatsTestKit
import Foundation
import Geodesy
import Model
import Testing
import Time

@Suite("the tables of fence properties and event fields")
struct TableTests {
    private func plain() throws -> Fence {
        try Fence(
            id: "a",
            area: Area(.circle(center: Coordinate(latitude: 48.1, longitude: 11.5), radius: 50)))
    }

    @Test("no name comes twice")
    func names() {
        let properties = FenceProperty.all.flatMap { ([$0.name] + $0.aliases).map(\.description) }
        #expect(Set(properties).count == properties.count)
        #expect(Set(EventField.all.map(\.name)).count == EventField.all.count)
        let bus = EventField.all.compactMap(\.bus)
        #expect(Set(bus).count == bus.count)
        let journal = EventField.all.compactMap(\.journal)
        #expect(Set(journal).count == journal.count)
    }

    @Test("the values of a field are of its form", arguments: EventField.all.map(\.name))
    func forms(_ name: String) throws {
        let field = try #require(EventField.all.first { $0.name == name })
        let form: EventField.Form =
            switch try #require(field.value(of: WholeEvent.logged)) {
            case .text: .text
            case .presence: .presence
            case .flag: .flag
            case .integer: .integer
            case .real: .real
            case .time: .time
            case .span: .span
            case .metadata, .object: .object
            }
        #expect(form == field.form)
    }

    @Test("the defaults of the table are those of a new fence")
    func usual() throws {
        let fence = try plain()
        for property in FenceProperty.fields {
            #expect(property.value(in: fence) == property.usual, "\(property.name)")
            #expect(property.unusualValue(in: fence) == nil)
            let other = fence.unusual([property])
            #expect(property.value(in: other) == property.unusual && other != fence)
        }
    }

    @Test("every field of a fence is in the table: none is lost in a round trip")
    func isWhole() throws {
        let names = Mirror(reflecting: try plain()).children.compactMap(\.label)
        let parts = ["id", "subject", "metadata", "approach"]
        // All terms form one part of a fence.
        let terms = Mirror(reflecting: FenceTerms()).children.compactMap(\.label)
        #expect(names.count - 1 + terms.count == FenceProperty.fields.count + parts.count)
    }

    @Test(
        "every property goes through GeoJSON",
        arguments: FenceProperty.fields.map(\.name.description))
    func geoJSON(_ name: String) throws {
        let property = try #require(FenceProperty.named(name))
        let fence = try plain().unusual([property])
        let feature = FenceFileWriter.feature(fence)
        #expect(feature.contains("\"\(name)\":"))
        #expect(FileContent(feature).fences == [fence])
    }

    /// As CSV and KML have it.
    private func plainText(_ value: PropertyValue?) -> String {
        switch value {
        case .text(let text)?: text
        case .flag(let flag)?: "\(flag)"
        case .span(let span)?: "\(span.seconds)"
        case .number(let number)?: "\(number)"
        case nil: ""
        }
    }

    @Test(
        "every property goes through CSV", arguments: FenceProperty.fields.map(\.name.description))
    func csv(_ name: String) throws {
        let property = try #require(FenceProperty.named(name))
        let fence = try plain().unusual([property])
        let text = plainText(property.unusual)
        let content = FileContent(
            "id,latitude,longitude,radius,\(name)\na,48.1,11.5,50,\(text)\n")
        #expect(content.fences == [fence])
    }

    @Test(
        "every property goes through KML", arguments: FenceProperty.fields.map(\.name.description))
    func kml(_ name: String) throws {
        let property = try #require(FenceProperty.named(name))
        let fence = try plain().unusual([property])
        let text = plainText(property.unusual)
        let content = FileContent(
            """
            <kml><Placemark id="a"><ExtendedData><Data name="\(name)"><value>\(text)</value></Data>
            <Data name="radius"><value>50</value></Data></ExtendedData>
            <Point><coordinates>11.5,48.1,0</coordinates></Point></Placemark></kml>
            """)
        #expect(content.messages.isEmpty)
        #expect(content.fences == [fence])
    }

    struct Page: CustomTestStringConvertible, Sendable {
        var file: String
        var name: String
        var text: @Sendable () -> String
        var testDescription: String { "\(name) in \(file)" }
    }

    static let pages = [
        Page(file: "docs/man/geofencectl.1", name: "fence properties") { TableManual.files },
        Page(file: "docs/man/geofencectl.1", name: "event fields") { TableManual.eventJSON },
        Page(file: "docs/man/geofencectl.1", name: "event kinds") { KindTable.manual },
        Page(file: "docs/man/org.geofenced.Geofence1.5", name: "fence properties") {
            TableManual.bus
        },
        Page(file: "docs/man/org.geofenced.Geofence1.5", name: "event fields") {
            TableManual.eventDetails
        },
        Page(file: "docs/man/org.geofenced.Geofence1.5", name: "event kinds") {
            KindTable.numbers
        },
        Page(file: "docs/man/geofenced.8", name: "event fields") { TableManual.journal },
        Page(file: "docs/man/geofenced.8", name: "event kinds") { KindTable.manual },
        Page(
            file: "systemd/usr/share/dbus-1/interfaces/org.geofenced.Geofence1.xml",
            name: "event kinds"
        ) { "<!-- kind:\n\(KindTable.numbers)-->\n" },
        Page(file: "Sources/Pages/MapAssets/page/words.js", name: "event kinds") {
            KindTable.page
        },
    ]

    /// With GOLDEN in the environment the page is written instead, for review.
    @Test("the pages say what the tables say", .serialized, arguments: pages)
    func manual(_ page: Page) throws {
        let isSame = try TablePage.isAsWritten(
            repository(page.file), page.name, from: "Sources/Formats/Tables", page.text())
        #expect(isSame, "\(page.testDescription): GOLDEN=1 writes them")
    }

    @Test("geofenced(8) names every reason", arguments: EventReason.allCases.map(\.name))
    func reasons(_ name: String) throws {
        let text = try String(contentsOf: repository("docs/man/geofenced.8"), encoding: .utf8)
        let isThere = text.split { " \n,;.()".contains($0) }.contains { $0 == name }
        #expect(isThere, "no \(name) in geofenced.8")
    }

    @Test("the handbook has every kind", arguments: EventKind.allCases)
    func handbook(_ kind: EventKind) throws {
        let text = try String(contentsOf: repository("docs/HANDBOOK.md"), encoding: .utf8)
        let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| **event** |") })
        let isThere = row.contains("`\(kind)`")
        #expect(isThere, "no \(kind) in docs/HANDBOOK.md")
    }

    @Test("the journal's catalog explains every kind", arguments: EventKind.allCases)
    func catalog(_ kind: EventKind) throws {
        let text = try String(
            contentsOf: repository("systemd/usr/lib/systemd/catalog/geofenced.catalog"),
            encoding: .utf8)
        let id = try #require(kind.messageID)
        let isThere = text.contains("-- \(id)\nSubject: ")
        #expect(isThere, "no \(kind), \(id), in geofenced.catalog")
    }
}

extension FenceProperty {
    static func named(_ name: String) -> FenceProperty? {
        all.first { $0.name.description == name }
    }
}
