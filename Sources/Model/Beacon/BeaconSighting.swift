/// One reception of a beacon. Its time is that of the input.
package struct BeaconSighting: Hashable, Sendable {
    /// Which beacon it was.
    package var identity: BeaconIdentity
    /// dBm; nil if the radio did not report it.
    package var rssi: Int?
    /// See ``BeaconFrame/measuredPower``, dBm; nil if not known. The law does not use it.
    package var measuredPower: Int?

    /// - Parameter rssi: as the radio reports it; 127, values from 0 on, and values below -127 mean
    ///   that it is not known.
    package init(_ identity: BeaconIdentity, rssi: Int?, measuredPower: Int? = nil) {
        self.identity = identity
        self.rssi = rssi.flatMap { (-127 ... -1).contains($0) ? $0 : nil }
        self.measuredPower = measuredPower
    }

    /// Makes the sighting of one frame of an advertisement.
    package init(_ frame: BeaconFrame, rssi: Int?) {
        self.init(frame.identity, rssi: rssi, measuredPower: frame.measuredPower)
    }
}
