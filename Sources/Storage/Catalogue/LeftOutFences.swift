import Bytes
import Model

/// Fences that the process before had in hand when it crashed. Until they have changed, or were
/// removed, they are in no answer, and their records are not decoded.
struct LeftOutFences {
    /// The generation of its last change, by id as bytes; nil if it does not exist.
    private var fences: [[UInt8]: Generation?] = [:]

    var isEmpty: Bool { fences.isEmpty }

    mutating func add(_ id: String, changed: Generation?) {
        fences.updateValue(changed, forKey: Array(id.utf8))
    }

    func contains(_ id: String) -> Bool { !isEmpty && fences[Array(id.utf8)] != nil }

    func contains(_ record: FenceRecord) -> Bool {
        guard !isEmpty, let id = try? record.id() else { return false }
        return fences[Array(id)] != nil
    }

    /// Forgets those that are no longer as they were; returns them.
    mutating func forgetChanged(_ changed: (String) throws -> Generation?) rethrows -> [String] {
        var back: [String] = []
        for (bytes, before) in fences {
            let id = String(decoding: bytes, as: UTF8.self)
            guard try changed(id) != before else { continue }
            fences[bytes] = nil
            back.append(id)
        }
        return back.sorted()
    }
}

extension Catalogue {
    /// Leaves these fences out of every answer, as if they could not be read, until they change.
    package func leaveOut(_ ids: [String]) throws {
        followedEntries = nil
        for id in ids { leftOut.add(id, changed: try changed(id)) }
    }

    /// Those that are not left out any more: they have changed, or were removed.
    package func takeChangedBack() throws -> [String] {
        guard !leftOut.isEmpty else { return [] }
        followedEntries = nil
        return try leftOut.forgetChanged { try changed($0) }
    }

    /// The generation of the last change of a fence, without decoding the rest of it; nil if it does
    /// not exist or cannot be read.
    private func changed(_ id: String) throws -> Generation? {
        try use { database -> Generation? in
            guard let number = try CellTable.number(id: id, in: database) else { return nil }
            return try read(number, id, database) { try $0.history().changed }
        }
    }
}
