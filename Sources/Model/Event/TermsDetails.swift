import Bytes
package import Time

/// The details of an event about the terms of its fence, each for the kinds that have it.
package struct TermsDetails: Hashable, Sendable {
    /// Of `overspeed` and `overspeed-end`: the limit, km/h.
    package var speedLimit: Double?
    /// Of both: the unit of the sign, `km/h` or `mph`; empty if the fence names none.
    package var speedUnit = ""
    /// Of `overspeed-end`: the highest speed, km/h.
    package var highestSpeed: Double?
    /// Of `overspeed-end`: how long it lasted.
    package var length: TimeSpan?
    /// Of an exit: whether the vehicle had stood as long as the fence requires.
    package var stopped: Bool?
    /// Of `arriving`: when the vehicle is expected there.
    package var eta: UTCTime?
    /// Of any: the wheels of the vehicle were heard at the proving fix.
    package var byWheels = false

    package init() {}
}

extension TermsDetails {
    /// The details in their stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { $0.write(self) } }

    /// Nil if the bytes are damaged. Bytes that a later version appends are ignored.
    package init?(bytes: [UInt8]) {
        guard let details = ByteReader.value(of: bytes, { try $0.readTermsDetails() }) else {
            return nil
        }
        self = details
    }
}

extension ByteWriter {
    /// Writes them as ``TermsDetails/bytes`` has them.
    package mutating func write(_ details: TermsDetails) {
        write(details.speedLimit) { $0.write($1) }
        write(details.speedUnit)
        write(details.highestSpeed) { $0.write($1) }
        write(details.length) { $0.write($1.nanoseconds) }
        write(details.stopped) { $0.write($1) }
        write(details.eta) { $0.write($1) }
        if details.byWheels { write(true) }
    }
}

extension ByteReader {
    /// - Parameter isWhole: these bytes have nothing else, and older ones end before the newer details.
    package mutating func readTermsDetails(isWhole: Bool = true) throws -> TermsDetails {
        var details = TermsDetails()
        details.speedLimit = try readOptional { try $0.readDouble() }
        details.speedUnit = try readString()
        details.highestSpeed = try readOptional { try $0.readDouble() }
        details.length = try readOptional { TimeSpan(nanoseconds: try $0.read()) }
        details.stopped = try readOptional { try $0.readBool() }
        if isWhole, !isAtEnd { details.eta = try readOptional { try $0.readTime() } }
        if isWhole, !isAtEnd { details.byWheels = try readBool() }
        return details
    }
}
