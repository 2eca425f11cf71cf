import Bytes
import Geofence1
import Systemd

// What introspection reports; a test compares it with the file
// systemd/usr/share/dbus-1/interfaces/org.geofenced.Geofence1.xml.
extension ManagerService {
    func managerInterface() -> BusInterface {
        BusInterface(
            name: Geofence1.managerInterface,
            methods: fenceMethods() + fenceQuestionMethods() + importMethods() + originMethods()
                + presenceMethods() + beaconMethods() + vehicleMethods() + eventMethods()
                + subscriptionMethods()
                + consumerMethods() + ignitionMethods() + driverMethods() + routeMethods(),
            signals: Self.signals,
            properties: managerProperties())
    }

    static let signals = [
        Subscriptions.transition,
        BusSignalDeclaration(
            "WindowChanged",
            [
                BusParameter("generation", "t"), BusParameter("added", "as"),
                BusParameter("removed", "as"), BusParameter("reason", "u"),
            ]),
        BusSignalDeclaration("Heartbeat", [BusParameter("time", "t")]),
    ]

    /// A call of the table, with its body. It is seen first that the caller may make it, then its
    /// arguments are read within its limits: an unauthorized call costs nothing. The service is not
    /// kept alive by its own interface.
    func method(
        _ row: DaemonCall,
        body: @escaping @MainActor (ManagerService, BusCall, [BusValue]) -> Void
    ) -> BusMethod {
        BusMethod(row.name, in: row.inputs, out: row.outputs) { [weak self] call in
            guard let self else { return }
            count(call)
            guard !InHand.leavesOut(.call, row.name) else {
                return call.fail(
                    BusError(
                        name: BusError.limitsExceeded,
                        message: "left out: the daemon crashed with this call in hand"))
            }
            InHand.mark(.call, row.name) {
                permit(call, row.right) { [weak self] in
                    guard let self else { return }
                    do throws(BusError) {
                        var arguments: [BusValue] = []
                        if let limits = row.limits {
                            arguments = try call.arguments(limits: limits)
                        }
                        InHand.mark(.call, row.name) { body(self, call, arguments) }
                    } catch { call.fail(error) }
                }
            }
        }
    }

    /// A call that is answered at once with what `body` returns, or with the error it throws.
    func answer(
        _ row: DaemonCall,
        with body: @escaping @MainActor (ManagerService, BusCall, [BusValue]) throws -> [BusValue]
    ) -> BusMethod {
        method(row) { service, call, arguments in
            call.answer { try body(service, call, arguments) }
        }
    }

    /// Continues for callers that have the right.
    private func permit(
        _ call: BusCall, _ right: DaemonCall.Right, then: @escaping () -> Void
    ) {
        switch right {
        case .action(let action): authorizer.authorize(call, action, then: then)
        case .writer(let action, let argument):
            authorize(call, action, orOwnerOfOriginAt: argument, then: then)
        case .consumer: then()
        }
    }

    /// The answer counts as unread until the caller is known to have read it.
    func count(_ call: BusCall) {
        let sender = call.sender
        call.onAnswered = { [weak self] in self?.accounts.sent($0, to: sender) }
    }
}
