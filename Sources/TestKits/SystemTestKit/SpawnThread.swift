import Glibc

/// The only thread that starts programs; it lives as long as the test process.
///
/// "The 'parent' in this case is considered to be the thread that created this process. In other
/// words, the signal will be sent when that thread terminates" (PR_SET_PDEATHSIG(2const)). Tests
/// run on threads of a pool that come and go, and would take their programs with them.
final class SpawnThread: @unchecked Sendable {
    static let shared = SpawnThread()

    private var mutex = pthread_mutex_t()
    private var changed = pthread_cond_t()
    private var job: (() -> Void)?

    private init() {
        pthread_mutex_init(&mutex, nil)
        pthread_cond_init(&changed, nil)
        var thread = pthread_t()
        let me = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<SpawnThread>.fromOpaque(context).takeUnretainedValue().work()
                return nil
            }, me)
        guard result == 0 else { fatalError("pthread_create: errno \(result)") }
    }

    /// Runs `body` on the thread and waits for it.
    func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            pthread_mutex_lock(&mutex)
            while job != nil { pthread_cond_wait(&changed, &mutex) }
            var isDone = false
            job = {
                body()
                isDone = true
            }
            pthread_cond_broadcast(&changed)
            while !isDone { pthread_cond_wait(&changed, &mutex) }
            pthread_mutex_unlock(&mutex)
        }
    }

    private func work() {
        pthread_mutex_lock(&mutex)
        while true {
            while job == nil { pthread_cond_wait(&changed, &mutex) }
            job?()
            job = nil
            pthread_cond_broadcast(&changed)
        }
    }
}
