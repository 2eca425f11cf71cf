import Bytes
import Model

/// The devices of BlueZ: one for each address, which may rotate, so that a beacon can have several.
/// The data of each are kept, because later signals contain only what has changed.
struct HeardDevices {
    private struct Device {
        /// Frames by their format: a frame of another format does not replace them.
        var frames: [BeaconFrame.Format: BeaconFrame] = [:]
        /// When it was last used, by the step counter.
        var used: UInt64
    }

    /// By object path.
    private var devices: [String: Device] = [:]
    private var step: UInt64 = 0

    /// Enough for a motorway or a stadium; beyond it the device that was silent for the longest is
    /// forgotten.
    static let most = 4096

    var count: Int { devices.count }

    /// Whether the data of the device at this path are known.
    func contains(_ path: String) -> Bool { devices[path] != nil }

    /// Applies the properties of a Device1 from a signal.
    /// - Parameters:
    ///   - rssi: dBm, as BlueZ reports it; nil if the signal has none.
    ///   - isWhole: these are all properties of the device, not only the changed ones.
    /// - Returns: the sightings: none if the signal has no RSSI and no data, as when another
    ///   program
    ///   ends its discovery. Nil if the data of the device are not known.
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

    /// A monitor has found the device again: it was heard, with unknown strength. Nil for an
    /// unknown path.
    mutating func found(_ path: String) -> [BeaconSighting]? {
        step += 1
        guard devices[path] != nil else { return nil }
        devices[path]?.used = step
        return devices[path].map { sightings(of: $0, rssi: nil) }
    }

    /// BlueZ has removed the device. This means nothing: BlueZ has timeouts of its own.
    mutating func remove(_ path: String) { devices[path] = nil }

    mutating func removeAll() { devices = [:] }

    private func note(_ frame: BeaconFrame?, _ device: inout Device) {
        if let frame { device.frames[frame.format] = frame }
    }

    private func sightings(of device: Device, rssi: Int?) -> [BeaconSighting] {
        // Always in the same order.
        BeaconFrame.Format.allCases.compactMap { device.frames[$0] }.map {
            BeaconSighting($0, rssi: rssi)
        }
    }

    private mutating func forgetOldest() {
        guard let oldest = devices.min(by: { $0.value.used < $1.value.used })?.key else { return }
        devices[oldest] = nil
    }
}
