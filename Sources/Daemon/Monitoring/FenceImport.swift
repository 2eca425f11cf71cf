import Bytes
import FenceFiles
package import Model
import Storage
package import Time

/// A file of fences being loaded into the catalogue, a portion at a time: until the end every query
/// is answered from the catalogue as it was. Dropped before that, it leaves nothing behind.
@MainActor
package final class FenceImport {
    private let service: MonitoringService
    /// Nil if there are no fences any more.
    private let reader: FenceFileReader?
    private let session: CatalogueImport
    private let replacing: Bool
    /// With more entries it is refused unread; nil once it has not more, as far as that is seen.
    private var bound: (entries: Int, refusal: ChangeRefusal)?
    /// What is in hand while it is read.
    private let inHand: InHand.Item

    fileprivate init(
        _ service: MonitoringService, _ reader: FenceFileReader?, origin: FenceOrigin,
        replacing: Bool, inHand: InHand.Item, _ conditions: ChangeConditions = ChangeConditions()
    ) throws {
        self.service = service
        self.reader = reader
        self.replacing = replacing
        self.inHand = inHand
        var limited = service.limited(origin, conditions)
        limited.removesNothing = !replacing
        bound = try reader.map { _ in try service.bound(of: origin, limited) }
        session = try service.store.beginImport(origin: origin, conditions: limited)
    }

    /// Bytes of the file that have been read.
    package var bytesRead: Int { reader?.bytesRead ?? 0 }

    /// Continues until `isTimeUp` returns true, or to the end: then the catalogue has changed.
    /// - Throws: ``ImportRefusal``, ``CatalogueRefusal``, ``ChangeRefusal``, or an error of the
    ///   store; then nothing of the file is stored.
    package func step(at now: Uptime, until isTimeUp: () -> Bool) throws -> CatalogueChange? {
        try InHand.mark(inHand.kind, inHand.name) { try advance(at: now, until: isTimeUp) }
    }

    private func advance(at now: Uptime, until isTimeUp: () -> Bool) throws -> CatalogueChange? {
        if let bound {
            guard let isBeyond = reader?.hasMore(than: bound.entries, until: isTimeUp) else {
                return nil
            }
            if isBeyond { throw bound.refusal }
            self.bound = nil
        }
        repeat {
            guard let fence = try next() else {
                let change = try session.finish(replacing: replacing, until: isTimeUp)
                if change != nil { service.catalogueMayHaveChanged(at: now) }
                return change
            }
            try session.add(fence)
        } while !isTimeUp()
        return nil
    }

    private func next() throws -> Fence? {
        do throws(FenceFileProblem) {
            return try reader?.next()
        } catch { throw ImportRefusal(description: error.description) }
    }
}

/// A refused entry, which makes the whole file refused.
package struct ImportRefusal: Error, Hashable, CustomStringConvertible {
    /// The line, the entry and the reason.
    package let description: String
}

extension MonitoringService {
    /// Begins an import over the bus.
    /// - Parameters:
    ///   - descriptor: of a regular file, read from its present position; the caller closes it
    ///     after the import.
    ///   - name: for error messages.
    ///   - limit: the most bytes of the file, and of what it unpacks to.
    ///   - replacing: fences of `origin` that are not in the file are removed.
    ///   - call: the member of the call that wants it.
    /// - Throws: ``ImportRefusal``, ``ChangeRefusal``, or an error of the store.
    package func beginImport(
        descriptor: Int32, name: String, limit: Int, origin: FenceOrigin, replacing: Bool,
        _ conditions: ChangeConditions, call: String = "ImportFences"
    ) throws -> FenceImport {
        let inHand = InHand.Item(.call, "\(call) \(origin)")
        guard !InHand.leavesOut(.call, inHand.name) else {
            throw ImportRefusal(
                description: "left out: the daemon crashed with such an import in hand")
        }
        return try FenceImport(
            self,
            // A program that gives a set without a fence means it.
            FenceFileReader(
                descriptor: descriptor, name: name, options: .init(mayBeEmpty: true, limit: limit)),
            origin: origin, replacing: replacing, inHand: inHand, conditions)
    }

    /// Begins to read an administrator's file, which holds all fences of that origin.
    /// - Parameter limit: its largest size, bytes.
    /// - Throws: ``FenceFileProblem`` if it cannot be opened, or an error of the store.
    package func beginLoading(
        path: String, limit: Int, origin: FenceOrigin
    ) throws -> FenceImport {
        try FenceImport(
            self, FenceFileReader(path: path, options: .init(limit: limit)), origin: origin,
            replacing: true, inHand: Self.item(origin))
    }

    /// Begins to remove all fences of that origin.
    /// - Throws: an error of the store.
    package func beginRemoving(origin: FenceOrigin) throws -> FenceImport {
        try FenceImport(
            self, nil, origin: origin, replacing: true, inHand: Self.item(origin))
    }

    /// What is in hand while the fences of an administrator's file are changed: its name, by which it
    /// is left out.
    private static func item(_ origin: FenceOrigin) -> InHand.Item {
        guard case .file(let name) = origin else { return InHand.Item(.file, "\(origin)") }
        return InHand.Item(.file, name)
    }
}
