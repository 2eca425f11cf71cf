/// What an exported object offers under one interface name, as introspection reports it.
@MainActor
package struct BusInterface {
    /// Interface name, `org.geofenced.Geofence1.Manager`.
    package let name: String
    /// Methods that can be called.
    package let methods: [BusMethod]
    /// Signals that may be sent.
    package let signals: [BusSignalDeclaration]
    /// Properties that can be read.
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
    /// Name of the argument, only for introspection.
    package let name: String
    /// D-Bus signature of one complete type.
    package let type: String

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// A method and its handler. sd-bus has checked the arguments against `inputs` before the handler
/// runs; the handler answers now or later, see ``BusCall``.
@MainActor
package struct BusMethod {
    /// Member name.
    package let name: String
    /// Arguments of the call.
    package let inputs: [BusParameter]
    /// Arguments of the answer.
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
    /// Member name.
    package let name: String
    /// Arguments of the signal.
    package let arguments: [BusParameter]

    package init(_ name: String, _ arguments: [BusParameter] = []) {
        self.name = name
        self.arguments = arguments
    }
}

/// How a property changes: org.freedesktop.DBus.Property.EmitsChangedSignal.
package enum BusPropertyChange: Sendable {
    /// Never, as long as the object exists.
    case constant
    /// Signalled with the new value.
    case emitsValue
    /// Signalled without the value: clients read it when they need it.
    case emitsInvalidation
    /// Not signalled.
    case silent
}

/// A property that can be read.
@MainActor
package struct BusProperty {
    /// Property name.
    package let name: String
    /// D-Bus signature of one complete type.
    package let type: String
    /// How a change is announced.
    package let change: BusPropertyChange
    /// Returns the present value, for the client with that unique name; nil for PropertiesChanged.
    package let read: @MainActor (_ sender: String?) throws(BusError) -> BusValue

    /// `read` returns a value of `type`, at once. Its argument is the unique name of the client
    /// that reads; nil when the value goes to everybody with PropertiesChanged. A GetAll fails with
    /// the first property that throws.
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
