/// What an exported object offers under one interface name, as introspection shows it.
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
    /// Name of the argument, for introspection alone.
    package let name: String
    /// D-Bus signature of one complete type.
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
    /// Property name.
    package let name: String
    /// D-Bus signature of one complete type.
    package let type: String
    /// How a change is announced.
    package let change: BusPropertyChange
    /// Gives the value now, for the unique name that asks; nil is PropertiesChanged.
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
