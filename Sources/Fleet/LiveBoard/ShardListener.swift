import Ingesting
import PostgreSQL
import Systemd
import Time

/// Listens at a shard for what is new: that crosses no database of reports. Nothing is asked there; what a
/// shard that is away would have said is seen within the minute.
@MainActor
final class ShardListener {
    private let address: String
    private let loop: EventLoop
    private let onChange: @MainActor () -> Void
    private var database: Database?
    private var retry: TimerSource?

    /// The loop waits meanwhile, s: one that does not answer must not keep the board from answering.
    private static let patience = 2
    private static let pause = TimeSpan.seconds(60)

    init(
        _ address: String, _ loop: EventLoop, onChange: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.address = address
        self.loop = loop
        self.onChange = onChange
        retry = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.connect() }
        retry?.arm(at: .boot)
    }

    private func connect() {
        do {
            let made = try Database(
                address, program: "geofenced-board", patience: Self.patience)
            try made.runAll("LISTEN \(Announcer.channel)")
            made.onNotification = { [weak self] in self?.onChange() }
            made.onLoss = { [weak self] in self?.lose() }
            try made.attach(to: loop)
            database = made
            onChange()
        } catch { lose() }
    }

    private func lose() {
        database = nil
        onChange()
        retry?.arm(at: EventLoop.uptime + Self.pause)
    }
}
