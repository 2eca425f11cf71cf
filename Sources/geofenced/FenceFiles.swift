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

    /// Brings the catalogue up to what the files say now.
    func load(into tracking: TrackingService, at now: Uptime) -> [(file: String, Outcome)] {
        let names = names
        var outcomes = names.map { ($0, load($0, into: tracking, at: now)) }
        for name in tracking.fenceFiles where !names.contains(name) {
            do {
                let change = try tracking.replaceAll(origin: .file(name), at: now) { nil }
                outcomes.append((name, .gone(change)))
            } catch {
                outcomes.append((name, .refused(error)))
            }
        }
        return outcomes
    }

    private func load(_ name: String, into tracking: TrackingService, at now: Uptime) -> Outcome {
        do {
            let reader = try FenceFileReader(path: "\(directory)/\(name)")
            return .loaded(
                try tracking.replaceAll(origin: .file(name), at: now) { try reader.next() })
        } catch {
            return .refused(error)
        }
    }

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
