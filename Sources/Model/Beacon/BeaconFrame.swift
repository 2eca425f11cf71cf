package import Bytes

/// The content of one frame of an advertisement: which beacon, and how strong it is at 1 m.
package struct BeaconFrame: Hashable, Sendable {
    /// The format of the frame.
    package enum Format: String, CaseIterable, Sendable {
        case iBeacon = "ibeacon"
        case altBeacon = "altbeacon"
        case eddystone = "eddystone"
    }

    /// The format of the frame.
    package let format: Format
    /// Which beacon it is.
    package let identity: BeaconIdentity
    /// RSSI at 1 m as the beacon states it, dBm, -169…127; outside -100…-20 no distance can be
    /// estimated, but the sighting counts.
    package let measuredPower: Int

    /// Apple, among the company identifiers of the Bluetooth SIG.
    package static let apple: UInt16 = 0x004C
    /// Eddystone, among the 16-bit service UUIDs.
    package static let eddystoneService: UInt16 = 0xFEAA
    /// Eddystone states its power at 0 m; over the first metre it loses this, dB (its
    /// specification).
    private static let firstMetre = 41

    /// A frame in manufacturer data.
    /// - Parameters:
    ///   - company: the identifier before the data.
    ///   - data: without the identifier. Nil unless these are exactly the 23 bytes of an iBeacon,
    ///     or begin with the 24 of an AltBeacon, whose last, reserved one may be missing.
    package init?(company: UInt16, data: ByteView) {
        if company == Self.apple, data.count == 23, data[0] == 0x02, data[1] == 0x15 {
            format = .iBeacon
        } else if data.count >= 23, data[0] == 0xBE, data[1] == 0xAC {
            format = .altBeacon
        } else {
            return nil
        }
        identity = .proximity(
            BeaconUUID(high: data.bigEndian(at: 2), low: data.bigEndian(at: 10)),
            major: data.bigEndian(at: 18), minor: data.bigEndian(at: 20))
        measuredPower = Int(Int8(bitPattern: data[22]))
    }

    /// A frame in the service data of ``eddystoneService``; nil unless it is an Eddystone-UID of 18
    /// bytes, or of 20 with the reserved ones.
    package init?(eddystone data: ByteView) {
        guard data.count == 18 || data.count == 20, data[0] == 0x00 else { return nil }
        format = .eddystone
        let instance: UInt64 = data.bigEndian(at: 10)
        identity = .eddystone(
            BeaconNamespace(high: data.bigEndian(at: 2), low: data.bigEndian(at: 4)),
            instance: instance & 0xFFFF_FFFF_FFFF)
        measuredPower = Int(Int8(bitPattern: data[1])) - Self.firstMetre
    }
}

extension ByteView {
    /// A number in the byte order of the network; traps when out of bounds.
    fileprivate func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int
    ) -> Value {
        integer(at: offset, as: Value.self).byteSwapped
    }
}
