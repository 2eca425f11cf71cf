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

    /// A method whose handler gets the decoded arguments. The caller is identified first, then the
    /// arguments are read within `limits`: an unauthorized call costs nothing.
    func method(
        _ name: String, needs action: Geofence1.Action, in inputs: [(String, String)] = [],
        out outputs: [(String, String)] = [], limits: BusLimits = .call,
        handler: @escaping @MainActor (ManagerService, BusCall, [BusValue]) -> Void
    ) -> BusMethod {
        call(name, in: inputs, out: outputs) { service, call in
            service.authorizer.authorize(call, action) { [weak service] in
                guard let service else { return }
                do throws(BusError) {
                    let arguments = try call.arguments(limits: limits)
                    InHand.mark(.call, name) { handler(service, call, arguments) }
                } catch { call.fail(error) }
            }
        }
    }

    /// A method whose handler gets only the call.
    /// The service is not kept alive by its own interface.
    func call(
        _ name: String, in inputs: [(String, String)] = [], out outputs: [(String, String)] = [],
        handler: @escaping @MainActor (ManagerService, BusCall) -> Void
    ) -> BusMethod {
        BusMethod(
            name, in: inputs.map { BusParameter($0.0, $0.1) },
            out: outputs.map { BusParameter($0.0, $0.1) }
        ) { [weak self] call in
            guard let self else { return }
            count(call)
            guard !InHand.leavesOut(.call, name) else {
                return call.fail(
                    BusError(
                        name: BusError.limitsExceeded,
                        message: "left out: the daemon crashed with this call in hand"))
            }
            InHand.mark(.call, name) { handler(self, call) }
        }
    }

    /// The answer counts as unread until the caller is known to have read it.
    func count(_ call: BusCall) {
        let sender = call.sender
        call.onAnswered = { [weak self] in self?.accounts.sent($0, to: sender) }
    }
}
