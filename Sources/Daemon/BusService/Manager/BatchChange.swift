import Geofence1
import Model
import Monitoring
import Systemd
import Time

/// The change of one `ApplyFences` or `ApplyFencesFrom`. A small one is read and stored at once; the
/// largest that are accepted take seconds on a small machine, and so both are done in portions.
@MainActor
final class BatchChange {
    /// What is in a call before and after the fences.
    enum Form {
        /// Nothing; flags.
        case bus
        /// The origin; options.
        case named
    }

    private let message: BusMessage
    private let most: Int
    /// Nil until the first step, and when all is read.
    private var reader: FenceBatch.Reader?
    private let form: Form
    private let monitoring: MonitoringService
    private let now: () -> Uptime
    private var origin: FenceOrigin?
    private let isSmall: Bool
    private var running: FenceBatchChange?

    /// The largest call that is stored in one go, bytes: some hundred fences, some milliseconds.
    private static let small = 16 << 10

    /// - Parameter most: how many fences the batch may name.
    /// - Throws: ``BusError`` for a call that is too large.
    init(
        _ message: BusMessage, _ form: Form, most: Int, _ monitoring: MonitoringService,
        now: @escaping () -> Uptime
    ) throws(BusError) {
        try FenceBatch.checkSize(of: message)
        self.message = message
        self.most = most
        isSmall = message.size(upTo: Self.small) != nil
        self.form = form
        self.monitoring = monitoring
        self.now = now
    }

    /// Continues until `isTimeUp` returns true: nil if that was before the end.
    func step(until isTimeUp: () -> Bool) throws -> CatalogueChange? {
        if let running { return try running.step(at: now(), until: isTimeUp) }
        var reader = try self.reader ?? FenceBatch.Reader(message, most: most)
        self.reader = nil
        if form == .named, origin == nil { origin = try FenceOrigin(writable: try reader.next()) }
        guard let batch = try reader.batch(until: isTimeUp) else {
            self.reader = reader
            return nil
        }
        var conditions = ChangeConditions()
        switch form {
        case .bus:
            guard try reader.next()?.asUInt64 == 0 else {
                throw BusError.invalid("flags: none is known")
            }
        case .named:
            conditions = try ChangeOptions(
                try reader.next(), known: [.maxRemoved, .dryRun, .ifGeneration]
            ).conditions
        }
        let origin = origin ?? .bus
        guard isSmall else {
            running = try monitoring.beginBatch(
                upserts: batch.upserts, removing: batch.removals, of: origin, conditions,
                leavesOut: form == .named)
            return nil
        }
        if form == .bus {
            return try monitoring.apply(
                upserts: batch.upserts, removing: batch.removals, at: now())
        }
        return try monitoring.apply(
            upserts: batch.upserts, removing: batch.removals, of: origin, conditions, at: now())
    }
}
