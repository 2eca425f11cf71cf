package import Systemd
import Time

/// Listens to one signal of one program on the bus, and connects again when the bus comes back.
///
/// Only the owner of the name is believed. The rule on the bus alone would not do: any program may
/// send us a signal directly, and sd-bus cannot know the names of its sender.
@MainActor
package final class SignalWatch {
    private let loop: EventLoop
    private let address: BusAddress
    private let line: SignalLine
    private let handler: @MainActor (InputReading) -> Void
    /// Gets the value of the signal, or of the property, instead.
    private let raw: (@MainActor (BusValue) -> Void)?
    private var bus: BusConnection?
    private var slots: [BusSlot] = []
    /// The unique name behind the sender's.
    private var owner: String?
    private var question = Question.none
    private var call: PendingCall?
    private var retry: TimerSource?
    private var backOff = BackOff(limit: .seconds(300))

    /// A lower priority than the fixes have, which a flood of signals must not delay.
    private static let priority: Int32 = 10
    /// The call that reads the property.
    private enum Question {
        case none
        case pending
        /// It has changed since the call was sent.
        case outdated
    }

    private static let properties = "org.freedesktop.DBus.Properties"

    /// Calls `handler` from the loop with every reading, as long as this lives: also with repeated
    /// ones. With `raw` that gets the value as it is, and `handler` what is absent or unclear.
    package init(
        on loop: EventLoop, address: BusAddress, line: SignalLine,
        raw: (@MainActor (BusValue) -> Void)? = nil,
        handler: @escaping @MainActor (InputReading) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.address = address
        self.line = line
        self.raw = raw
        self.handler = handler
        retry = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.connect() }
        connect()
    }

    private func connect() {
        slots = []
        bus = nil
        do throws(SystemError) {
            let bus = try BusConnection(
                to: address, loop: loop, priority: Self.priority,
                disconnected: { [weak self, address] in self?.lost("\(address) has gone") })
            self.bus = bus
            var match = BusMatch(
                sender: line.sender, path: line.path, interface: line.interface)
            switch line.carrier {
            case .member(let name, let argument):
                match.member = name
                slots.append(
                    try bus.subscribe(match) { [weak self] in self?.heard($0, argument) })
            case .property(let name):
                match.interface = Self.properties
                match.member = "PropertiesChanged"
                match.firstArgument = line.interface
                slots.append(
                    try bus.subscribe(match) { [weak self] in self?.heardChange($0, of: name) })
            }
            // After the rules, so that nothing that the owner says is missed.
            slots.append(
                try bus.watchName(line.sender) { [weak self] in self?.ownerChanged(to: $0) })
        } catch {
            lost("\(error)")
        }
    }

    /// Called from within the connection: it is released on the next turn of the loop.
    private func lost(_ why: String) {
        let now = EventLoop.uptime
        backOff.fail(at: now)
        if let until = backOff.until { retry?.arm(at: until) }
        forget()
        handler(.absent(why))
    }

    private func forget() {
        owner = nil
        call?.cancel()
        call = nil
        question = .none
    }

    private func ownerChanged(to name: String?) {
        backOff.succeed()
        forget()
        owner = name
        guard name != nil else { return handler(.absent("\(line.sender) is not on the bus")) }
        // What another owner said does not count any more.
        handler(.silent("\(line.sender) has said nothing yet"))
        if case .property(let property) = line.carrier { ask(for: property) }
    }

    private func heard(_ message: BusMessage, _ argument: Int) {
        guard let owner, message.sender == owner else { return }
        guard let values = try? message.values(limits: .call), values.indices.contains(argument)
        else { return handler(.unclear("the signal has no argument \(argument)")) }
        take(values[argument])
    }

    private func take(_ value: BusValue) {
        if let raw { return raw(value) }
        handler(line.reading(of: value))
    }

    private func heardChange(_ message: BusMessage, of property: String) {
        guard let owner, message.sender == owner,
            let values = try? message.values(limits: .call), values.count == 3
        else { return }
        if let value = values[1].asDictionary?[property] {
            take(value)
        } else if values[2].asStrings?.contains(property) == true {
            ask(for: property)
        }
    }

    /// Reads the property: the answer comes from the owner, whose signals are in the same order.
    private func ask(for property: String) {
        guard let bus, let owner else { return }
        guard question == .none else { return question = .outdated }
        question = .pending
        let peer = BusPeer(destination: owner, path: line.path, interface: Self.properties)
        call = try? bus.call(peer, "Get", [.string(line.interface), .string(property)]) {
            [weak self] result in
            self?.answered(result, property)
        }
        if call == nil { question = .none }
    }

    private func answered(_ result: Result<BusMessage, BusError>, _ property: String) {
        let isOutdated = question == .outdated
        question = .none
        call = nil
        if isOutdated { return ask(for: property) }
        switch result {
        case .success(let message):
            guard let value = (try? message.values(limits: .call))?.first else { return }
            take(value)
        case .failure(let error):
            handler(.unclear("\(property) cannot be read: \(error)"))
        }
    }
}

extension SignalLine {
    /// What a value of the signal says.
    func reading(of value: BusValue) -> InputReading {
        let number = value.asInt64 ?? value.asUInt64.map { Int64(clamping: $0) }
        if let on {
            let text = value.asString ?? value.asBool.map { "\($0)" } ?? number.map { "\($0)" }
            guard let text else { return .unclear("the value has the type \(value.signature)") }
            return text == on ? .on : .off
        }
        guard let isOn = value.asBool ?? number.map({ $0 != 0 }) else {
            return .unclear("the value is neither a boolean nor a whole number")
        }
        return isOn ? .on : .off
    }
}
