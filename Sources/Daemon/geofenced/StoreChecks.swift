import Monitoring
import Storage
import Systemd
import Time

/// Checks files of the store that may be damaged, each in a process of its own: it takes half a
/// minute for a million fences. What keeps the check from running, or from ending, condemns nothing.
@MainActor
final class StoreChecks {
    /// The hidden option of the daemon with which such a process is started; the path follows.
    nonisolated static let option = "--check-database"

    private let monitoring: MonitoringService
    private let children: Children
    private var running: Child?
    private var timer: TimerSource?
    /// The next check, of whatever file.
    private var backOff = BackOff(first: .seconds(60), limit: .seconds(3_600))

    private static let deadline = TimeSpan.seconds(1_800)

    init(_ loop: EventLoop, _ monitoring: MonitoringService) throws(SystemError) {
        self.monitoring = monitoring
        children = Children(loop)
        timer = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.look() }
        look()
    }

    /// Starts the check of the first file that may be damaged, one at a time.
    func look() {
        guard running == nil, let file = monitoring.suspects.first else { return }
        if let until = backOff.until, backOff.holds(at: EventLoop.uptime) {
            timer?.arm(at: until)
            return
        }
        do throws(SystemError) {
            running = try children.start(
                ["/proc/self/exe", Self.option, file.path], limit: Self.deadline
            ) { [weak self] end in
                switch end {
                case .exited(let status): self?.ended(file, StoreCheck.verdict(status: status))
                case .killed(let signal): self?.ended(file, .unknown("ended by signal \(signal)"))
                case .tooLong: self?.ended(file, .unknown("it took too long"))
                }
            }
        } catch { ended(file, .unknown("\(error)")) }
    }

    private func ended(_ file: SuspectFile, _ verdict: StoreCheck.Verdict) {
        running = nil
        backOff.fail(at: EventLoop.uptime)
        monitoring.storeChecked(file.path, verdict, at: EventLoop.uptime)
        look()
    }
}
