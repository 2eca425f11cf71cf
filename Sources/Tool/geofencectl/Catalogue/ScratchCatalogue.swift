import Bytes
import FenceFiles
import Files
import Glibc
import Law
import Model
import Program
import Storage

// Unsafe: unlink(2) and rmdir(2) take a path of ours.

/// A catalogue for one run: the daemon's own store in a temporary directory, so that a replay makes
/// the same queries as the daemon, and hundreds of thousands of fences need not fit into memory.
final class ScratchCatalogue {
    let store: Store
    private let directory: String

    /// - Throws: ``Failure`` with the directory.
    init() throws {
        // It is removed after an interruption, too.
        Interruption.note()
        let parent = temporaryDirectory
        do throws(Errno) {
            directory = try Directory.makeTemporary("\(parent)/geofencectl-")
        } catch { throw Failure("cannot make a temporary directory (\(error))", parent) }
        do {
            store = try Store(directory: directory, bootID: nil)
            if let absence = store.absence { throw absence }
        } catch {
            Self.remove(directory)
            throw Failure("\(error)")
        }
    }

    deinit { Self.remove(directory) }

    /// Adds the fences of these files, all or nothing.
    /// - Returns: warnings, each with its place.
    /// - Throws: ``Failure`` with the file and the entry.
    func load(_ paths: [String], _ options: FenceFileReader.Options) throws -> [String] {
        let session = try store.beginImport(origin: .bus)
        var path = ""
        do {
            for next in paths {
                path = next
                let reader = try FenceFileReader(operand: path, options: options)
                while let fence = try reader.next() {
                    try session.add(fence)
                    try Interruption.check()
                }
            }
        } catch {
            session.cancel()
            if let problem = error as? FenceFileProblem { throw Failure(problem) }
            if let refusal = error as? CatalogueRefusal { throw Failure("\(refusal)", path) }
            throw error
        }
        do {
            return try session.finish(replacing: false).warnings.map(\.description)
        } catch let refusal as CatalogueRefusal {
            throw Failure("\(refusal)", Self.second(refusal.entry.fence, paths, options))
        }
    }

    /// The fence of that id; nil if there is none.
    func fence(_ id: String) throws -> Fence? {
        try store.entries(ids: [id]).first?.fence
    }

    /// The file with the second occurrence of that id, if the files can be read again: the store
    /// finds duplicate ids only when it has sorted them.
    private static func second(
        _ id: String, _ paths: [String], _ options: FenceFileReader.Options
    ) -> String {
        var isKnown = false
        for path in paths where path != "-" {
            guard let reader = try? FenceFileReader(path: path, options: options) else { continue }
            while let entry = reader.nextEntry() {
                guard case .fence(let fence, _, _) = entry, fence.id.isExactly(id) else { continue }
                if isKnown { return path }
                isKnown = true
            }
        }
        return paths.last ?? ""
    }

    /// Deletes the directory and the files of the store in it; nothing deeper.
    private static func remove(_ directory: String) {
        for name in (try? Directory.names(in: directory)) ?? [] {
            unsafe unlink("\(directory)/\(name)")
        }
        unsafe rmdir(directory)
    }
}
