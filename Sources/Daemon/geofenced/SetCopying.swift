import Files
import Glibc
import Model
import Monitoring
import Storage
import Systemd
import Time

// Unsafe: setrlimit(2) reads a struct of ours.

/// Writes the copies of sets as a whole, each in a process of its own: it takes seconds for a million
/// fences. What is small was appended to its copy by the store itself.
@MainActor
final class SetCopying {
    /// The hidden option of the daemon with which such a process is started; the directory of the
    /// store and the origin follow.
    nonisolated static let option = "--copy-set"

    private let monitoring: MonitoringService
    private let children: Children
    private var running: Child?
    private var timer: TimerSource?
    private var isWaiting = false
    private var backOff = BackOff(first: .seconds(60), limit: .seconds(3_600))

    /// Between a change and its copy: several changes often come together.
    private static let pause = TimeSpan.seconds(1)
    private static let deadline = TimeSpan.seconds(1_800)
    /// Of such a process, s.
    private static let mostCPU: UInt = 600

    init(_ loop: EventLoop, _ monitoring: MonitoringService) throws(SystemError) {
        self.monitoring = monitoring
        children = Children(loop)
        timer = try TimerSource(loop, accuracy: .milliseconds(500)) { [weak self] in self?.look() }
    }

    /// A set has changed: its copy is due.
    func arm() {
        guard running == nil, !isWaiting else { return }
        isWaiting = true
        let now = EventLoop.uptime
        timer?.arm(at: max(now + Self.pause, backOff.holds(at: now) ? backOff.until ?? now : now))
    }

    private func look() {
        isWaiting = false
        guard running == nil, let origin = monitoring.copiesBehind.first else { return }
        do throws(SystemError) {
            running = try children.start(
                ["/proc/self/exe", Self.option, monitoring.storeDirectory, origin.text],
                limit: Self.deadline
            ) { [weak self] in self?.ended(origin, $0) }
        } catch { failed(origin, "\(error)") }
    }

    private func ended(_ origin: FenceOrigin, _ end: ChildEnd) {
        running = nil
        switch end {
        case .exited(0):
            backOff.succeed()
            monitoring.copyWritten(origin)
        case .exited(let status): failed(origin, Errno(status).description)
        case .killed(let signal): failed(origin, "its process was ended by signal \(signal)")
        case .tooLong: failed(origin, "it took too long")
        }
    }

    private func failed(_ origin: FenceOrigin, _ why: String) {
        backOff.fail(at: EventLoop.uptime)
        monitoring.copyFailed(origin, why)
    }

    /// The work of such a process; returns its exit status, which is an errno(3).
    static func run(
        _ directory: String, _ origin: String, complain: (String) -> Void
    ) -> Int32 {
        // Of memory it needs a page and a record at a time.
        var limit = rlimit(rlim_cur: mostCPU, rlim_max: mostCPU)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        do {
            try Store.writeCopy(of: FenceOrigin(text: origin), in: directory)
            return 0
        } catch let error as StoreError {
            complain("copy of \(origin): \(error)")
            return switch error.kind {
            case .diskFull: ENOSPC
            case .readOnly: EROFS
            default: EIO
            }
        } catch {
            complain("copy of \(origin): \(error)")
            return EIO
        }
    }
}
