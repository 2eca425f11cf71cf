/// The changes of the catalogue, which has one writer at a time: fences of files, reloads, imports
/// and calls. They are done in the order in which they came, in portions, and the loop has its turn
/// in between: whatever waits here, fixes are judged.
@MainActor
package final class CatalogueQueue {
    /// How far a change has come.
    package enum Progress {
        /// The time was up.
        case unfinished
        /// A part is complete, others may be before the next one.
        case between
        case done
    }

    /// A change that is under way or waits.
    @MainActor
    package final class Job {
        fileprivate let step: (_ isTimeUp: () -> Bool) -> Progress

        fileprivate init(_ step: @escaping (() -> Bool) -> Progress) { self.step = step }
    }

    /// The first one is under way.
    private var jobs: [Job] = []
    /// Called when there is something to do, see ``Notice/changesWaiting``.
    var waiting: () -> Void = {}

    /// No change is under way or waits.
    package var isFree: Bool { jobs.isEmpty }

    /// Appends a change; `step` is called until it is done, and stops soon after the time is up.
    @discardableResult
    package func add(_ step: @escaping (_ isTimeUp: () -> Bool) -> Progress) -> Job {
        let job = Job(step)
        jobs.append(job)
        waiting()
        return job
    }

    /// Forgets a change; what it has begun it must have undone itself.
    package func remove(_ job: Job) { jobs.removeAll { $0 === job } }

    /// One turn: works until the time is up, for one portion at least.
    package func turn(until isTimeUp: () -> Bool) {
        repeat {
            guard let job = jobs.first else { return }
            switch job.step(isTimeUp) {
            case .unfinished: break
            case .between:
                guard jobs.first === job else { break }
                jobs.append(jobs.removeFirst())
            case .done: remove(job)
            }
        } while !isTimeUp()
        if !jobs.isEmpty { waiting() }
    }
}
