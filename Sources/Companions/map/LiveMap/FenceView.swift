import BusClient
import Geofence1
import Model
import Systemd

/// The part of the world that a map shows.
package struct FenceView: Equatable, Sendable {
    /// Degrees; across 180° when the west is greater than the east.
    package var west, south, east, north: Double

    /// From `w,s,e,n`, as a browser writes it; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= 120 else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard parts.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite),
            (-180...180).contains(numbers[0]), (-180...180).contains(numbers[2]),
            numbers[1] >= -90, numbers[1] <= numbers[3], numbers[3] <= 90
        else { return nil }
        (west, south, east, north) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    var value: BusValue {
        .structure([.double(west), .double(south), .double(east), .double(north)])
    }
}

/// The question for the fences of a view, in as many calls as it takes.
@MainActor
final class FenceQuestion {
    typealias Answer = @MainActor (Result<[UInt8], ClientError>) -> Void

    private let client: DaemonClient
    private let view: FenceView
    private let most: Int
    private let generation: UInt64
    private let vehicle: VehicleState?
    private let answer: Answer
    private var features: [String] = []
    private var bytes = 0
    private var total = 0
    private var counts: [UInt32] = []

    /// Bytes of the features of one answer.
    private static let mostBytes = 300 << 10
    /// Of the grid in which they are counted when they are too many: about 20 pixels on a screen.
    private static let grid = (columns: 64, rows: 40)

    /// - Parameters:
    ///   - most: features of the answer; more are counted in cells instead.
    ///   - generation: of the catalogue, for the answer.
    ///   - vehicle: the values that limits are compared with; nil if they are not known.
    init(
        _ client: DaemonClient, _ view: FenceView, most: Int, generation: UInt64,
        vehicle: VehicleState?, answer: @escaping Answer
    ) {
        self.client = client
        self.view = view
        self.most = most
        self.generation = generation
        self.vehicle = vehicle
        self.answer = answer
    }

    func begin() {
        // In cells at once: the number alone takes as long, and a million is many.
        count { [self] counts in
            self.counts = counts
            total = counts.reduce(0) { $0 + Int($1) }
            if total > most { answerCells() } else { list(after: "") }
        }
    }

    private func list(after id: String) {
        let filter = BusValue.dictionary([("after", .string(id)), ("within", view.value)])
        let limit = UInt32(clamping: min(1000, most + 1 - features.count))
        ask(.listFences, [filter, .uint32(0), .uint32(limit)]) { [self] reply in
            let fences: [CatalogueFence]
            do throws(ClientError) { fences = try client.fences(in: reply) } catch {
                return answer(.failure(error))
            }
            for fence in fences {
                let feature = fence.feature(for: vehicle)
                features.append(feature)
                bytes += feature.utf8.count
            }
            // A fence whose centre is elsewhere meets the view, too, and was not counted.
            guard features.count <= most, bytes <= Self.mostBytes else { return answerCells() }
            guard let last = fences.last?.fence.id, last > id else {
                let all = max(total, features.count)
                return answer(
                    .success(MapJSON.fences(features, total: all, generation: generation)))
            }
            list(after: last)
        }
    }

    private func answerCells() {
        answer(
            .success(
                MapJSON.cells(
                    counts, columns: Self.grid.columns, rows: Self.grid.rows,
                    total: max(total, features.count), generation: generation)))
    }

    private func count(then: @escaping @MainActor ([UInt32]) -> Void) {
        let cells: [BusValue] = [
            view.value, .uint32(UInt32(Self.grid.columns)), .uint32(UInt32(Self.grid.rows)),
        ]
        ask(.countFences, cells) { reply in
            then((reply.first?.asArray ?? []).map { $0.asUInt32 ?? 0 })
        }
    }

    private func ask(
        _ call: DaemonCall, _ arguments: [BusValue],
        then: @escaping @MainActor ([BusValue]) -> Void
    ) {
        do throws(ClientError) {
            try client.ask(call, arguments) { [answer] result in
                switch result {
                case .success(let reply): then(reply)
                case .failure(let error): answer(.failure(error))
                }
            }
        } catch { answer(.failure(error)) }
    }
}
