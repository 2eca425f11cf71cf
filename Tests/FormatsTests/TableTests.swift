import Engine
import Formats
import FormatsTestKit
import Foundation
import Geodesy
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
        let properties = FenceProperty.all.flatMap { [$0.name.description] + $0.aliases }
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
            case .text, .presence: .text
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
        Page(file: "geofencectl.1", name: "fence properties") { TableManual.files },
        Page(file: "geofencectl.1", name: "event fields") { TableManual.eventJSON },
        Page(file: "org.geofenced.Geofence1.5", name: "fence properties") { TableManual.bus },
        Page(file: "org.geofenced.Geofence1.5", name: "event fields") { TableManual.eventDetails },
        Page(file: "geofenced.8", name: "event fields") { TableManual.journal },
    ]

    /// With GOLDEN in the environment the page is written instead, for review.
    @Test("the manual pages say what the tables say", .serialized, arguments: pages)
    func manual(_ page: Page) throws {
        let file = repository("docs/man/\(page.file)")
        let text = try String(contentsOf: file, encoding: .utf8)
        let beginning = ".\\\" The table of \(page.name), from Sources/Formats/Tables.\n"
        let first = try #require(text.range(of: beginning))
        let last = try #require(
            text.range(of: ".\\\" The end of the table.\n", range: first.upperBound..<text.endIndex)
        )
        if ProcessInfo.processInfo.environment["GOLDEN"] != nil {
            let whole = text[..<first.upperBound] + page.text() + text[last.lowerBound...]
            return try Data(whole.utf8).write(to: file)
        }
        #expect(text[first.upperBound..<last.lowerBound] == page.text())
    }

    @Test("the pages name every kind and every reason")
    func kinds() throws {
        for (page, names) in [
            ("geofencectl.1", EventKind.allCases.map(\.name)),
            ("org.geofenced.Geofence1.5", EventKind.allCases.map(\.name)),
            ("geofenced.8", EventKind.allCases.map(\.name) + EventReason.allCases.map(\.name)),
        ] {
            let text = try String(contentsOf: repository("docs/man/\(page)"), encoding: .utf8)
            let words = Set(text.split { " \n,;.()".contains($0) }.map(String.init))
            for name in names { #expect(words.contains(name), "\(name) in \(page)") }
        }
    }
}

extension FenceProperty {
    static func named(_ name: String) -> FenceProperty? {
        all.first { $0.name.description == name }
    }
}
