import Bytes
import Geodesy
import Law
import Model

/// The fences around the place of the last query, as far as they were read. A vehicle's next query
/// comes from near by: until it has left, neither the R*Tree nor a cell is read for it, and a fence
/// that is still in the window is not decoded again.
///
/// Valid until the catalogue changes.
struct PrefetchedCells {
    /// A fence, and what a query needs of it first.
    private struct Member {
        /// Nil if it is not a plain circle.
        var circle: FenceRecord.PlainCircle?
        var number: Int64
        /// Its decoded entry: the index in ``entries``, −1 before decoding, −2 if it cannot be
        /// decoded.
        var entry: Int32 = -1
        /// The offset of its record in ``bytes``, and its length.
        var start: Int32
        var count: Int32
    }

    /// The members of one cell.
    private struct Cell {
        var number: Int64
        var members: Range<Int>
    }

    /// By which factors the margin is extended: the first, and the second if that is too much.
    static let rooms = [2.5, 1.3]
    /// The share of the extra margin by which the centre of the box is moved ahead.
    private static let ahead = 0.85
    /// Most bytes of cells that are kept.
    private static let mostBytes = 160_000

    /// Every fence whose box meets this one is a member.
    let box: GeoBox
    private let test: BoxTest
    private var members: [Member] = []
    private var entries: [CatalogueEntry] = []
    private var cells: [Cell] = []
    private var bytes: [UInt8] = []
    /// There is more than can be kept.
    private(set) var isTooMuch = false

    /// The box to read when everything within `margin`, m, of `place` must be known: more of it
    /// ahead than behind.
    static func box(
        around place: SurfacePoint, comingFrom last: SurfacePoint, margin: Double, room: Double
    ) -> GeoBox {
        let (from, to) = (last.coordinate, place.coordinate)
        let share = margin * (room - 1) * ahead / max(last.distance(to: place), 1)
        var center = Coordinate(
            latitude: to.latitude + (to.latitude - from.latitude) * share,
            longitude: to.longitude + (to.longitude - from.longitude) * share)
        // Near a pole and across the antimeridian, degrees do not give a direction.
        if center.latitude.magnitude > 85 || (center.longitude - to.longitude).magnitude > 10 {
            center = to
        }
        return GeoBox(around: center, radius: margin * room)
    }

    /// - Parameter before: the previous cells, usually of similar size.
    init(_ box: GeoBox, before: PrefetchedCells?) {
        self.box = box
        test = BoxTest(box)
        guard let before else { return }
        members.reserveCapacity(before.members.count + before.members.count / 2)
        bytes.reserveCapacity(min(before.bytes.count + before.bytes.count / 2, Self.mostBytes))
    }

    /// Takes the fences of the cell with that number that meet the box. Entries that `before` has
    /// decoded are reused.
    mutating func add(
        _ cell: ByteView, number: Int64, before: PrefetchedCells?,
        damaged: (FenceRecord?) -> Void
    ) throws {
        guard bytes.count + cell.count <= Self.mostBytes else {
            (members, entries, cells, bytes) = ([], [], [], [])
            isTooMuch = true
            return
        }
        let first = members.count
        try FenceCell.forEach(cell, of: number, damaged: damaged) { record, start in
            let circle = try record.rawCircle()
            guard try test.mayMeet(record, circle) else { return }
            members.append(
                Member(
                    circle: try circle?.measured(), number: number + Int64(record.slot),
                    start: Int32(bytes.count + start), count: Int32(record.bytes.count)))
        }
        guard members.count > first else { return }
        bytes.append(contentsOf: cell)
        cells.append(Cell(number: number, members: first..<members.count))
        if let before { takeOver(first, of: number, from: before) }
    }

    /// Gives the members from `first` on their entries decoded before; both have them in the same
    /// order.
    private mutating func takeOver(_ first: Int, of cell: Int64, from before: PrefetchedCells) {
        guard let known = before.cells.first(where: { $0.number == cell })?.members else { return }
        var place = first
        for index in known {
            let entry = Int(before.members[index].entry)
            guard entry >= 0 else { continue }
            let number = before.members[index].number
            while place < members.count, members[place].number < number { place += 1 }
            guard place < members.count else { return }
            guard members[place].number == number else { continue }
            members[place].entry = Int32(entries.count)
            entries.append(before.entries[entry])
        }
    }

    /// The `limit` fences of least signed distance from `anchor`, in order, no further than
    /// `reach`, m; `around` holds everything that near, and lies within ``box``.
    mutating func nearest(
        to anchor: SurfacePoint, limit: Int, within reach: Double, around: GeoBox,
        entry make: (FenceRecord, _ number: Int64) throws -> CatalogueEntry?
    ) throws -> [RankedEntry] {
        let test = BoxTest(around)
        let bound = NearBound(from: anchor.coordinate)
        var worst = reach
        var best: [Found] = []
        best.reserveCapacity(min(limit, 64) + 1)
        for index in members.indices {
            if let circle = members[index].circle {
                guard test.mayMeet(circle), bound.mayBeNearer(circle, than: worst) else { continue }
            } else {
                let box = try record(of: index) { try $0.box() }
                guard let box, bound.signedDistance(to: box) <= worst else { continue }
            }
            guard let entry = try entry(of: index, make) else { continue }
            let found = Found(
                signedDistance: entry.signedDistance(to: anchor), member: Int32(index))
            guard found.signedDistance <= worst else { continue }
            if best.count == limit {
                guard try precedes(found, best[limit - 1], make) else { continue }
                best.removeLast()
            }
            var (place, end) = (0, best.count)
            while place < end {
                let middle = (place + end) / 2
                if try precedes(found, best[middle], make) {
                    end = middle
                } else {
                    place = middle + 1
                }
            }
            best.insert(found, at: place)
            if best.count == limit { worst = best[limit - 1].signedDistance }
        }
        return try best.compactMap { found in
            try entry(of: Int(found.member), make).map {
                RankedEntry(entry: $0, signedDistance: found.signedDistance)
            }
        }
    }

    /// One of the nearest.
    private struct Found {
        var signedDistance: Double
        var member: Int32
    }

    /// Nearest first, ties by id as UTF-8 bytes.
    @inline(__always)
    private mutating func precedes(
        _ a: Found, _ b: Found, _ make: (FenceRecord, Int64) throws -> CatalogueEntry?
    ) throws -> Bool {
        if a.signedDistance != b.signedDistance { return a.signedDistance < b.signedDistance }
        let ids = (
            try entry(of: Int(a.member), make)?.fence.id ?? "",
            try entry(of: Int(b.member), make)?.fence.id ?? ""
        )
        return ids.0.utf8.lexicographicallyPrecedes(ids.1.utf8)
    }

    /// Every fence whose box meets `other`, which lies within ``box``; possibly more.
    mutating func entries(
        meeting other: GeoBox,
        entry make: (FenceRecord, _ number: Int64) throws -> CatalogueEntry?
    ) throws -> [CatalogueEntry] {
        let test = BoxTest(other)
        var found: [CatalogueEntry] = []
        for index in members.indices {
            if let circle = members[index].circle {
                guard test.mayMeet(circle) else { continue }
            } else {
                let box = try record(of: index) { try $0.box() }
                guard let box, other.intersects(box) else { continue }
            }
            if let entry = try entry(of: index, make) { found.append(entry) }
        }
        return found
    }

    private mutating func entry(
        of index: Int, _ make: (FenceRecord, Int64) throws -> CatalogueEntry?
    ) throws -> CatalogueEntry? {
        let made = Int(members[index].entry)
        if made >= 0 { return entries[made] }
        if made < -1 { return nil }
        let number = members[index].number
        guard let entry = try record(of: index, { try make($0, number) }) else {
            members[index].entry = -2
            return nil
        }
        members[index].entry = Int32(entries.count)
        entries.append(entry)
        return entry
    }

    @inline(__always)
    private func record<Result>(
        of index: Int, _ read: (FenceRecord) throws -> Result
    ) throws -> Result {
        let start = Int(members[index].start)
        let range = start..<start + Int(members[index].count)
        return try bytes.withByteView { bytes in
            try read(try FenceRecord(bytes.part(range)))
        }
    }
}
