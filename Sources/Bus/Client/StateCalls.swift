package import Bytes
package import Geodesy
import Geofence1
package import Model
package import Systemd
package import Time

/// Presence, and whether it is certain.
package struct KnownPresence {
    /// As last judged.
    package var presence: Presence
    /// The position has been lost since it was judged, or leaves it open.
    package var isUncertain: Bool

    package init?(bus value: BusValue?) {
        guard let number = value?.asUInt32,
            let presence = Presence(rawValue: number & ~Geofence1.uncertain)
        else { return nil }
        self.presence = presence
        isUncertain = number & Geofence1.uncertain != 0
    }
}

/// A region of the window.
package struct KnownRegion {
    /// Id of the fence.
    package var id: String
    /// The vehicle's presence in this fence.
    package var presence: KnownPresence
    /// Signed, m; nil if the caller may not read the position.
    package var distance: Double?
}

extension [KnownRegion] {
    /// The answer of `GetWindow`.
    package init(bus answer: [BusValue]) {
        self = (answer.first?.asArray ?? []).compactMap { region in
            guard let members = region.asStructure, members.count == 3,
                let id = members[0].asString, let presence = KnownPresence(bus: members[1])
            else { return nil }
            return KnownRegion(id: id, presence: presence, distance: members[2].asDouble)
        }
    }
}

/// Where the window was composed, and how far it is known to be sufficient.
package struct KnownMetafence {
    /// Where the vehicle was then.
    package var centre: Coordinate
    /// m.
    package var radius: Double

    /// From the answer of `GetMetafence`; nil where the whole catalogue is in the window.
    package init?(bus answer: [BusValue]) {
        let details = answer.first?.asDictionary ?? [:]
        guard let latitude = details["latitude"]?.asDouble,
            let longitude = details["longitude"]?.asDouble,
            let radius = details["radius_m"]?.asDouble
        else { return nil }
        centre = Coordinate(latitude: latitude, longitude: longitude)
        self.radius = radius
    }
}

/// The last accepted fix.
package struct KnownPosition {
    /// Receiver UTC of the fix.
    package var time: UTCTime
    /// When it arrived; ``Uptime/boot`` if unknown.
    package var arrival: Uptime
    /// WGS 84.
    package var coordinate: Coordinate
    /// 95 % radius, m.
    package var error: Double
    /// m/s; nil if the receiver reports none.
    package var speed: Double?
    /// Degrees true; nil if the receiver reports none.
    package var course: Double?

    package init?(bus details: [String: BusValue]) {
        guard let latitude = details["latitude"]?.asDouble,
            let longitude = details["longitude"]?.asDouble,
            let time = details["time"]?.asUInt64
        else { return nil }
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
        self.time = UTCTime(microseconds: time)
        let monotonic = details["monotonic"]?.asUInt64 ?? 0
        arrival = .boot + .microseconds(1) * Int64(clamping: monotonic)
        error = details["error_m"]?.asDouble ?? 0
        speed = details["speed_mps"]?.asDouble
        course = details["course_deg"]?.asDouble
    }

    /// Time since it arrived; nil if the daemon's clock is not that of this machine.
    @MainActor package var age: TimeSpan? {
        let age = EventLoop.uptime - arrival
        return arrival > .boot && age >= .zero ? age : nil
    }
}

extension DaemonClient {
    /// The regions in the order of the window. A caller that may not read the location gets them
    /// without distances.
    package func window() throws(ClientError) -> [KnownRegion] {
        do throws(ClientError) {
            return try [KnownRegion](bus: call("GetWindow"))
        } catch {
            guard error.isDenied else { throw error }
            // Callers that may read events see the window; this asks for that authorization.
            let states = try states(of: [])
            let ids = try properties()["Window"]?.asStrings ?? []
            return ids.compactMap { id in
                states[id].map { KnownRegion(id: id, presence: $0.presence, distance: nil) }
            }
        }
    }

    /// Presence, and since when (realtime) if known; without ids, of the fences in the window.
    package func states(
        of ids: [String]
    ) throws(ClientError) -> [ExactText: (presence: KnownPresence, since: UTCTime?)] {
        let answer = try call("GetStates", [.strings(ids)], interactive: asksUser)
        var states: [ExactText: (presence: KnownPresence, since: UTCTime?)] = [:]
        for case .entry(let id, let state) in answer.first?.asArray ?? [] {
            guard let id = id.asString, let members = state.asStructure,
                let presence = KnownPresence(bus: members.first)
            else { continue }
            let since = members.dropFirst().first?.asUInt64 ?? 0
            states[id] = (presence, since > 0 ? UTCTime(microseconds: since) : nil)
        }
        return states
    }

    /// The last fix; nil if there is none, or the caller may not read it.
    package func position() throws(ClientError) -> KnownPosition? {
        do throws(ClientError) {
            return KnownPosition(bus: try call("GetPosition").first?.asDictionary ?? [:])
        } catch {
            guard error.isDenied || error.is(.noFix) else { throw error }
            return nil
        }
    }
}
