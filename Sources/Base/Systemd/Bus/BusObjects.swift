import CSystemd
import Glibc

// Unsafe: the vtable and its strings are made with the object, and live as long as its slot.

extension BusConnection {
    /// Exports an object's interface at `path`, as long as the slot lives; at any time, also from a
    /// handler. EEXIST when that interface exists already.
    package func export(
        _ interface: BusInterface, at path: String
    ) throws(SystemError) -> BusSlot {
        let object = ExportedObject(interface, path: path)
        var slot: OpaquePointer?
        let result = unsafe sd_bus_add_object_vtable(
            bus, &slot, path, interface.name, object.vtable, nil)
        try check(result, "exporting \(interface.name) at \(path)")
        guard let slot = unsafe slot else {
            throw SystemError(operation: "exporting \(path)", errno: ENOMEM)
        }
        return unsafe BusSlot(adopting: slot, handler: object)
    }

    /// Answers GetManagedObjects at `path` with the objects that are exported below it, as long as
    /// the slot lives.
    package func exportObjectManager(at path: String) throws(SystemError) -> BusSlot {
        var slot: OpaquePointer?
        let operation = "exporting the objects below \(path)"
        try unsafe check(sd_bus_add_object_manager(bus, &slot, path), operation)
        guard let slot = unsafe slot else { throw SystemError(operation: operation, errno: ENOMEM) }
        return unsafe BusSlot(adopting: slot, handler: ObjectManager())
    }

    /// Announces that properties of an exported object have changed; each with its value or as
    /// invalidated, according to its declaration. A value that is among `known` is not read. EINVAL
    /// for one that is declared as neither; refuses like ``emit(_:_:to:)``.
    ///
    /// Not sd_bus_emit_properties_changed_strv(3), which sorts them, and searches the whole vtable
    /// for each.
    package func emitPropertiesChanged(
        of slot: BusSlot, _ names: [String], known: [BusOption] = []
    ) throws(SystemError) {
        guard let object = slot.exported, !names.isEmpty else { return }
        try emit(object.propertiesChanged, try object.changes(names, known))
    }
}

/// The context of a slot that has no handler of its own.
private final class ObjectManager {}

/// The interface of one exported object and the vtable that sd-bus reads, with its strings.
@MainActor
@safe final class ExportedObject {
    nonisolated(unsafe) let vtable: UnsafeMutablePointer<sd_bus_vtable>
    nonisolated(unsafe) private var strings: [UnsafeMutablePointer<CChar>] = unsafe []
    private let methods: [String: BusMethod]
    private let properties: [String: BusProperty]
    private let interface: String
    fileprivate let propertiesChanged: BusSignal

    init(_ interface: BusInterface, path: String) {
        self.interface = interface.name
        propertiesChanged = BusSignal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
        methods = [String: BusMethod](interface.methods.map { ($0.name, $0) }) { $1 }
        properties = [String: BusProperty](interface.properties.map { ($0.name, $0) }) { $1 }
        let count =
            2 + interface.methods.count + interface.signals.count
            + interface.properties.count
        unsafe vtable = .allocate(capacity: count)
        unsafe vtable.initialize(repeating: geofenced_vtable_end(), count: count)
        var next = unsafe vtable
        func add(_ entry: sd_bus_vtable) {
            unsafe next.pointee = unsafe entry
            unsafe next += 1
        }
        unsafe add(geofenced_vtable_start())
        for method in interface.methods {
            unsafe add(
                geofenced_vtable_method(
                    keep(method.name), keep(method.inputs.types), keep(method.outputs.types),
                    keep((method.inputs + method.outputs).names), handleMethod))
        }
        for signal in interface.signals {
            unsafe add(
                geofenced_vtable_signal(
                    keep(signal.name), keep(signal.arguments.types), keep(signal.arguments.names)))
        }
        for property in interface.properties {
            unsafe add(
                geofenced_vtable_property(
                    keep(property.name), keep(property.type), readProperty, property.change.flags))
        }
    }

    deinit {
        unsafe vtable.deallocate()
        unsafe strings.forEach { unsafe $0.deallocate() }
    }

    /// A C string that lives as long as the vtable: sd-bus does not copy it.
    private func keep(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        unsafe copy.initialize(from: bytes, count: bytes.count)
        unsafe strings.append(copy)
        return unsafe copy
    }

    fileprivate func handle(_ message: BusMessage) {
        guard let name = message.member, let method = methods[name] else { return }
        method.handler(BusCall(message, self))
    }

    fileprivate func read(_ name: String, for sender: String?) -> Result<BusValue, BusError> {
        guard let property = properties[name] else {
            return .failure(BusError(name: BusError.failed, message: "no property \(name)"))
        }
        do throws(BusError) {
            return .success(try property.read(sender))
        } catch {
            return .failure(error)
        }
    }
}

extension ExportedObject {
    /// The arguments of PropertiesChanged.
    fileprivate func changes(
        _ names: [String], _ known: [BusOption]
    ) throws(SystemError) -> [BusValue] {
        var changed: [BusOption] = []
        var invalidated: [BusValue] = []
        for name in names {
            switch properties[name]?.change {
            case .emitsValue:
                if let option = known.first(where: { $0.key == name }) {
                    changed.append(option)
                } else if case .success(let value) = read(name, for: nil) {
                    changed.append(BusOption(name, value))
                } else {
                    throw SystemError(operation: "reading \(name)", errno: EIO)
                }
            case .emitsInvalidation: invalidated.append(.string(name))
            case .constant, .silent, nil:
                throw SystemError(operation: "telling of \(name)", errno: EINVAL)
            }
        }
        return [.string(interface), .options(changed), .array(of: "s", invalidated)]
    }
}

private let handleMethod: sd_bus_message_handler_t = { message, userdata, _ in
    guard let message = unsafe message,
        let exported = unsafe object(userdata, as: ExportedObject.self)
    else { return 0 }
    nonisolated(unsafe) let lent = unsafe message
    MainActor.assumeIsolated { unsafe exported.handle(BusMessage(sharing: lent)) }
    return 1
}

private let readProperty: sd_bus_property_get_t = { bus, _, _, name, reply, userdata, error in
    guard let bus = unsafe bus, let name = unsafe name, let reply = unsafe reply,
        let exported = unsafe object(userdata, as: ExportedObject.self)
    else { return -EINVAL }
    let result = MainActor.assumeIsolated {
        [sender = unsafe reader(bus), name = unsafe String(cString: name)] in
        exported.read(name, for: sender)
    }
    switch result {
    case .success(let value):
        do throws(SystemError) {
            var writer = unsafe BusWriter(message: reply)
            try writer.append(value)
            return 1
        } catch { return -error.errno }
    case .failure(let failure):
        return unsafe failure.set(error)
    }
}

/// The reader: the sender of the Get or GetAll being dispatched. Not the sender of any other
/// message: a change may be signalled, to everybody, while a method call is handled.
private func reader(_ bus: OpaquePointer) -> String? {
    guard let message = unsafe sd_bus_get_current_message(bus),
        unsafe sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", nil) > 0
    else { return nil }
    return unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) }
}

extension BusPropertyChange {
    fileprivate var flags: UInt64 {
        switch self {
        case .constant: UInt64(SD_BUS_VTABLE_PROPERTY_CONST)
        case .emitsValue: UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
        case .emitsInvalidation: UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION)
        case .silent: 0
        }
    }
}

extension [BusParameter] {
    fileprivate var types: String { reduce(into: "") { $0 += $1.type } }
    /// Each terminated by a NUL, as SD_BUS_PARAM does.
    fileprivate var names: String { reduce(into: "") { $0 += $1.name + "\0" } }
}
