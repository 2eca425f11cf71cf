import BusService
import Foundation
import Geofence1
import SystemTestKit
import Systemd
import Testing

extension AuthorizationTests {
    /// What each call needs of a caller that has no name and no consumer.
    private nonisolated static let rights: [Geofence1.Action: [String]] = [
        .manageFences: [
            "ApplyFences", "ImportFences", "ApplyFencesFrom", "ImportFencesFrom", "AcceptLoss",
            "AcceptLogLoss", "Recenter", "Reload", "ForgetDriver", "UnregisterConsumer",
            "AckEvents",
        ],
        .readEvents: [
            "GetFence", "ListFences", "CountFences", "ListOrigins", "GetOrigin", "GetStates",
            "EvaluateAt", "ListBeacons", "ReadEvents", "FindEvents", "CreateSubscription",
            "RegisterConsumer", "ListConsumers",
        ],
        .readLocation: ["GetWindow", "GetPosition", "GetMetafence", "GetDriver", "GetRoute"],
        .setVehicle: ["SetVehicle", "SetIgnition"], .setDriver: ["SetDriver"],
        .setRoute: ["SetRoute", "ClearRoute"], .rangeBeacons: ["CreateRangingSession"],
        .statePresence: ["SetPresence"],
    ]

    @Test("each call is refused a stranger for want of its right", arguments: rights)
    func right(action: Geofence1.Action, names: [String]) throws {
        #expect(Set(Self.rights.values.joined()) == Set(DaemonCall.all.map(\.name)))
        let fixture = try ServiceFixture(
            bus: Self.openBus(), trusted: TrustedCallers(uids: [0], group: 12_345))
        try fixture.connect()
        let calls = try names.map { name in
            let call = try #require(DaemonCall.all.first { $0.name == name })
            return ([name] + call.inputs.map(\.type)).joined(separator: " ")
        }
        let stranger = Subprocess(
            [
                "setpriv", "--reuid", "\(Self.daemon)", "--regid", "\(Self.daemon)",
                "--clear-groups", "/usr/bin/python3", "-c",
                """
                import dbus, sys
                bus = dbus.bus.BusConnection("\(fixture.bus.address)")
                def least(type):
                    if type[0] == "a": return {} if type[1] == "{" else []
                    if type[0] == "(": return (0.0,) * (len(type) - 2)
                    return {"s": "org.example.C", "b": False, "h": dbus.types.UnixFd(0)}.get(type, 0)
                for call in sys.argv[1:]:
                    name, *types = call.split()
                    try:
                        bus.call_blocking(
                            "\(Geofence1.name)", "\(Geofence1.path)", "\(Geofence1.managerInterface)",
                            name, "".join(types), [least(type) for type in types])
                        print(name, "answered")
                    except dbus.DBusException as error: print(name, error.get_dbus_message())
                """,
            ] + calls)
        let ended = try fixture.loop.run(untilEndOf: stranger)
        #expect(
            ended?.output == names.map { "\($0) not authorized: \(action.rawValue)\n" }.joined(),
            "\(ended?.errors ?? "")")
    }
}
