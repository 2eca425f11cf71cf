package import JSON
package import Systemd

/// A member of an object that the daemon tells, such as the vehicle: what of the object it is, on the
/// bus and in JSON. The table of an object is `told`; the order is that of output.
package struct ToldMember<Whole>: Sendable {
    let name: String
    /// Nil: it is not there.
    let bus: @Sendable (Whole) -> BusValue?
    let read: @Sendable (inout Whole, BusValue?) -> Void
    let json: @Sendable (Whole, inout JSONWriter) -> Void

    /// - Parameter json: its name there; nil: it is not in JSON.
    init<Value>(
        _ name: String, json key: String?, _ form: ToldForm<Value>,
        get: @escaping @Sendable (Whole) -> Value,
        set: @escaping @Sendable (inout Whole, Value) -> Void
    ) {
        self.name = name
        bus = { form.bus(get($0)) }
        read = { set(&$0, form.value($1)) }
        json = { whole, json in
            guard let key else { return }
            json.key(key)
            form.json(get(whole), &json)
        }
    }

    /// Of the same name in JSON.
    init<Value>(
        _ name: String, _ form: ToldForm<Value>,
        _ path: any WritableKeyPath<Whole, Value> & Sendable
    ) {
        self.init(
            name, json: name, form, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    /// On the bus alone.
    init<Value>(
        onBus name: String, _ form: ToldForm<Value>,
        _ path: any WritableKeyPath<Whole, Value> & Sendable
    ) {
        self.init(
            name, json: nil, form, get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 })
    }

    /// In JSON alone.
    init(inJSON write: @escaping @Sendable (Whole, inout JSONWriter) -> Void) {
        name = ""
        bus = { _ in nil }
        read = { _, _ in }
        json = write
    }
}

extension Array {
    /// `a{sv}` of these members of an object.
    package func options<Whole>(of whole: Whole) -> BusValue where Element == ToldMember<Whole> {
        .options(
            compactMap { member in member.bus(whole).map { BusOption(member.name, $0) } })
    }

    /// Takes these members of an `a{sv}` into an object.
    func read<Whole>(_ entries: [String: BusValue], into whole: inout Whole)
    where Element == ToldMember<Whole> {
        for member in self { member.read(&whole, entries[member.name]) }
    }

    /// An object of these members, in JSON.
    package func writeObject<Whole>(_ whole: Whole, to json: inout JSONWriter)
    where Element == ToldMember<Whole> {
        json.beginObject()
        write(whole, to: &json)
        json.endObject()
    }

    /// These members of an object, in JSON.
    package func write<Whole>(_ whole: Whole, to json: inout JSONWriter)
    where Element == ToldMember<Whole> {
        for member in self { member.json(whole, &json) }
    }
}
