import Model
import Systemd

/// The relevant properties of a Device1 from one signal.
struct DeviceSignal {
    /// dBm; 127 where BlueZ does not know it.
    var rssi: Int?
    var manufacturer: [(company: UInt16, data: [UInt8])] = []
    /// Service data of Eddystone.
    var eddystone: [UInt8]?

    /// In lower case, as BlueZ writes it.
    private static let service = "0000feaa-0000-1000-8000-00805f9b34fb"
    /// The greatest number of payloads in one signal; BlueZ sends one or two.
    private static let most = 8
    /// Bytes of the longest payload.
    private static let longest = Advertisement.longest

    /// - Parameter properties: `a{sv}`
    init(_ properties: [String: BusValue]) {
        rssi = properties["RSSI"]?.asInt64.flatMap { Int(exactly: $0) }
        for entry in properties["ManufacturerData"]?.asArray?.prefix(Self.most) ?? [] {
            guard case .entry(let key, let value) = entry, let number = key.asUInt32,
                let company = UInt16(exactly: number), let data = value.asBytes,
                data.count <= Self.longest
            else { continue }
            manufacturer.append((company, data))
        }
        if let data = properties["ServiceData"]?.asDictionary?[Self.service]?.asBytes,
            data.count <= Self.longest
        {
            eddystone = data
        }
    }
}

extension HeardDevices {
    /// See ``change(_:rssi:manufacturer:eddystone:isWhole:)``.
    mutating func change(
        _ path: String, _ signal: DeviceSignal, isWhole: Bool
    ) -> [BeaconSighting]? {
        change(
            path, rssi: signal.rssi, manufacturer: signal.manufacturer,
            eddystone: signal.eddystone, isWhole: isWhole)
    }
}
