import Monitoring
import Storage
import Systemd
import Time

/// Checks files of the store that may be damaged, each in a process of its own: it takes half a
/// minute for a million fences. What keeps the check from running, or from ending, condemns nothing.
/// Once after the start and once a week the sets of fences are checked though nothing is suspect.
@MainActor
final class StoreChecks {
    /// The hidden option of the daemon with which such a process is started; the path follows.
    nonisolated static let option = "--check-database"
    /// The same for the check of sets.
    nonisolated static let optionOfSets = "--check-sets"

    private let monitoring: MonitoringService
    private let children: Children
    private var running: Child?
    private var timer: TimerSource?
    private var sets: Child?
    private var setsTimer: TimerSource?
    /// The next check, of whatever file.
    private var backOff = BackOff(first: .seconds(60), limit: .seconds(3_600))

    private static let deadline = TimeSpan.seconds(1_800)
    /// The check of the sets takes a tenth of a processor.
    private static let longDeadline = TimeSpan.seconds(10 * 1_800)
    /// From one check of the sets to the next.
    private static let week = TimeSpan.seconds(7 * 86_400)

    init(_ loop: EventLoop, _ monitoring: MonitoringService) throws(SystemError) {
        self.monitoring = monitoring
        children = Children(loop)
        timer = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.look() }
        setsTimer = try TimerSource(loop, accuracy: .seconds(60)) { [weak self] in
            self?.checkSets()
        }
        look()
    }

    /// Starts the check of the sets: after the first fix was judged, and a week later again.
    func checkSets() {
        setsTimer?.arm(at: EventLoop.uptime + Self.week)
        guard sets == nil, let path = monitoring.checkedCatalogue else { return }
        sets = try? children.start(
            ["/proc/self/exe", Self.optionOfSets, path], limit: Self.longDeadline
        ) { [weak self] end in
            guard let self else { return }
            sets = nil
            if case .exited(let status) = end {
                monitoring.setsChecked(StoreCheck.verdict(status: status))
            }
        }
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
