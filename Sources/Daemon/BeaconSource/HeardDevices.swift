import Bytes
import Engine

/// The devices that BlueZ has made of what it hears: one for each address, which may rotate, so that
/// a beacon is several of them. What each sends is kept, because later signals say only what
/// changed.
struct HeardDevices {
    private struct Device {
        /// By how they were written: a frame of another kind replaces none.
        var frames: [BeaconFrame.Format: BeaconFrame] = [:]
        /// When it was last used, in steps.
        var used: UInt64
    }

    /// By object path.
    private var devices: [String: Device] = [:]
    private var step: UInt64 = 0

    /// Of a motorway or a stadium; above it the one that was silent for the longest is forgotten.
    static let most = 4096

    var count: Int { devices.count }

    /// Properties of a Device1 that were signalled.
    /// - Parameters:
    ///   - rssi: dBm, as BlueZ has it; nil where it did not come.
    ///   - isWhole: these are all of its properties, not those that changed.
    /// - Returns: what was heard with it: nothing where no RSSI and no data came, as when another
    ///   program ends its discovery. Nil where it is not known what the device sends.
    mutating func change(
        _ path: String, rssi: Int?, manufacturer: [(company: UInt16, data: [UInt8])],
        eddystone: [UInt8]?, isWhole: Bool
    ) -> [BeaconSighting]? {
        guard rssi != nil || !manufacturer.isEmpty || eddystone != nil || isWhole else {
            return []
        }
        guard isWhole || devices[path] != nil else { return nil }
        step += 1
        var device = devices[path] ?? Device(used: step)
        device.used = step
        for (company, data) in manufacturer {
            note(data.withByteView { BeaconFrame(company: company, data: $0) }, &device)
        }
        if let eddystone { note(eddystone.withByteView { BeaconFrame(eddystone: $0) }, &device) }
        if devices[path] == nil, devices.count >= Self.most { forgetOldest() }
        devices[path] = device
        return sightings(of: device, rssi: rssi)
    }

    /// The monitor has found it again: it was heard, and how strong it is nobody says. Nil for a
    /// path that is not known.
    mutating func found(_ path: String) -> [BeaconSighting]? {
        step += 1
        guard devices[path] != nil else { return nil }
        devices[path]?.used = step
        return devices[path].map { sightings(of: $0, rssi: nil) }
    }

    /// BlueZ has forgotten it. Nothing follows from that: BlueZ has clocks of its own.
    mutating func remove(_ path: String) { devices[path] = nil }

    mutating func removeAll() { devices = [:] }

    private func note(_ frame: BeaconFrame?, _ device: inout Device) {
        if let frame { device.frames[frame.format] = frame }
    }

    private func sightings(of device: Device, rssi: Int?) -> [BeaconSighting] {
        // In a fixed order.
        BeaconFrame.Format.allCases.compactMap { device.frames[$0] }.map {
            BeaconSighting($0, rssi: rssi)
        }
    }

    private mutating func forgetOldest() {
        guard let oldest = devices.min(by: { $0.value.used < $1.value.used })?.key else { return }
        devices[oldest] = nil
    }
}
