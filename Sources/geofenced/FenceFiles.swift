import FenceStores
import Fencing
import Glibc
import Tracking

/// The administrator's fences: `fences.d/*.geojson` and `*.csv`. Each file is an origin of its own;
/// one that cannot be read keeps the fences it had.
@MainActor
struct FenceFiles {
    let directory: String

    /// Names of the files, in order of name. Empty where there is no such directory.
    var names: [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let isFences = name.hasSuffix(".geojson") || name.hasSuffix(".csv")
            if isFences, !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// What became of one file.
    enum Outcome {
        case loaded(CatalogueChange)
        /// It keeps the fences it had.
        case refused(any Error)
        /// The file has gone, and its fences with it.
        case gone(CatalogueChange)
    }

    /// Brings the catalogue up to what the files say now, in one go; `isAlive` is called at every
    /// fence. While the vehicle drives, see ``FenceReload``.
    func load(
        into tracking: TrackingService, at now: Uptime, isAlive: () -> Void
    ) -> [(file: String, Outcome)] {
        let names = names
        return names.map { ($0, load($0, into: tracking, at: now, isAlive)) }
            + removeGone(from: tracking, but: names, at: now)
    }

    /// The same before there is anybody to be told of it; problems are found again by the other.
    func load(into store: SQLiteFenceStore) {
        for name in names {
            guard let reader = try? FenceFileReader(path: path(of: name)) else { continue }
            _ = try? store.replaceAll(origin: .file(name)) { try reader.next() }
        }
    }

    /// Removes the fences of files that are not there any more.
    func removeGone(
        from tracking: TrackingService, but names: [String], at now: Uptime
    ) -> [(file: String, Outcome)] {
        tracking.fenceFiles.filter { !names.contains($0) }.map { name in
            do {
                return (name, .gone(try tracking.replaceAll(origin: .file(name), at: now) { nil }))
            } catch {
                return (name, .refused(error))
            }
        }
    }

    private func load(
        _ name: String, into tracking: TrackingService, at now: Uptime, _ isAlive: () -> Void
    ) -> Outcome {
        do {
            let reader = try FenceFileReader(path: path(of: name))
            return .loaded(
                try tracking.replaceAll(origin: .file(name), at: now) {
                    isAlive()
                    return try reader.next()
                })
        } catch {
            return .refused(error)
        }
    }

    func path(of name: String) -> String { "\(directory)/\(name)" }

    /// Every problem of every file, for `--check`; warnings among them do not count as problems.
    func check() -> (problems: [String], warnings: [String], fences: Int) {
        var (problems, warnings, fences): ([String], [String], Int) = ([], [], 0)
        for name in names {
            do {
                let reader = try FenceFileReader(
                    path: "\(directory)/\(name)", options: .init(refusesTwins: true))
                while let entry = reader.nextEntry() {
                    switch entry {
                    case .fence(let fence, let line, _):
                        fences += 1
                        guard let doubt = fence.doubt else { continue }
                        warnings.append("\(directory)/\(name):\(line): \(fence.id): \(doubt)")
                    case .refused(let problem):
                        problems.append("\(problem)")
                    }
                }
            } catch {
                problems.append("\(error)")
            }
        }
        return (problems, warnings, fences)
    }
}
