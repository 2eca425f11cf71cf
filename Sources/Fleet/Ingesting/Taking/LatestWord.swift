import Systemd
import Time

/// What a box says of itself and only the latest word of counts: its status, and where it is. Stored
/// one portion at a time, so that those of a fleet do not delay its events.
@MainActor
final class LatestWord {
    private let store: Store
    private let stored: @MainActor (TimeSpan) -> Void
    private let lost: @MainActor () -> Void
    private var statuses = StatusQueue()
    private var isStoringStatuses = false
    private var positions = PositionQueue()
    private var isStoringPositions = false
    private var flush: TimerSource?
    private var isFlushDue = false

    /// From the first position that waits to the database.
    private static let patience = TimeSpan.seconds(1)
    /// A fleet on the road tells positions all the time, and a board reads everything again.
    private static let newsPatience = TimeSpan.seconds(10)

    /// - Parameters:
    ///   - stored: called when the database has something new, with how soon it shall be told of.
    ///   - lost: called when it has not: ``isIncomplete`` is true then.
    init(
        _ store: Store, loop: EventLoop, stored: @escaping @MainActor (TimeSpan) -> Void,
        lost: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.store = store
        self.stored = stored
        self.lost = lost
        flush = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in
            self?.isFlushDue = false
            self?.storePositions()
        }
    }

    /// Statuses were lost or left out since ``ask()``.
    var isIncomplete: Bool { statuses.isIncomplete }

    /// All statuses are requested from the brokers again.
    func ask() { statuses.ask() }

    /// Takes a status.
    /// - Returns: what is wrong with one that is none.
    func addStatus(_ payload: [UInt8], from box: BoxTopic, isRetained: Bool) -> String? {
        if let why = statuses.add(payload, from: box, isRetained: isRetained) { return why }
        storeStatuses()
        return nil
    }

    /// Takes a position.
    /// - Returns: what is wrong with one that is none.
    func addPosition(_ payload: [UInt8], from box: BoxTopic) -> String? {
        if let why = positions.add(payload, from: box) { return why }
        if !isFlushDue, !isStoringPositions { planPositions() }
        return nil
    }

    private func storeStatuses() {
        guard !isStoringStatuses, let parameters = statuses.next() else { return }
        isStoringStatuses = true
        store.run(StatusQueue.sql, parameters) { [weak self] rows in
            guard let self else { return }
            isStoringStatuses = false
            guard rows == nil else {
                stored(.zero)
                return storeStatuses()
            }
            // Without a database the other portions would be lost one after another.
            statuses.lose()
            lost()
        }
    }

    private func planPositions() {
        isFlushDue = true
        flush?.arm(at: EventLoop.uptime + Self.patience)
    }

    private func storePositions() {
        guard let parameters = positions.next() else { return }
        isStoringPositions = true
        store.run(PositionQueue.sql, parameters) { [weak self] rows in
            guard let self else { return }
            isStoringPositions = false
            // What was lost comes again, newer.
            guard rows != nil else { return planPositions() }
            stored(Self.newsPatience)
            storePositions()
        }
    }
}
