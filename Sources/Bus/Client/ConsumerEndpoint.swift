import Geofence1
import Model
package import Systemd
import Time

/// A durable consumer's side of the interface: owns its name, registers with the daemon whenever
/// that appears, and gets the events until it acknowledges them.
@MainActor
package final class ConsumerEndpoint {
    private let client: DaemonClient
    private let name: String
    private let options: [(String, BusValue)]
    private let handlers: Handlers
    private var object: BusSlot?
    private var watches: [BusSlot] = []
    private var retry: TimerSource?
    /// The daemon's unique name; nil while it does not run.
    private var daemon: String?
    private var isOurs = false
    /// The daemon that runs has taken it on.
    package private(set) var isRegistered = false

    /// What it tells its program.
    package struct Handlers {
        /// Events as ReadEvents has them; and whether events before them were cut off the log.
        package var deliver: @MainActor (_ events: [BusValue], _ gap: Bool) -> Void
        /// The daemon knows us: from now on events come.
        package var registered: @MainActor () -> Void
        /// Worth a line in the log.
        package var log: @MainActor (String) -> Void
        /// It will never work: for this reason.
        package var failed: @MainActor (String) -> Void

        package init(
            deliver: @escaping @MainActor ([BusValue], Bool) -> Void,
            registered: @escaping @MainActor () -> Void,
            log: @escaping @MainActor (String) -> Void,
            failed: @escaping @MainActor (String) -> Void
        ) {
            self.deliver = deliver
            self.registered = registered
            self.log = log
            self.failed = failed
        }
    }

    /// Numbers of the kinds of events that tell that a vehicle has left a fence, for `kinds`.
    package static let departures: [UInt32] = [EventKind.exit.rawValue]

    /// - Parameters:
    ///   - name: its well-known name. While another program has it, this one waits.
    ///   - kinds: numbers of the kinds of events that it wants; nil: of all.
    ///   - ids: of the fences whose events it wants; none: of all.
    ///   - isWoken: whether the bus starts it when it does not run.
    ///   - after: where one that the daemon does not know yet begins; nil: with the next event.
    package init(
        _ client: DaemonClient, name: String, kinds: [UInt32]?, ids: [String] = [],
        isWoken: Bool = true, after: UInt64? = nil, loop: EventLoop, _ handlers: Handlers
    ) throws(SystemError) {
        self.client = client
        self.name = name
        self.handlers = handlers
        var options: [(String, BusValue)] = []
        if let kinds { options.append(("kinds", .array(of: "u", kinds.map { .uint32($0) }))) }
        if !ids.isEmpty { options.append(("ids", .strings(ids))) }
        if !isWoken { options.append(("wake", .bool(false))) }
        if let after { options.append(("after", .uint64(after))) }
        self.options = options
        retry = try TimerSource(loop) { [weak self] in self?.register() }
        object = try client.connection.export(interface, at: Geofence1.consumerPath(of: name))
        watches.append(
            try client.connection.watchName(Geofence1.name) { [weak self] owner in
                self?.daemon = owner
                self?.isRegistered = false
                self?.register()
            })
        var match = BusMatch(
            sender: BusPeer.bus.destination, path: BusPeer.bus.path,
            interface: BusPeer.bus.interface, member: "NameAcquired")
        match.firstArgument = name
        watches.append(
            try client.connection.subscribe(match) { [weak self] _ in self?.nameIsOurs() })
        try client.connection.requestName(name, []) { [weak self] result in
            switch result {
            case .success(.owned), .success(.alreadyOwned): self?.nameIsOurs()
            case .success: handlers.log("another program has the name \(name); waiting for it")
            case .failure(let error): handlers.failed("cannot have the name \(name): \(error)")
            }
        }
    }

    /// Everything up to `seq` has been dealt with. What cannot be acknowledged comes again.
    package func acknowledge(_ seq: UInt64) {
        do throws(ClientError) {
            try client.begin(.ackEvents, [.string(name), .uint64(seq)]) { [handlers] answer in
                if case .failure(let error) = answer {
                    handlers.log("cannot acknowledge event \(seq): \(error)")
                }
            }
        } catch { handlers.log("cannot acknowledge event \(seq): \(error)") }
    }

    /// 64 events, each with the metadata of its fence.
    private static let limits = BusLimits(values: 200_000, bytes: 16 << 20)

    private var interface: BusInterface {
        BusInterface(
            name: Geofence1.consumerInterface,
            methods: [
                BusMethod(
                    "Deliver",
                    in: [
                        BusParameter("events", "a\(EventMessage.signature)"),
                        BusParameter("gap", "b"),
                    ]
                ) { [weak self] in self?.deliver($0) }
            ])
    }

    private func deliver(_ call: BusCall) {
        guard call.sender == daemon else {
            return call.fail(
                BusError(name: BusError.accessDenied, message: "only geofenced delivers events"))
        }
        do throws(BusError) {
            let arguments = try call.arguments(limits: Self.limits)
            call.reply()
            handlers.deliver(arguments[0].asArray ?? [], arguments[1].asBool ?? false)
        } catch { call.fail(error) }
    }

    private func nameIsOurs() {
        isOurs = true
        register()
    }

    private func register() {
        guard isOurs, daemon != nil, !isRegistered else { return }
        do throws(ClientError) {
            try client.begin(
                .registerConsumer, [.string(name), .dictionary(options)]
            ) { [weak self] answer in
                switch answer {
                case .success:
                    self?.isRegistered = true
                    self?.handlers.registered()
                case .failure(let error): self?.tryAgain(error)
                }
            }
        } catch { tryAgain(error) }
    }

    private func tryAgain(_ error: ClientError) {
        // When the daemon appears again we are told.
        guard !error.isAbsence else { return }
        handlers.log("cannot register: \(error); trying again")
        retry?.arm(at: EventLoop.uptime + .seconds(error.isDenied ? 60 : 5))
    }
}
