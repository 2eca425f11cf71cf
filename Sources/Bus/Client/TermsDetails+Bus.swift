import Engine
import JSON
import Systemd
import Time

extension TermsDetails {
    /// Reads the details of an event; nil if they contain nothing about terms.
    init?(_ details: [String: BusValue]) {
        self.init()
        speedLimit = details["speed_limit_kmh"]?.asDouble
        speedUnit = details["speed_unit"]?.asString ?? ""
        highestSpeed = details["max_speed_kmh"]?.asDouble
        length = details["length"]?.asUInt64.map {
            ReceiverTime(microseconds: $0) - ReceiverTime(nanoseconds: 0)
        }
        stopped = details["stopped"]?.asBool
        if self == TermsDetails() { return nil }
    }
}
