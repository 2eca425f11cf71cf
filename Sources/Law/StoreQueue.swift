import Bytes
import Geodesy
import Model
import Time

/// What is to be done in order, each of which may have to ask the store first.
struct StoreQueue: Hashable, Sendable {
    enum Work: Hashable, Sendable {
        /// An accepted fix to be judged.
        case judge(Fix, SurfacePoint, newPath: EventReason?)
        case recenter(WindowReason)
        case reconcile(WindowReason)
    }

    var works: [Work] = []
    /// To be answered before anything else is done.
    var question: StoreQuery?
    private(set) var backOff = BackOff()

    init() {}

    /// How many accepted fixes may wait for the store; then the oldest are given up.
    private static let limit = 4096

    /// No fix waits to be judged.
    @inline(__always)
    var isJudged: Bool { !works.contains { if case .judge = $0 { true } else { false } } }

    /// Not before this time the store is asked again; nil where nothing waits for that.
    @inline(__always)
    var due: Uptime? { works.isEmpty ? nil : backOff.until }

    /// The store has answered: the work that it was asked for; nil where it was not asked.
    mutating func answered() -> Work? {
        guard question != nil, !works.isEmpty else { return nil }
        question = nil
        backOff.succeed()
        return works.removeFirst()
    }

    /// The store has not answered. A fix that needs it waits, and so does an edit; a window that cannot
    /// be composed is not waited for, and its reason given.
    mutating func failed(at now: Uptime) -> WindowReason? {
        question = nil
        backOff.fail(at: now)
        guard case .recenter(let reason)? = works.first else { return nil }
        works.removeFirst()
        return reason
    }

    /// The store has not answered for so long that the oldest fixes are dropped; the rest begins a
    /// new path.
    mutating func giveUpOldest() {
        guard works.count > Self.limit else { return }
        works.removeFirst(works.count - Self.limit)
        if case .judge(let fix, let point, _) = works[0] {
            works[0] = .judge(fix, point, newPath: .jump)
        }
    }

    /// A re-base: translates the receiver times of the fixes that wait.
    mutating func shift(by span: TimeSpan) {
        for index in works.indices {
            guard case .judge(var fix, let point, let newPath) = works[index] else { continue }
            fix.time = fix.time + span
            works[index] = .judge(fix, point, newPath: newPath)
        }
    }
}

extension StoreQueue: ByteCoded {
    /// Only the fixes that wait.
    func write(to writer: inout ByteWriter) {
        let fixes = works.filter { if case .judge = $0 { true } else { false } }
        writer.write(fixes) { writer, work in
            guard case .judge(let fix, _, let newPath) = work else { return }
            writer.write(fix)
            writer.write(newPath) { $0.write($1.rawValue) }
        }
    }

    init(from reader: inout ByteReader) throws {
        works = try reader.readList { reader in
            let fix = try reader.readFix()
            return .judge(
                fix, SurfacePoint(fix.coordinate),
                newPath: try reader.readOptional { try $0.readReason() })
        }
    }
}
