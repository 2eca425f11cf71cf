/// A large value that is seldom there, inside one that is copied often: it takes one word, and its
/// own memory only where it is there.
@propertyWrapper
package enum Boxed<Value> {
    case absent
    indirect case present(Value)

    package init(wrappedValue: Value?) {
        self = if let wrappedValue { .present(wrappedValue) } else { .absent }
    }

    package var wrappedValue: Value? {
        get { if case .present(let value) = self { value } else { nil } }
        set { self = Boxed(wrappedValue: newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
extension Boxed: Sendable where Value: Sendable {}
