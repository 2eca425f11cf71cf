package import Engine
import Formats
import Storage
package import Time

/// A file of fences being loaded into the catalogue, a portion at a time: until the end every query
/// is answered from the catalogue as it was. Dropped before that, it leaves nothing behind.
@MainActor
package final class FenceImport {
    private let service: MonitoringService
    private let reader: FenceFileReader
    private let session: CatalogueImport
    private let replacing: Bool

    fileprivate init(
        _ service: MonitoringService, _ reader: FenceFileReader, origin: FenceOrigin,
        replacing: Bool, _ conditions: ChangeConditions = ChangeConditions()
    ) throws {
        self.service = service
        self.reader = reader
        self.replacing = replacing
        session = try service.store.beginImport(
            origin: origin, conditions: service.limited(origin, conditions))
    }

    /// Bytes of the file that have been read.
    package var bytesRead: Int { reader.bytesRead }

    /// Continues until `isTimeUp` returns true, or to the end: then the catalogue has changed.
    /// - Throws: ``ImportRefusal``, ``CatalogueRefusal``, ``ChangeRefusal``, or an error of the
    ///   store; then nothing of the file is stored.
    package func step(at now: Uptime, until isTimeUp: () -> Bool) throws -> CatalogueChange? {
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
            return try reader.next()
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
    ///   - replacing: fences of `origin` that are not in the file are removed.
    /// - Throws: ``ChangeRefusal``, or an error of the store.
    package func beginImport(
        descriptor: Int32, name: String, origin: FenceOrigin, replacing: Bool,
        _ conditions: ChangeConditions
    ) throws -> FenceImport {
        try FenceImport(
            self, FenceFileReader(descriptor: descriptor, name: name), origin: origin,
            replacing: replacing, conditions)
    }

    /// Begins to read an administrator's file, which holds all fences of that origin.
    /// - Parameter limit: its largest size, bytes.
    /// - Throws: ``FenceFileProblem`` if it cannot be opened, or an error of the store.
    package func beginLoading(
        path: String, limit: Int, origin: FenceOrigin
    ) throws -> FenceImport {
        try FenceImport(
            self, FenceFileReader(path: path, options: .init(limit: limit)), origin: origin,
            replacing: true)
    }

    /// The catalogue is being written in portions: other changes must wait.
    package var isImporting: Bool { store.isImporting }
}
