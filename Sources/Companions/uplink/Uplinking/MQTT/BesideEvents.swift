import BusClient

/// What programs for people want beside events, see ``BesideMessage``.
@MainActor
final class BesideEvents {
    private let format: BrokerDestination.Beside
    private let places: PresentPlaces
    /// Of this connection: the configurations, and the state without an event, were published.
    private var isIntroduced = false
    private var hasState = false

    /// - Parameter found: called when ``messages(with:_:isLast:)`` can say more.
    init(
        _ format: BrokerDestination.Beside, _ client: DaemonClient, _ filter: UplinkFilter,
        found: @escaping @MainActor () -> Void
    ) {
        self.format = format
        places = PresentPlaces(client, filter, found: found)
    }

    /// The connection is new.
    func begin() {
        isIntroduced = false
        hasState = false
        places.forget()
    }

    /// What is published before anything else on a connection; nothing the second time.
    func introduction() -> [BesideMessage] {
        guard !isIntroduced, case .homeAssistant(let entities) = format else { return [] }
        isIntroduced = true
        return entities.configurations
    }

    /// What goes before that event.
    /// - Parameter isLast: it is the last one of the log: what is true at present is told with it.
    /// - Returns: nil while the daemon has not said what is true at present.
    func messages(
        with number: UInt64, _ body: [UInt8], isLast: Bool
    ) -> [BesideMessage]? {
        var present: [Place]?
        if isLast {
            guard let answer = places.after(number) else { return nil }
            present = answer
        }
        switch format {
        case .location(let topic):
            let payload = OwnTracksTransition.location(of: body, in: present)
            return payload.map { [BesideMessage(topic: topic, payload: $0)] } ?? []
        case .homeAssistant(let entities):
            if isLast { hasState = true }
            return entities.state(body, in: present)
        }
    }

    /// The state of a connection on which there was no event yet; empty if it was told, or is not known.
    /// - Parameter number: the last one of the log that was read.
    func state(after number: UInt64) -> [BesideMessage] {
        guard case .homeAssistant(let entities) = format, !hasState,
            let present = places.after(number)
        else { return [] }
        hasState = true
        return entities.state(nil, in: present)
    }
}
