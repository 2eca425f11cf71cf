import Geodesy
import Geofence1
import Model
import Systemd

/// The changes of one call.
struct FenceBatch {
    var upserts: [Fence] = []
    var removals: [String] = []

    /// Bytes of one call; larger sets must be imported, which reads them in portions.
    private static let mostBytes = 4 << 20
    /// - Throws: ``BusError`` for a call that is too large.
    @MainActor
    static func checkSize(of message: BusMessage) throws(BusError) {
        guard message.size(upTo: mostBytes) == nil else { return }
        throw BusError(
            name: BusError.limitsExceeded,
            message: "more than \(mostBytes >> 20) MiB of fences in one batch: "
                + "larger sets go through ImportFences")
    }

    /// Values of one fence; a geometry is one value.
    private static let fenceValues = 20_000

    /// Reads the arguments of a call fence by fence: decoded all at once they would take many times
    /// their size.
    @MainActor
    struct Reader {
        private var arguments: BusArguments
        private let most: Int
        // All together may cost as much as one fence of a file.
        private var budget = AreaBudget.geometry
        private var batch = FenceBatch()
        private var stage = Stage.before

        private enum Stage {
            case before, upserts, removals, after
        }

        /// Until the end nothing else may read the message or measure it: both move its position.
        /// - Parameter most: how many fences the batch may name.
        init(_ message: BusMessage, most: Int) throws(BusError) {
            do throws(SystemError) {
                arguments = try BusArguments(
                    message, limits: BusLimits(values: fenceValues, bytes: 2 * mostBytes))
            } catch { throw BusError(reading: error) }
            self.most = most
        }

        /// The next argument; nil after the last.
        mutating func next() throws(BusError) -> BusValue? {
            do throws(SystemError) { return try arguments.next() } catch {
                throw BusError(reading: error)
            }
        }

        /// The next two arguments: `a(sa{sv})` to put and `as` to remove. In portions: nil if the
        /// time was up before the end, and then it must be called again.
        /// - Throws: ``BusError``, also for a refused entry, with its id.
        mutating func batch(until isTimeUp: () -> Bool) throws -> FenceBatch? {
            do {
                while try readOne() { if isTimeUp() { return nil } }
            } catch let error as SystemError { throw BusError(reading: error) }
            return batch
        }

        /// False after the last.
        private mutating func readOne() throws -> Bool {
            switch stage {
            case .before:
                try arguments.enterArray(of: FenceMessage.signature)
                stage = .upserts
            case .upserts:
                if let element = try arguments.nextElement() {
                    batch.upserts.append(try FenceBatch.fence(element, within: &budget))
                    try batch.check(most)
                } else {
                    try arguments.enterArray(of: "s")
                    stage = .removals
                }
            case .removals:
                if let element = try arguments.nextElement() {
                    batch.removals.append(element.asString ?? "")
                    try batch.check(most)
                } else {
                    stage = .after
                }
            case .after: return false
            }
            return true
        }
    }

    private func check(_ most: Int) throws(BusError) {
        guard upserts.count + removals.count <= most else {
            throw BusError(
                name: BusError.limitsExceeded, message: "more than \(most) fences in one batch")
        }
    }

    private static func fence(
        _ structure: BusValue, within budget: inout AreaBudget
    ) throws(BusError) -> Fence {
        guard let (id, properties) = structure.asNamed else {
            throw BusError.invalid("a fence is (sa{sv})")
        }
        do throws(FenceProblem) {
            return try FenceMessage.fence(id: id, properties, within: &budget)
        } catch {
            throw BusError(.invalidArea, "fence \"\(id.echoed())\": \(error.description)")
        }
    }
}
