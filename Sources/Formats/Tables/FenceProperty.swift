package import Model
package import Time

/// The value of a property, independent of the format.
package enum PropertyValue: Hashable, Sendable {
    case text(String)
    case flag(Bool)
    /// Written in seconds.
    case span(TimeSpan)
    case number(Double)
}

/// One property of a fence: its complete definition. All of them are in ``FenceProperty/all``. A
/// class, so that a million fences are processed without copying it.
package final class FenceProperty: Sendable {
    /// The name in GeoJSON, as a CSV column and on the bus.
    package let name: StaticString
    /// Alternative names of the CSV column. In GeoJSON a text of that name counts where the property
    /// itself is missing; what else it is there is metadata.
    package let aliases: [StaticString]
    /// What other programs call it, or people; not read, but asked about.
    package let otherPrograms: [String]
    /// Where it may occur.
    package let places: Places
    /// A sentence that describes it, for the manual pages.
    package let summary: String
    /// Leading and trailing white space belongs to it.
    package let keepsSpace: Bool
    /// The form of its value.
    package let form: Form
    private let kind: Kind

    /// Where a property may occur.
    package struct Places: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Among the properties of a GeoJSON Feature, or of a placemark of KML.
        package static let feature = Places(rawValue: 1)
        /// As a column of CSV.
        package static let column = Places(rawValue: 2)
        /// In the `a{sv}` of a fence on the bus.
        package static let bus = Places(rawValue: 4)
        /// The same, sent but not consumed: a fence that was read can be written back unchanged.
        package static let busTold = Places(rawValue: 8)
    }

    /// The form of a property's value.
    package enum Form: String, Sendable {
        case text
        case number
        case seconds
        case flag
        case object
    }

    /// A field of ``Fence``. Two functions, since a key path costs a thousand instructions, for
    /// each of a million fences.
    struct Field<Value: Sendable>: Sendable {
        /// The default.
        let usual: Value
        let get: @Sendable (Fence) -> Value
        let set: @Sendable (inout Fence, Value) -> Void
    }

    enum Kind: Sendable {
        /// The id, the area and the metadata: each format assembles these in its own way.
        case part(Form)
        case text(Field<String>)
        case flag(Field<Bool>)
        case span(Field<TimeSpan>)
        case number(Field<Double>)
    }

    init(
        _ name: StaticString, aliases: [StaticString] = [], otherPrograms: [String] = [],
        _ places: Places, _ kind: Kind, keepsSpace: Bool = false, _ summary: String
    ) {
        self.name = name
        self.aliases = aliases
        self.otherPrograms = otherPrograms
        self.places = places
        self.kind = kind
        self.keepsSpace = keepsSpace
        self.summary = summary
        form =
            switch kind {
            case .part(let form): form
            case .text: .text
            case .flag: .flag
            case .span: .seconds
            case .number: .number
            }
    }

    /// The default; nil for a part.
    package var usual: PropertyValue? {
        switch kind {
        case .part: nil
        case .text(let field): .text(field.usual)
        case .flag(let field): .flag(field.usual)
        case .span(let field): .span(field.usual)
        case .number(let field): .number(field.usual)
        }
    }

    /// Its value in a fence; nil for a part.
    package func value(in fence: Fence) -> PropertyValue? {
        switch kind {
        case .part: nil
        case .text(let field): .text(field.get(fence))
        case .flag(let field): .flag(field.get(fence))
        case .span(let field): .span(field.get(fence))
        case .number(let field): .number(field.get(fence))
        }
    }

    /// Its value in a fence, if that is not the default.
    package func unusualValue(in fence: Fence) -> PropertyValue? {
        let value = value(in: fence)
        return value == usual ? nil : value
    }

    /// Sets the field; a value of another form changes nothing.
    package func assign(_ value: PropertyValue, to fence: inout Fence) {
        switch (kind, value) {
        case (.text(let field), .text(let text)): field.set(&fence, text)
        case (.flag(let field), .flag(let flag)): field.set(&fence, flag)
        case (.span(let field), .span(let span)): field.set(&fence, span)
        case (.number(let field), .number(let number)): field.set(&fence, number)
        default: break
        }
    }
}
