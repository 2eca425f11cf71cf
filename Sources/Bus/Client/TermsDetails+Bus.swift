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

extension TermsDetails {
    /// See ``ForwardedEvent/terms``.
    var forwarded: JSONValue {
        var members: [JSONMember] = []
        if let stopped { members.append(JSONMember("stopped", .bool(stopped))) }
        if let speedLimit { members.append(JSONMember("speedLimit", .rounded(speedLimit))) }
        if !speedUnit.isEmpty { members.append(JSONMember("speedUnit", .string(speedUnit))) }
        if let highestSpeed { members.append(JSONMember("maxSpeed", .rounded(highestSpeed))) }
        if let length { members.append(JSONMember("length", .rounded(length.seconds))) }
        return .object(members)
    }
}

extension JSONValue {
    /// To three decimals.
    fileprivate static func rounded(_ value: Double) -> JSONValue {
        JSONValue((value * 1000).rounded() / 1000)
    }
}
