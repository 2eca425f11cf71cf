import Engine
import Geodesy
import Geofence1
import Systemd

/// The changes of one call.
struct FenceBatch {
    var upserts: [Fence] = []
    var removals: [String] = []

    /// Bytes of one call; larger sets must be imported, which reads them in portions.
    private static let mostBytes = 4 << 20
    /// Values of one fence; a geometry is one value.
    private static let fenceValues = 20_000

    /// Reads the arguments of a call fence by fence: decoded all at once they would take many times
    /// their size.
    @MainActor
    struct Reader {
        private var arguments: BusArguments
        private let most: Int

        /// - Parameter most: how many fences the batch may name.
        /// - Throws: ``BusError`` for a call that is too large.
        init(_ message: BusMessage, most: Int) throws(BusError) {
            guard message.size(upTo: mostBytes) != nil else {
                throw BusError(
                    name: BusError.limitsExceeded,
                    message: "more than \(mostBytes >> 20) MiB of fences in one batch: "
                        + "larger sets go through ImportFences")
            }
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

        /// The next two arguments: `a(sa{sv})` to put and `as` to remove.
        /// - Throws: ``BusError``, also for a refused entry, with its id.
        mutating func batch() throws -> FenceBatch {
            // One turn of the loop: all of them together may cost as much as one fence of a file.
            var budget = AreaBudget.geometry
            var batch = FenceBatch()
            do {
                try arguments.forEach(of: FenceMessage.signature) {
                    batch.upserts.append(try FenceBatch.fence($0, within: &budget))
                    try batch.check(most)
                }
                try arguments.forEach(of: "s") {
                    batch.removals.append($0.asString ?? "")
                    try batch.check(most)
                }
            } catch let error as SystemError { throw BusError(reading: error) }
            return batch
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
        guard let members = structure.asStructure, members.count == 2,
            let id = members[0].asString, let properties = members[1].asDictionary
        else { throw BusError.invalid("a fence is (sa{sv})") }
        do throws(FenceProblem) {
            return try FenceMessage.fence(id: id, properties, within: &budget)
        } catch {
            throw BusError(.invalidArea, "fence \"\(id.echoed())\": \(error.description)")
        }
    }
}
