package import Engine
package import Formats
import Time

extension FenceProperty {
    /// A value that differs from the usual one; nil for a part.
    package var unusual: PropertyValue? {
        switch usual {
        case .text(let text)?: .text(text + "other ü")
        case .flag(let flag)?: .flag(!flag)
        case .span(let span)?: .span(span + .milliseconds(90_500))
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
