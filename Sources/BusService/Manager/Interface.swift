import Geofence1
import Systemd

// What introspection shows; the file systemd/usr/share/dbus-1/interfaces/org.geofenced.Geofence1.xml
// is held against it by a test.
extension ManagerService {
    func managerInterface() -> BusInterface {
        BusInterface(
            name: Geofence1.managerInterface,
            methods: fenceMethods() + importMethods() + presenceMethods() + eventMethods()
                + subscriptionMethods() + consumerMethods(),
            signals: Self.signals,
            properties: managerProperties())
    }

    static let signals = [
        BusSignalDeclaration(
            "Transition",
            [
                BusParameter("seq", "t"), BusParameter("fence", "s"), BusParameter("kind", "u"),
                BusParameter("details", "a{sv}"),
            ]),
        BusSignalDeclaration(
            "WindowChanged",
            [
                BusParameter("generation", "t"), BusParameter("added", "as"),
                BusParameter("removed", "as"), BusParameter("reason", "u"),
            ]),
        BusSignalDeclaration("Heartbeat", [BusParameter("time", "t")]),
    ]

    /// A method whose handler has the decoded arguments; calls with too many values are refused.
    /// The service is not kept alive by its own interface.
    func method(
        _ name: String, in inputs: [(String, String)] = [], out outputs: [(String, String)] = [],
        handler: @escaping @MainActor (ManagerService, BusCall, [BusValue]) -> Void
    ) -> BusMethod {
        BusMethod(
            name, in: inputs.map { BusParameter($0.0, $0.1) },
            out: outputs.map { BusParameter($0.0, $0.1) }
        ) { [weak self] call in
            guard let self else { return }
            do throws(BusError) {
                handler(self, call, try call.arguments())
            } catch { call.fail(error) }
        }
    }
}
