import Model
import SystemTestKit
import Systemd

@testable import BeaconSource

/// A source on a private bus, with a simulated BlueZ.
@MainActor
final class Bench {
    let loop: EventLoop
    let bus = PrivateBus()
    let bluez: FakeBlueZ
    private(set) var source: BeaconSource?
    var heard: [BeaconSighting] = []
    var statuses: [BeaconRadioStatus] = []

    init(isExperimental: Bool = true, isPlugged: Bool = true) throws {
        loop = try EventLoop()
        bluez = FakeBlueZ(on: bus, loop: loop, isExperimental: isExperimental)
        try bluez.start(isPlugged: isPlugged)
        let handlers = BeaconSource.Handlers { [weak self] in
            self?.heard += $0
        } status: { [weak self] in
            self?.statuses.append($0)
        }
        source = try BeaconSource(on: loop, address: bus.busAddress, handlers: handlers)
    }

    nonisolated static let data: [UInt8] =
        [0x02, 0x15] + [UInt8](repeating: 0, count: 7) + [1]
        + [UInt8](repeating: 0, count: 7) + [2, 0, 3, 0, 4, 0xC5]

    func ask(isActive: Bool = false) {
        var demand = BeaconDemand()
        demand.patterns = [.uuid(BeaconUUID(high: 1, low: 2))]
        demand.isActive = isActive
        source?.ask(for: demand)
    }

    func reaches(_ state: BeaconRadioState, _ reason: BeaconRadioReason = .none) throws -> Bool {
        try loop.run(until: { source?.status == BeaconRadioStatus(state, reason) })
    }
}
