package import Bytes

/// The bytes that a radio reports of one advertisement: structures of a length, a type and that
/// many bytes less one (Bluetooth Core Specification, volume 3, part C, 11).
package enum Advertisement {
    /// The longest advertisement, an extended one in a single report, bytes. A longer one is
    /// ignored.
    package static let longest = 255
    /// The greatest number of frames in one advertisement; later ones are ignored.
    package static let mostFrames = 8

    private static let serviceData16: UInt8 = 0x16
    private static let manufacturerData: UInt8 = 0xFF

    /// The frames of beacons in it, in their order; none in most advertisements. A structure whose
    /// length exceeds the rest is ignored, and so is everything after a structure of length 0.
    package static func frames(_ bytes: ByteView) -> [BeaconFrame] {
        var frames: [BeaconFrame] = []
        guard bytes.count <= longest else { return frames }
        var position = 0
        while position < bytes.count, frames.count < mostFrames {
            let length = Int(bytes[position])
            let end = position + 1 + length
            guard length > 0, end <= bytes.count else { break }
            let type = bytes[position + 1]
            if let frame = frame(type, bytes.part(position + 2..<end)) { frames.append(frame) }
            position = end
        }
        return frames
    }

    /// Both types begin with an identifier of 16 bits, little-endian.
    private static func frame(_ type: UInt8, _ data: ByteView) -> BeaconFrame? {
        guard type == manufacturerData || type == serviceData16, data.count >= 2 else { return nil }
        let number = data.integer(at: 0, as: UInt16.self)
        let rest = data.part(from: 2)
        if type == manufacturerData { return BeaconFrame(company: number, data: rest) }
        return number == BeaconFrame.eddystoneService ? BeaconFrame(eddystone: rest) : nil
    }
}
