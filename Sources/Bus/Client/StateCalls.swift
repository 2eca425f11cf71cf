package import Bytes
package import Geodesy
package import Geofence1
import Model
package import Systemd
package import Time

/// A region of the window.
package struct KnownRegion {
    /// Id of the fence.
    package var id: String
    /// The vehicle's presence in this fence.
    package var presence: ToldPresence
    /// Signed, m; nil if the caller may not read the position.
    package var distance: Double?
}

extension [KnownRegion] {
    /// The answer of `GetWindow`.
    package init(bus answer: [BusValue]) {
        self = (answer.first?.asArray ?? []).compactMap { region in
            guard let members = region.asStructure, members.count == 3,
                let id = members[0].asString, let presence = ToldPresence(bus: members[1])
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
            let ids = DaemonStatus(properties: try properties())[.window]
            return ids.compactMap { id in
                states[id].map { KnownRegion(id: id, presence: $0.presence, distance: nil) }
            }
        }
    }

    /// Presence, and since when (realtime) if known; without ids, of the fences in the window.
    package func states(
        of ids: [String]
    ) throws(ClientError) -> [ExactText: (presence: ToldPresence, since: UTCTime?)] {
        let answer = try call("GetStates", [.strings(ids)], interactive: asksUser)
        var states: [ExactText: (presence: ToldPresence, since: UTCTime?)] = [:]
        for case .entry(let id, let state) in answer.first?.asArray ?? [] {
            guard let id = id.asString, let members = state.asStructure,
                let presence = ToldPresence(bus: members.first)
            else { continue }
            let since = members.dropFirst().first?.asUInt64 ?? 0
            states[id] = (presence, since > 0 ? UTCTime(microseconds: since) : nil)
        }
        return states
    }

    /// Reads everything, in up to three calls.
    package func status() throws(ClientError) -> DaemonStatus {
        let properties = try properties()
        var status = DaemonStatus(properties: properties, position: try position())
        let last = status[.lastSeq]
        guard last > 0 else { return status }
        do throws(ClientError) {
            status.lastEvent = try events(after: last - 1, limit: 1).events.last
        } catch {
            guard error.isDenied else { throw error }
            status.isEventHidden = true
        }
        return status
    }

    /// The last fix; nil if there is none, or the caller may not read it.
    package func position() throws(ClientError) -> ToldPosition? {
        do throws(ClientError) {
            return ToldPosition(bus: try call("GetPosition").first?.asDictionary ?? [:])
        } catch {
            guard error.isDenied || error.is(.noFix) else { throw error }
            return nil
        }
    }
}
