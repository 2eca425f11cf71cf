import Fencing
import Geodesy

/// The fences around the place that was asked for last, as far as they were read. A vehicle asks
/// again from near by: until it has left, neither the R*Tree nor a cell is read for it, and a fence
/// that is still in the window is not made anew.
///
/// Good until the catalogue changes.
struct Neighbourhood {
    /// A fence, and what is asked of it first.
    private struct Member {
        /// Nil where it is no plain circle.
        var circle: FenceRecord.PlainCircle?
        var number: Int64
        /// Where its record begins in ``bytes``, and its length.
        var start: Int32
        var count: Int32
    }

    /// The members that are of one cell.
    private struct Cell {
        var number: Int64
        var members: Range<Int>
    }

    /// How much further than it must one looks around.
    static let room = 2.5
    /// So many bytes of cells are kept at most.
    private static let mostBytes = 160_000

    /// Every fence whose box meets this one is a member.
    let box: GeoBox
    private let test: BoxTest
    private var members: [Member] = []
    /// Of every member what was made of it.
    private var entries: [CatalogueEntry?] = []
    private var cells: [Cell] = []
    private var bytes: [UInt8] = []
    /// There is more than is kept here.
    private(set) var isTooMuch = false

    /// - Parameter before: what was known before, which is mostly as much.
    init(_ box: GeoBox, before: Neighbourhood?) {
        self.box = box
        test = BoxTest(box)
        guard let before else { return }
        members.reserveCapacity(before.members.count + before.members.count / 2)
        entries.reserveCapacity(before.members.count + before.members.count / 2)
        bytes.reserveCapacity(min(before.bytes.count + before.bytes.count / 2, Self.mostBytes))
    }

    /// Takes what meets the box of the cell with that number. What `before` has made of it is taken
    /// over.
    mutating func add(
        _ cell: UnsafeRawBufferPointer, number: Int64, before: Neighbourhood?
    ) throws(DamagedRecord) {
        guard !isTooMuch else { return }
        guard bytes.count + cell.count <= Self.mostBytes else {
            (members, entries, cells, bytes) = ([], [], [], [])
            isTooMuch = true
            return
        }
        let first = members.count
        var records = try FenceCell.Records(cell)
        while let (record, start) = try records.next() {
            let circle = try record.rawCircle()
            guard try test.mayMeet(record, circle) else { continue }
            members.append(
                Member(
                    circle: try circle?.measured(), number: number + Int64(record.slot),
                    start: Int32(bytes.count + start), count: Int32(record.bytes.count)))
        }
        guard members.count > first else { return }
        bytes.append(contentsOf: cell)
        cells.append(Cell(number: number, members: first..<members.count))
        entries.append(contentsOf: repeatElement(nil, count: members.count - first))
        if let before { takeOver(first, of: number, from: before) }
    }

    /// Gives the members from `first` on what was made of them before; they have one order here and
    /// there.
    private mutating func takeOver(_ first: Int, of cell: Int64, from before: Neighbourhood) {
        guard let known = before.cells.first(where: { $0.number == cell })?.members else { return }
        var place = first
        for index in known {
            guard let entry = before.entries[index] else { continue }
            let number = before.members[index].number
            while place < members.count, members[place].number < number { place += 1 }
            guard place < members.count else { return }
            if members[place].number == number { entries[place] = entry }
        }
    }

    /// The `limit` fences of least signed distance from `anchor`, in order, as far as they are no
    /// further than `reach`, m; `around` holds all that is so near, and lies within ``box``.
    mutating func nearest(
        to anchor: SurfacePoint, limit: Int, within reach: Double, around: GeoBox,
        entry make: (FenceRecord, _ number: Int64) throws -> CatalogueEntry
    ) throws -> [RankedEntry] {
        let test = BoxTest(around)
        let bound = NearBound(from: anchor.coordinate)
        var worst = reach
        var best: [RankedEntry] = []
        best.reserveCapacity(min(limit, 64) + 1)
        for index in members.indices {
            if let circle = members[index].circle {
                guard test.mayMeet(circle), bound.mayBeNearer(circle, than: worst) else { continue }
            } else {
                let box = try record(of: index) { try $0.box() }
                guard bound.signedDistance(to: box) <= worst else { continue }
            }
            let entry = try entry(of: index, make)
            let found = RankedEntry(
                entry: entry, signedDistance: entry.area.signedDistance(to: anchor))
            guard found.signedDistance <= worst else { continue }
            if best.count == limit {
                guard found.precedes(best[limit - 1]) else { continue }
                best.removeLast()
            }
            var place = best.count
            while place > 0, found.precedes(best[place - 1]) { place -= 1 }
            best.insert(found, at: place)
            if best.count == limit { worst = best[limit - 1].signedDistance }
        }
        return best
    }

    /// Every fence whose box meets `other`, which lies within ``box``; and perhaps more.
    mutating func entries(
        meeting other: GeoBox,
        entry make: (FenceRecord, _ number: Int64) throws -> CatalogueEntry
    ) throws -> [CatalogueEntry] {
        let test = BoxTest(other)
        var found: [CatalogueEntry] = []
        for index in members.indices {
            if let circle = members[index].circle {
                guard test.mayMeet(circle) else { continue }
            } else {
                let box = try record(of: index) { try $0.box() }
                guard other.intersects(box) else { continue }
            }
            found.append(try entry(of: index, make))
        }
        return found
    }

    private mutating func entry(
        of index: Int, _ make: (FenceRecord, Int64) throws -> CatalogueEntry
    ) throws -> CatalogueEntry {
        if let entry = entries[index] { return entry }
        let number = members[index].number
        let made = try record(of: index) { try make($0, number) }
        // Large areas have a place of their own, which is not to grow by this one.
        if Int(members[index].count) <= FenceCell.mostShared { entries[index] = made }
        return made
    }

    @inline(__always)
    private func record<Result>(
        of index: Int, _ read: (FenceRecord) throws -> Result
    ) throws -> Result {
        let start = Int(members[index].start)
        let range = start..<start + Int(members[index].count)
        return try bytes.withUnsafeBytes { bytes in
            try read(try FenceRecord(UnsafeRawBufferPointer(rebasing: bytes[range])))
        }
    }
}

extension RankedEntry {
    /// Nearer first, ties by id as UTF-8 bytes.
    fileprivate func precedes(_ other: RankedEntry) -> Bool {
        if signedDistance != other.signedDistance { return signedDistance < other.signedDistance }
        return entry.fence.id.utf8.lexicographicallyPrecedes(other.entry.fence.id.utf8)
    }
}
