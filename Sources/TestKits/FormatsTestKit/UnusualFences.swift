package import Formats
package import Model
import Time

extension FenceProperty {
    /// Values for properties whose texts have a syntax.
    private static let texts = [
        "active": "Mo-Fr 08:00-18:00; PH off", "timezone": "Europe/Berlin",
        "speed_unit": "mph",
        "expires": "2031-12-31T18:00:00Z",
    ]

    /// A value that differs from the usual one; nil for a part.
    package var unusual: PropertyValue? {
        if let text = Self.texts[name.description] { return .text(text) }
        return switch usual {
        case .text(let text)?: .text(text + "other ü")
        case .flag(let flag)?: .flag(!flag)
        case .span(let span)?: .span(span + .milliseconds(90_500))
        case .number(let number)?: .number(number + 30.5)
        case nil: nil
        }
    }
}

extension Fence {
    /// The same with an unusual value of each of these properties.
    package func unusual(_ properties: [FenceProperty]) -> Fence {
        var fence = self
        for property in properties {
            if let value = property.unusual { property.assign(value, to: &fence) }
        }
        return fence
    }
}
