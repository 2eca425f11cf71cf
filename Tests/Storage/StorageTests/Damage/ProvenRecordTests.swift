import Bytes
import EngineTestKit
import Foundation
import Geodesy
import Law
import Model
import SystemTestKit
import Testing
import Time

@testable import Storage

/// A bit of a catalogue's row that has changed: no fence is another one, none is gone without a word,
/// and all are back.
@Suite("a record proves itself")
struct ProvenRecordTests {
    private let fences: [Fence]
    private static let source = FenceOrigin.named("source/depots")

    init() throws {
        var random = SeededRandom(seed: 49)
        let places = (0..<20).map {
            Coordinate(latitude: 48, longitude: 11).moved(by: 40 * Double($0), toward: 70)
        }
        var fences = try (0..<6).map { number in
            var fence = try circle("c\(number)", 48 + Double(number) / 1_000, 11)
            if number % 2 == 0 { fence.title = "gate \(number)" }
            if number % 3 == 0 { fence.notifyOnExit = false }
            return fence
        }
        let square = OddAreas.box(11, 48, 11.001, 48.001)
        fences.append(Fence(id: "p", area: try Area(.polygons([[square]]))))
        fences += RandomApproaches.fences(2, along: places, &random)
        let minor = BeaconPattern.minor(BeaconUUID(high: 1, low: 2), major: 0, minor: 1)
        fences.append(Fence(id: "b", subject: .beacons(BeaconRule(minor))))
        var followed = try circle("f", 48, 11)
        followed.terms.arrive = .seconds(300)
        fences.append(followed)
        self.fences = fences
    }

    private func fill(_ scratch: Scratch) throws {
        let store = try scratch.open()
        try store.replace(Self.source, fences)
        try store.writeCopies()
        #expect(store.count == fences.count && fences.count == 11)
        #expect(!store.mayLackFences && store.suspects.isEmpty)
    }

    /// What the daemon asks, compared with what was accepted: a fence is itself, or it is missed.
    private func flaw(_ store: Store) throws -> String? {
        let known = Dictionary(uniqueKeysWithValues: fences.map { ($0.id, $0) })
        let everywhere = GeoBox(west: -180, south: -90, east: 180, north: 90)
        var answers: [(String, [Fence])] = []
        for turn in 0..<2 {
            answers.append(
                (
                    "nearest \(turn)",
                    try store.nearest(to: point(48, 11), limit: 30).map(\.entry.fence)
                ))
        }
        answers.append(("meeting", try store.entries(meeting: everywhere).map(\.fence)))
        answers.append(("ids", try store.entries(ids: fences.map(\.id)).map(\.fence)))
        answers.append(("followed", try store.followed().map(\.fence)))
        answers.append(("list", try store.catalogue.fences(limit: 99).map(\.fence)))
        for (question, found) in answers {
            for fence in found where known[fence.id] != fence { return "\(question): \(fence.id)" }
        }
        for region in try store.catalogue.beaconRegions()
        where region.rule != known[region.id]?.beacons {
            return "beacon \(region.id)"
        }
        let found = Set(answers[2].1.map(\.id) + (try store.catalogue.beaconRegions().map(\.id)))
        if found.count < known.count, !store.mayLackFences {
            return "not missed: \(Set(known.keys).subtracting(found))"
        }
        return nil
    }

    private func isWhole(_ store: Store) throws -> Bool {
        let found = try store.catalogue.fences(limit: 99).map(\.fence)
        return Set(found) == Set(fences) && !store.mayLackFences && store.unreadable.isEmpty
            && store.setAside.isEmpty
    }

    @Test("each byte of each row, one bit changed: before a check, after it, and put back")
    func bits() throws {
        let first = try Scratch()
        try fill(first)
        var random = SeededRandom(seed: 50)
        for (number, bytes) in try CellEditing(path: first.file("catalogue.sqlite")).all() {
            // Of the row of most fences every eighth.
            let step = Sample.step * (bytes.count > 400 ? 8 : 1)
            for place in stride(from: 0, to: bytes.count, by: step) {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(random.integer(0..<8))
                let scratch = try Scratch(copying: first)
                let path = scratch.file("catalogue.sqlite")
                try CellEditing(path: path).write([(number, damaged)])
                let at = "cell \(number), byte \(place) of \(bytes.count)"
                let store = try scratch.open()
                let flaw = try flaw(store)
                #expect(flaw == nil, "\(at)")
                let verdict = try store.checkAndMend()
                guard case .lacking = verdict else {
                    Issue.record("\(at): \(verdict)")
                    continue
                }
                #expect(try store.catalogue.lacksFences && self.flaw(store) == nil, "\(at)")
                let healed = try store.heal()
                #expect(healed == [Self.source: .healed(fences.count)], "\(at)")
                let isWhole = try isWhole(store)
                #expect(isWhole && StoreCheck.verdict(of: path) == .sound, "\(at)")
            }
        }
    }

    @Test("an older copy that brings nothing holds none of those that prove themselves")
    func olderCopy() throws {
        let scratch = try Scratch()
        try fill(scratch)
        let copy = scratch.file("copies/" + SetCopyFormat.fileName(of: Self.source.name))
        let older = try #require(FileManager.default.contents(atPath: copy))
        do {
            let late = try ["late1", "late2"].map { try circle($0, 48, 11.01) }
            _ = try scratch.open().apply(upserts: late, origin: Self.source)
        }
        try older.write(to: URL(fileURLWithPath: copy))
        let cells = CellEditing(path: scratch.file("catalogue.sqlite"))
        for (number, bytes) in try cells.all() {
            guard let place = bytes.firstRange(of: Array("late1".utf8))?.lowerBound else {
                continue
            }
            var damaged = bytes
            damaged[place] ^= 1
            try cells.write([(number, damaged)])
        }
        let store = try scratch.open()
        try store.checkAndMend()
        #expect(store.catalogue.lacksFences && store.catalogue.healable == [Self.source])
        #expect(try store.heal() == [Self.source: .partly(0)])
        let found = try store.entries(ids: ["c0", "late1", "late2"]).map(\.id)
        #expect(store.catalogue.lacksFences && found == ["c0", "late2"])
    }

    @Test("rows that an older program has rewritten, or wrote by itself, are as good as they were")
    func older() throws {
        let scratch = try Scratch()
        try fill(scratch)
        let cells = CellEditing(path: scratch.file("catalogue.sqlite"))
        let ours = try cells.all()
        for isFresh in [true, false] {
            try cells.write(
                ours.map {
                    (
                        $0.number,
                        try isFresh
                            ? CellEditing.older($0.bytes) : CellEditing.olderRewritten($0.bytes)
                    )
                })
            let before = try cells.all().map(\.bytes)
            let store = try scratch.open()
            #expect(try flaw(store) == nil && isWhole(store))
            #expect(StoreCheck.verdict(of: cells.path) == .sound)
            // Nothing is written for that.
            #expect(try cells.all().map(\.bytes) == before)
            var fence = fences[0]
            fence.title = "another"
            _ = try store.apply(upserts: [fence], origin: Self.source)
            _ = try store.apply(upserts: [fences[0]], origin: Self.source)
            #expect(try isWhole(store))
            let proven = try cells.all().filter { cell in
                try cell.bytes.withByteView {
                    var records = try FenceCell.Records($0, of: cell.number)
                    return try records.next()?.record.isProven ?? false
                }
            }
            #expect(proven.count == 1)
        }
    }

    @Test("what an older program changes in a row of ours holds, and a cell that it empties goes")
    func edited() throws {
        let scratch = try Scratch()
        try fill(scratch)
        let cells = CellEditing(path: scratch.file("catalogue.sqlite"))
        let ours = try #require(try cells.all().first { $0.bytes.count > 300 })
        let slot = try #require(
            try ours.bytes.withByteView {
                var records = try FenceCell.Records($0, of: ours.number)
                return try records.next()?.record.slot
            })
        // The radius of a plain circle, three bytes of a varint, the first of which has seven bits.
        let edited = try CellEditing.olderRewritten(ours.bytes) { record in
            guard record[0] == slot else { return nil }
            var record = record
            record[10] ^= 1
            return record
        }
        try cells.write([(ours.number, edited)])
        let store = try scratch.open()
        let radii = try store.entries(
            meeting: GeoBox(west: -180, south: -90, east: 180, north: 90)
        ).filter { entry in !fences.contains(entry.fence) }
        #expect(radii.count == 1 && store.suspects.isEmpty)

        let emptied = try CellEditing.olderRewritten(ours.bytes) { $0[0] == 255 ? nil : [] }
        #expect(emptied.count > 1)
        try cells.write([(ours.number, emptied)])
        try store.replace(Self.source, fences.filter { $0.id != "b" })
        #expect(try !cells.all().contains { $0.number == ours.number && $0.bytes == emptied })
    }

    @Test("what older programs take the proof for is in none of their answers")
    func passedOver() throws {
        let scratch = try Scratch()
        try fill(scratch)
        let cells = try CellEditing(path: scratch.file("catalogue.sqlite")).all()
        #expect(cells.count == 4)
        for (_, bytes) in cells {
            try bytes.withByteView { bytes in
                var reader = ByteReader(bytes, from: 1)
                let record = try FenceRecord(try reader.take(try reader.varint()))
                #expect(record.slot == 255)
                #expect(try record.rawCircle() == nil)
                // No box, or one that nothing meets and nothing is near.
                let everywhere = GeoBox(west: -180, south: -90, east: 180, north: 90)
                let box = try record.box()
                #expect(box.map(everywhere.intersects) != true)
                let bound = NearBound(from: Coordinate(latitude: 48, longitude: 11))
                #expect(box.map { bound.signedDistance(to: $0) <= .infinity } != true)
                #expect(try !BoxTest(everywhere).mayMeet(record, nil))
                #expect(try record.id().isEmpty && record.history().origin > 1 << 27)
                #expect(try !record.isFollowed() && record.mark().count == 1)
                #expect(record.isOfBeacons == (box == nil))
                let next = try FenceRecord(try reader.take(try reader.varint()))
                #expect(try record.isOfBeacons || next.isFoundAtOnce())
            }
        }
    }

    @Test(
        "what stands beside the records and does not lead to them is made again, and nothing is lost",
        arguments: [
            "UPDATE box SET west = west + 3, east = east + 3",
            "DELETE FROM box WHERE number = (SELECT min(number) FROM box)",
            "DELETE FROM beacon", "INSERT INTO beacon SELECT number FROM cell",
            "UPDATE fence SET number = number + 1 WHERE id = 'c1'",
            "DELETE FROM fence WHERE id = 'c1'", "UPDATE fence SET id = 'q1' WHERE id = 'c1'",
            "INSERT INTO fence (id, number) VALUES ('c9', 999)",
            "UPDATE origin SET sum = sum + 64",
            "UPDATE origin SET accepted = accepted - 1 WHERE number > 0",
            "UPDATE origin SET fences = fences + 4; UPDATE state SET count = count + 4",
            "UPDATE origin SET fences = fences - 1; UPDATE state SET count = count - 1",
        ])
    func beside(_ damage: String) throws {
        let scratch = try Scratch()
        try fill(scratch)
        var path = scratch.file("catalogue.sqlite")
        // Of a large file the start looks at a part.
        let trial =
            damage.contains("beacon SELECT")
            ? damage + " WHERE number NOT IN (SELECT number FROM beacon)" : damage
        try sqlite(trial, path)
        let store = try scratch.open()
        let verdict = try store.checkAndMend()
        guard case .lacking = verdict else {
            // Put right at the start, from the manifest or by counting.
            #expect(verdict == .sound && damage.contains("origin"))
            #expect(try isWhole(store))
            return
        }
        try store.heal()
        #expect(try isWhole(store), "\(verdict)")
        #expect(try flaw(store) == nil)
        path = scratch.file("catalogue.sqlite")
        #expect(StoreCheck.verdict(of: path) == .sound)
        #expect(!store.catalogue.lacksFences)
    }

    @Test("a row that an older program has emptied does not count among the fences found at once")
    func emptied() throws {
        let scratch = try Scratch()
        try fill(scratch)
        let cells = CellEditing(path: scratch.file("catalogue.sqlite"))
        let found = try sqlite("SELECT number FROM beacon", cells.path).split(separator: "\n")
        #expect(found.count == 2)
        try cells.write(
            try cells.all().filter { found.contains("\($0.number)") }.map {
                ($0.number, try CellEditing.olderRewritten($0.bytes) { $0[0] == 255 ? nil : [] })
            })
        try sqlite("DELETE FROM fence WHERE id IN ('b', 'f')", cells.path)
        let store = try scratch.open()
        #expect(try store.catalogue.beaconRegions().isEmpty && store.followed().isEmpty)
        #expect(store.suspects.isEmpty && store.unreadable.isEmpty)
        try store.replace(.bus, [Fence(id: "again", subject: fences[9].subject)])
        #expect(try sqlite("SELECT count(*) FROM beacon", cells.path) == "1\n")
    }

    @Test(
        "a set of rows without proofs of which one has changed: a check says whose, and it is put back"
    )
    func unproven() throws {
        let first = try Scratch()
        try fill(first)
        let cells = try CellEditing(path: first.file("catalogue.sqlite")).all()
            .map { (number: $0.number, bytes: try CellEditing.older($0.bytes)) }
        var random = SeededRandom(seed: 51)
        var lost = 0
        for (number, bytes) in cells {
            for place in stride(from: 0, to: bytes.count, by: bytes.count / 60 * Sample.step + 1) {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(random.integer(0..<8))
                let scratch = try Scratch(copying: first)
                let path = scratch.file("catalogue.sqlite")
                try CellEditing(path: path).write(cells + [(number, damaged)])
                let at = "cell \(number), byte \(place) of \(bytes.count)"
                let store = try scratch.open()
                let digest = try store.catalogue.origins()[0].digest
                let verdict = StoreCheck.verdictOfSets(of: path)
                // When it was changed is no part of what was accepted.
                if verdict == .sound {
                    let isSame =
                        try Set(store.catalogue.fences(limit: 99).map(\.fence)) == Set(fences)
                    #expect(isSame, "\(at)")
                    continue
                }
                guard case .lacking(let what) = verdict else {
                    Issue.record("\(at): \(verdict)")
                    continue
                }
                store.catalogue.suspect(what)
                #expect(store.mayLackFences, "\(at)")
                // A slot leads to another id, or into another cell.
                let isNamed = what.contains("source/depots")
                #expect(isNamed || what == "ids do not lead to their fences", "\(at): \(what)")
                // Who brings the set does not hear that it is there.
                #expect(try store.catalogue.origins()[0].digest != digest, "\(at)")
                try store.checkAndMend()
                let isLost = store.catalogue.lacksFences
                #expect(try isLost == (store.catalogue.origins()[0].digest != digest), "\(at)")
                #expect(isLost || !isNamed, "\(at): \(what)")
                lost += isLost ? 1 : 0
                let healed = try store.heal()
                #expect(
                    isLost == (healed == [Self.source: .healed(fences.count)]),
                    "\(at): \(what), \(healed)")
                let isWhole = try isWhole(store)
                #expect(isWhole && StoreCheck.verdict(of: path) == .sound, "\(at)")
                #expect(try store.catalogue.origins()[0].digest == digest, "\(at)")
            }
        }
        #expect(lost > 20)
    }
}
