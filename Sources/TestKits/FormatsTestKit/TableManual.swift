import Formats
import Model
import Time

/// The tables as mdoc, for the manual pages.
package enum TableManual {
    /// The properties of fence files.
    package static var files: String {
        list(FenceProperty.standing(in: [.feature, .column])) { property in
            var text = ".It Li \(property.name) Pq \(property.form.rawValue)\n\(property.summary)\n"
            if let usual = usual(property) { text += "The default is\n.Li \(usual) .\n" }
            switch (property.places.contains(.feature), property.places.contains(.column)) {
            case (true, false): text += "Not in CSV.\n"
            case (false, true): text += "Only in CSV.\n"
            default: break
            }
            let aliases = property.aliases.map(\.description)
            if !aliases.isEmpty {
                let names = aliases.joined(separator: " , ")
                text += "In CSV also\n.Li \(names) .\n"
                if property.places.contains(.feature) {
                    text +=
                        "In GeoJSON a text of\n.Li \(names)\n"
                        + "where there is none; otherwise that is metadata.\n"
                }
            }
            return text
        }
    }

    /// The properties of a fence on the bus.
    package static var bus: String {
        list(FenceProperty.standing(in: [.bus, .busTold])) { property in
            var text = ".It Li \(property.name) Pq Vt \(signature(property))\n\(property.summary)\n"
            if property.form == .seconds { text += "In seconds.\n" }
            if property.places.contains(.busTold) { text += "Told, and not taken.\n" }
            if let usual = usual(property) { text += "The default is\n.Li \(usual) .\n" }
            return text
        }
    }

    /// The fields of an event in JSON.
    package static var eventJSON: String {
        list(EventField.all) { field in
            let rest =
                switch field.rule {
                case .always, .ofFence: ""
                case .whereKnown, .inLog: "; else left out"
                case .motion: "; null where that is not known or not to be known"
                case .location, .driver: "; left out where it is not to be known"
                }
            return ".It Li \(field.name)\n\(field.summary)\(rest)\n"
        }
    }

    /// The details of an event on the bus.
    package static var eventDetails: String {
        list(EventField.all) { field in
            guard let name = field.bus else { return "" }
            var text = ".It Li \(name)\n\(field.summary)\n"
            switch field.rule {
            case .motion, .location: text += ".Pq needs Li read-location\n"
            case .driver: text += ".Pq needs Li read-location , No not in signals\n"
            case .inLog: text += ".Pq not in signals\n"
            case .always, .ofFence, .whereKnown: break
            }
            return text
        }
    }

    /// The fields of an event in the journal.
    package static var journal: String {
        list(EventField.all) { field in
            guard let name = field.journal else { return "" }
            var text = ".It Va \(name)\n\(field.summary)\n"
            switch field.rule {
            case .location: text += ".Pq with Ic Location Ns = Ns Cm yes No alone\n"
            case .driver: text += ".Pq with Ic Driver Ns = Ns Cm yes No alone\n"
            default: break
            }
            return text
        }
    }

    private static func usual(_ property: FenceProperty) -> String? {
        switch property.usual {
        case .flag(let flag)?: "\(flag)"
        case .span(let span)?: "\(Int(span.seconds))"
        case .number(let number)?: "\(Int(number))"
        case .text?, nil: nil
        }
    }

    private static func signature(_ property: FenceProperty) -> String {
        switch property.form {
        case .text: "s"
        case .number, .seconds: "d"
        case .flag: "b"
        case .object: "a{sv}"
        }
    }

    private static func list<Row>(_ rows: [Row], _ text: (Row) -> String) -> String {
        ".Bl -tag -width Ds\n" + rows.map(text).joined() + ".El\n"
    }
}
