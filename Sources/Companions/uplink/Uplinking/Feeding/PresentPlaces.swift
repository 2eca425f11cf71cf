package import BusClient
import Geofence1
import Model
import Systemd
import Time

/// Where the vehicle is at present, of the places that may be told: asked of the daemon, for the log may
/// no longer have when it came there.
@MainActor
package final class PresentPlaces {
    private let client: DaemonClient
    private let filter: UplinkFilter
    private let found: @MainActor () -> Void
    private var isAsking = false
    /// The event after which was asked, and what the daemon answered; nil: nothing that can be used.
    private var answer: (number: UInt64, places: [Place]?)?

    /// Places that are told.
    private static let most = 32

    /// - Parameter found: called when ``after(_:)`` knows more.
    package init(
        _ client: DaemonClient, _ filter: UplinkFilter, found: @escaping @MainActor () -> Void
    ) {
        self.client = client
        self.filter = filter
        self.found = found
    }

    /// What is known is of before now.
    package func forget() { answer = nil }

    /// Asks once the event of that number has been read, the last one.
    /// - Returns: nil while the daemon has not answered; `.some(nil)` if it does not say it.
    package func after(_ number: UInt64) -> [Place]?? {
        guard filter.tellsPresence else { return .some(nil) }
        if let answer, answer.number == number { return .some(answer.places) }
        guard !isAsking else { return nil }
        isAsking = true
        ask(.getStates, [.strings([])]) { [weak self] reply in
            guard let self else { return }
            guard let states = reply?.first?.asArray else { return finish(number, nil) }
            var inside: [(id: String, since: UTCTime?)] = []
            for case .entry(let id, let state) in states {
                guard let id = id.asString, let members = state.asStructure,
                    ToldPresence(bus: members.first)?.presence == .inside
                else { continue }
                let since = members.dropFirst().first?.asUInt64 ?? 0
                inside.append((id, since > 0 ? UTCTime(microseconds: since) : nil))
            }
            inside.sort { $0.id < $1.id }
            look(at: Array(inside.prefix(Self.most)), [], number)
        }
        return nil
    }

    /// One after another: what a fence says of itself decides whether it may be told.
    private func look(
        at rest: [(id: String, since: UTCTime?)], _ places: [Place], _ number: UInt64
    ) {
        guard let next = rest.first else { return finish(number, places) }
        ask(.getFence, [.string(next.id)]) { [weak self] reply in
            guard let self else { return }
            var places = places
            if let details = reply?.first?.asDictionary,
                let fence = try? CatalogueFence(id: next.id, details).fence,
                filter.admits(place: fence)
            {
                places.append(Place(id: next.id, title: fence.title, since: next.since))
            }
            look(at: Array(rest.dropFirst()), places, number)
        }
    }

    private func finish(_ number: UInt64, _ places: [Place]?) {
        isAsking = false
        answer = (number, places)
        found()
    }

    /// - Parameter reply: of nil if there is no answer.
    private func ask(
        _ call: DaemonCall, _ arguments: [BusValue],
        reply: @escaping @MainActor ([BusValue]?) -> Void
    ) {
        do throws(ClientError) {
            try client.ask(call, arguments) { reply(try? $0.get()) }
        } catch { reply(nil) }
    }
}
