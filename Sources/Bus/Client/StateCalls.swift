package import Bytes
package import Geofence1
import Model
import Systemd
package import Time

extension DaemonClient {
    /// The regions in the order of the window. A caller that may not read the location gets them
    /// without distances.
    package func window() throws(ClientError) -> [ToldRegion] {
        do throws(ClientError) {
            return try [ToldRegion](bus: call(.getWindow))
        } catch {
            guard error.isDenied else { throw error }
            // Callers that may read events see the window; this asks for that authorization.
            let states = try states(of: [])
            let ids = DaemonStatus(properties: try properties())[.window]
            return ids.compactMap { id in
                states[id].map { ToldRegion(id: id, presence: $0.presence, distance: nil) }
            }
        }
    }

    /// Presence, and since when (realtime) if known; without ids, of the fences in the window.
    package func states(
        of ids: [String]
    ) throws(ClientError) -> [ExactText: (presence: ToldPresence, since: UTCTime?)] {
        let answer = try call(.getStates, [.strings(ids)], interactive: asksUser)
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
            return ToldPosition(bus: try call(.getPosition).first?.asDictionary ?? [:])
        } catch {
            guard error.isDenied || error.is(.noFix) else { throw error }
            return nil
        }
    }
}
