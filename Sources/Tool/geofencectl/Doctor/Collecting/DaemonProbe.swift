import BusClient
import Bytes
import Geofence1
import Model
import Systemd
import Time

/// Asks the daemon.
@MainActor
struct DaemonProbe {
    let client: DaemonClient

    /// Its answer, what this caller was refused, and the position if it may be read.
    struct Answer {
        var evidence = DaemonEvidence()
        var status: DaemonStatus
    }

    /// - Throws: why it does not answer, within some seconds.
    func look() throws(BusError) -> Answer {
        let peer = BusPeer(
            destination: Geofence1.name, path: Geofence1.path,
            interface: "org.freedesktop.DBus.Properties")
        let message = try client.connection.callAndWait(
            peer, "GetAll", [.string(Geofence1.managerInterface)], timeout: .seconds(10))
        let values = (try? message.values())?.first?.asDictionary ?? [:]
        var answer = Answer(status: DaemonStatus(properties: values))
        if let denied = denial(of: .listOrigins) { answer.evidence.denied.append(denied) }
        do throws(ClientError) {
            let details = try client.call(.getPosition).first?.asDictionary ?? [:]
            answer.status.position = ToldPosition(bus: details)
        } catch {
            if error.isDenied { answer.evidence.denied.append("read-location") }
        }
        answer.evidence.take(answer.status)
        return answer
    }

    private func denial(of call: DaemonCall) -> String? {
        do throws(ClientError) {
            _ = try client.call(call)
            return nil
        } catch { return error.isDenied ? call.right.action.key : nil }
    }
}

extension DaemonEvidence {
    @MainActor
    fileprivate mutating func take(_ status: DaemonStatus) {
        version = status[.version]
        degraded = status[.degraded]
        positionState = status[.positionState]
        accepted = status.accepted
        refused = Dictionary(status.refused.map { ($0.name, $0.count) }) { one, _ in one }
        receiver = status[.receiver].printable
        isResting = status[.resting]
        interval = status[.fixInterval]
        fenceCount = status[.fenceCount]
        regions = status[.window].count
        vehicle = status.vehicle?.summary
        height = status.vehicle?.vehicle.height
        statedHeight = status.vehicle?.statedHeight ?? height
        beaconReason = status[.beaconReason]
        error = status.position?.error
        guard let arrival = status[.lastFixArrival], let time = status[.lastFix],
            !status.isRecorded
        else { return }
        let age = EventLoop.uptime - arrival
        let wall = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds) + (.zero - age)
        clockDifference = (time - wall).seconds
    }

    /// What has been judged since it answered like that.
    mutating func count(since before: DaemonEvidence) {
        func difference(_ now: UInt64, _ then: UInt64) -> UInt64 { now > then ? now - then : 0 }
        newlyAccepted = difference(accepted, before.accepted)
        newlyRefused = refused.reduce(into: [:]) {
            $0[$1.key] = difference($1.value, before.refused[$1.key] ?? 0)
        }
    }
}
