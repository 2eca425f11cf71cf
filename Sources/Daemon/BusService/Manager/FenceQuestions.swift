import Bytes
import Geodesy
import Geofence1
import Model
import Monitoring
import Systemd

// Queries over many fences.
extension ManagerService {
    func fenceQuestionMethods() -> [BusMethod] {
        [
            method(.listFences) { $0.listFences($1, $2) },
            method(.countFences) { $0.countFences($1, $2) },
            answer(.listOrigins) { service, _, _ in try service.listOrigins() },
        ]
    }

    /// The approximate size of one answer, bytes, beyond its first fence.
    private static let pageBytes = 1 << 20

    private func listFences(_ call: BusCall, _ arguments: [BusValue]) {
        do throws(BusError) {
            let wanted = try Wanted(arguments[0].asDictionary ?? [:])
            let offset = Int(arguments[1].asUInt32 ?? 0)
            let most = min(Int(arguments[2].asUInt32 ?? 0), settings.listLimit)
            let limit = most == 0 ? settings.listLimit : most
            guard wanted.filter != FenceFilter() else {
                return call.answer {
                    [
                        Self.list(
                            try monitoring.fences(
                                after: wanted.after, offset: offset, limit: limit))
                    ]
                }
            }
            let step = monitoring.fences(
                wanted.filter, after: wanted.after, offset: offset, limit: limit)
            try questions.ask(call, clients.client(call.sender)) { isTimeUp in
                try step(isTimeUp).map { [Self.list($0)] }
            }
        } catch { call.fail(error) }
    }

    /// The fences of one answer; the rest needs another call.
    private static func list(_ fences: [CatalogueFence]) -> BusValue {
        var list: [BusValue] = []
        var size = 0
        for fence in fences {
            size += FenceMessage.size(fence.fence)
            guard list.isEmpty || size < pageBytes else { break }
            list.append(FenceMessage.structure(fence))
        }
        return .array(of: FenceMessage.signature, list)
    }

    private func countFences(_ call: BusCall, _ arguments: [BusValue]) {
        do throws(BusError) {
            let box = try GeoBox(bus: arguments[0])
            let (columns, rows) = (arguments[1].asUInt32 ?? 0, arguments[2].asUInt32 ?? 0)
            guard let grid = FenceGrid(box, columns: Int(columns), rows: Int(rows)) else {
                throw .invalid("columns times rows: from 1 to \(FenceGrid.mostCells)")
            }
            let step = monitoring.counts(in: grid)
            try questions.ask(call, clients.client(call.sender)) { isTimeUp in
                try step(isTimeUp).map { [.array(of: "u", $0.map { .uint32($0) })] }
            }
        } catch { call.fail(error) }
    }

    private func listOrigins() throws -> [BusValue] {
        let origins = try monitoring.origins().map {
            BusValue.structure([
                .string($0.origin.text), OriginSummary.told.options(of: $0),
            ])
        }
        return [.array(of: "(sa{sv})", origins)]
    }
}

/// The filter of `ListFences`: `after` s, only ids greater than this one (for a long walk: an
/// offset is counted again in every call); `origin` s; `within` (dddd).
private struct Wanted {
    var after = ""
    var filter = FenceFilter()

    init(_ options: [String: BusValue]) throws(BusError) {
        for (key, value) in options {
            switch key {
            case "after":
                guard let id = value.asString else { throw .invalid("after is no string") }
                after = id
            case "origin": filter.origin = try FenceOrigin(bus: value)
            case "within": filter.within = try GeoBox(bus: value)
            default: throw .invalid("filter \"\(key.echoed())\" is not known")
            }
        }
    }
}

extension FenceOrigin {
    /// - Throws: ``BusError`` for an invalid filter.
    init(bus value: BusValue?) throws(BusError) {
        guard let text = value?.asString else { throw .invalid("origin is no string") }
        do throws(FlawedOrigin) { try self.init(text: text) } catch {
            throw .invalid(
                "\"\(text.echoed())\" names no origin: bus, file:NAME, or KIND/NAME of letters, "
                    + "digits, -, _ and . in at most \(Self.longestName) bytes")
        }
    }
}

extension GeoBox {
    /// `(dddd)`: west, south, east, north; across the antimeridian when west is greater than east.
    /// - Throws: ``BusError`` for an invalid box.
    fileprivate init(bus value: BusValue?) throws(BusError) {
        let edges = (value?.asStructure ?? []).compactMap(\.asDouble)
        guard edges.count == 4, edges.allSatisfy(\.isFinite),
            (-180...180).contains(edges[0]), (-180...180).contains(edges[2]),
            edges[1] >= -90, edges[1] <= edges[3], edges[3] <= 90
        else {
            throw .invalid(
                "within: west, south, east, north, in degrees, the south not north of the north")
        }
        let east = edges[0] <= edges[2] ? edges[2] : edges[2] + 360
        self.init(west: edges[0], south: edges[1], east: east, north: edges[3])
    }
}
