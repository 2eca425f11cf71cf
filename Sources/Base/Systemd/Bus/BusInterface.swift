/// What an exported object offers under one interface name, as introspection shows it.
@MainActor
package struct BusInterface {
    package let name: String
    package let methods: [BusMethod]
    package let signals: [BusSignalDeclaration]
    package let properties: [BusProperty]

    package init(
        name: String, methods: [BusMethod] = [], signals: [BusSignalDeclaration] = [],
        properties: [BusProperty] = []
    ) {
        self.name = name
        self.methods = methods
        self.signals = signals
        self.properties = properties
    }
}

/// A named argument of one complete type.
package struct BusParameter: Equatable, Sendable {
    package let name: String
    package let type: String

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// A method and what answers it. sd-bus has compared the arguments with `inputs` before the handler
/// runs; the handler answers now or later, see ``BusCall``.
@MainActor
package struct BusMethod {
    package let name: String
    package let inputs: [BusParameter]
    package let outputs: [BusParameter]
    let handler: @MainActor (BusCall) -> Void

    package init(
        _ name: String, in inputs: [BusParameter] = [], out outputs: [BusParameter] = [],
        handler: @escaping @MainActor (BusCall) -> Void
    ) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.handler = handler
    }
}

/// A signal, for introspection; it is sent with ``BusConnection/emit(_:_:to:)``.
package struct BusSignalDeclaration: Equatable, Sendable {
    package let name: String
    package let arguments: [BusParameter]

    package init(_ name: String, _ arguments: [BusParameter] = []) {
        self.name = name
        self.arguments = arguments
    }
}

/// How a property changes: org.freedesktop.DBus.Property.EmitsChangedSignal.
package enum BusPropertyChange: Sendable {
    /// Never, while the object is there.
    case constant
    /// Signalled with the new value.
    case emitsValue
    /// Signalled without it: whoever wants it asks.
    case emitsInvalidation
    /// Not signalled.
    case silent
}

/// A property that can be read.
@MainActor
package struct BusProperty {
    package let name: String
    package let type: String
    package let change: BusPropertyChange
    package let read: @MainActor (_ sender: String?) throws(BusError) -> BusValue

    /// `read` gives a value of `type`, at once. It is told the unique name of whoever asks; nil when
    /// the value goes to everybody with PropertiesChanged. A GetAll fails with the first property
    /// that throws.
    package init(
        _ name: String, _ type: String, _ change: BusPropertyChange,
        read: @escaping @MainActor (_ sender: String?) throws(BusError) -> BusValue
    ) {
        self.name = name
        self.type = type
        self.change = change
        self.read = read
    }
}
