package import Engine
package import Time

/// The value of a property, whatever it is written in.
package enum PropertyValue: Hashable, Sendable {
    case text(String)
    case flag(Bool)
    /// Written in seconds.
    case span(TimeSpan)
}

/// One property of a fence: everything there is to know about it. All of them are in
/// ``FenceProperty/all``.
package struct FenceProperty: Sendable {
    /// In GeoJSON, as a column of CSV and on the bus.
    package let name: StaticString
    /// Other names that a column of CSV may have.
    package let aliases: [String]
    /// Where it may stand.
    package let places: Places
    /// What it is, in a sentence; for the manual pages.
    package let summary: String
    /// White space at its ends belongs to it.
    let keepsSpace: Bool
    let kind: Kind

    /// Where a property may stand.
    package struct Places: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Among the properties of a GeoJSON Feature, or of a placemark of KML.
        package static let feature = Places(rawValue: 1)
        /// As a column of CSV.
        package static let column = Places(rawValue: 2)
        /// In the `a{sv}` of a fence on the bus.
        package static let bus = Places(rawValue: 4)
        /// The same, told and not taken: a fence that was read can be written back as it is.
        package static let busTold = Places(rawValue: 8)
    }

    /// How a property is written.
    package enum Form: String, Sendable {
        case text
        case number
        case seconds
        case flag
        case object
    }

    typealias Field<Value> = any (WritableKeyPath<Fence, Value> & Sendable)

    enum Kind: Sendable {
        /// Which fence it is, where it lies and what is kept of the rest: each format puts these
        /// together in its own way.
        case part(Form)
        /// A field of the fence, with what it is where nothing is said.
        case text(Field<String>, usual: String)
        case flag(Field<Bool>, usual: Bool)
        case span(Field<TimeSpan>, usual: TimeSpan)
    }

    init(
        _ name: StaticString, aliases: [String] = [], _ places: Places, _ kind: Kind,
        keepsSpace: Bool = false, _ summary: String
    ) {
        self.name = name
        self.aliases = aliases
        self.places = places
        self.kind = kind
        self.keepsSpace = keepsSpace
        self.summary = summary
    }

    package var form: Form {
        switch kind {
        case .part(let form): form
        case .text: .text
        case .flag: .flag
        case .span: .seconds
        }
    }

    /// What it is where nothing is said; nil for a part.
    package var usual: PropertyValue? {
        switch kind {
        case .part: nil
        case .text(_, let usual): .text(usual)
        case .flag(_, let usual): .flag(usual)
        case .span(_, let usual): .span(usual)
        }
    }

    /// Its value in a fence; nil for a part.
    package func value(in fence: Fence) -> PropertyValue? {
        switch kind {
        case .part: nil
        case .text(let field, _): .text(fence[keyPath: field])
        case .flag(let field, _): .flag(fence[keyPath: field])
        case .span(let field, _): .span(fence[keyPath: field])
        }
    }

    /// Its value in a fence, where that is not the usual one.
    package func unusualValue(in fence: Fence) -> PropertyValue? {
        let value = value(in: fence)
        return value == usual ? nil : value
    }

    /// Sets the field; a value of another form changes nothing.
    package func assign(_ value: PropertyValue, to fence: inout Fence) {
        switch (kind, value) {
        case (.text(let field, _), .text(let text)): fence[keyPath: field] = text
        case (.flag(let field, _), .flag(let flag)): fence[keyPath: field] = flag
        case (.span(let field, _), .span(let span)): fence[keyPath: field] = span
        default: break
        }
    }
}
