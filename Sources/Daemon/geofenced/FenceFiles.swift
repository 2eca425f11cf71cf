import Bytes
import FenceFiles
import Files
import Glibc
import Model
import Monitoring
import Storage
import Time

// Unsafe: stat(2) fills a structure of ours.

/// The administrator's fences: `fences.d/*.geojson` and `*.csv`. Each file is an origin of its own;
/// a file that cannot be read keeps its fences.
@MainActor
struct FenceFiles {
    let directory: String
    /// The largest size of a file, bytes; the same as of an import over the bus.
    let limit: Int
    /// Knows which files are not read.
    var crashes: CrashLoop?

    /// At most this number of files is read; each costs a transaction at every start.
    static let fileLimit = 4096

    /// Names of the files, sorted. Empty if there is no such directory.
    /// - Throws: ``UnreadableDirectory`` if it exists: then it is unknown which files were removed.
    func names() throws(UnreadableDirectory) -> [String] { try listing().names }

    /// The same, and which directory it is; nil if there is none.
    func listing() throws(UnreadableDirectory) -> (
        names: [String], identity: Directory.Identity?
    ) {
        let found: (names: [String], identity: Directory.Identity)
        do throws(Errno) {
            found = try Directory.list(directory, limit: Self.fileLimit + 1) { name in
                let isFences = name.hasSuffix(".geojson") || name.hasSuffix(".csv")
                return isFences && !name.hasPrefix(".")
                    && crashes?.leavesOut(name, of: self) != true
            }
        } catch {
            if error.code == ENOENT { return ([], nil) }
            throw UnreadableDirectory(path: directory, reason: error.description)
        }
        guard found.names.count <= Self.fileLimit else {
            throw UnreadableDirectory(
                path: directory, reason: "more than \(Self.fileLimit) files of fences")
        }
        return found
    }

    /// The result for one file.
    enum Outcome {
        case loaded(CatalogueChange)
        /// It keeps its previous fences.
        case refused(any Error)
        /// The file was removed, and its fences with it.
        case gone(CatalogueChange)
    }

    /// Updates the catalogue from the files, all at once; `isAlive` is called at every fence. While
    /// the vehicle drives, see ``FenceReload``.
    func load(
        into monitoring: MonitoringService, as seen: FenceDirectory, at now: Uptime,
        isAlive: () -> Void
    ) -> [(file: String, Outcome)] {
        do throws(UnreadableDirectory) {
            let look = try look(seen, monitoring)
            return look.names.map { name in
                isAlive()
                return (name, load(name, into: monitoring, at: now, isAlive))
            } + look.gone.map { ($0, remove($0, from: monitoring, at: now)) }
        } catch { return [(directory, .refused(error))] }
    }

    /// What is there now; the files whose fences are kept are told to `monitoring`.
    func look(
        _ seen: FenceDirectory, _ monitoring: MonitoringService
    ) throws(UnreadableDirectory) -> FenceDirectory.Look {
        // The fences of a file that is left out stay as they are.
        let known = monitoring.fenceFiles.filter { crashes?.leavesOut($0, of: self) != true }
        do throws(UnreadableDirectory) {
            let look = try seen.look(at: self, known: known)
            monitoring.fenceFilesAreThere(look.names)
            monitoring.keepsFences(
                ofFiles: look.kept, since: "\(directory) is not the directory they were in")
            return look
        } catch {
            monitoring.keepsFences(ofFiles: known, since: "\(error)")
            throw error
        }
    }

    /// The same before anybody can be notified; the other finds the problems again, and loads what is not
    /// done when `isTimeUp` returns true.
    /// - Parameter most: fences in the catalogue.
    func load(into store: Store, most: Int, until isTimeUp: () -> Bool) {
        var conditions = ChangeConditions()
        conditions.fenceLimit = most
        for name in (try? names()) ?? [] where !isTimeUp() {
            InHand.mark(.file, name) {
                guard let reader = try? reader(of: name) else { return }
                guard reader.hasMore(than: most, until: isTimeUp) == false else { return }
                _ = try? store.replaceAll(origin: .file(name), conditions: conditions) {
                    guard !isTimeUp() else { throw CancellationError() }
                    return try reader.next()
                }
            }
        }
    }

    private func remove(
        _ name: String, from monitoring: MonitoringService, at now: Uptime
    ) -> Outcome {
        do { return .gone(try monitoring.replaceAll(origin: .file(name), at: now) { nil }) } catch {
            return .refused(error)
        }
    }

    private func load(
        _ name: String, into monitoring: MonitoringService, at now: Uptime, _ isAlive: () -> Void
    ) -> Outcome {
        do {
            let file = try monitoring.beginLoading(
                path: path(of: name), limit: limit, origin: .file(name))
            while true {
                let change = try file.step(at: now) {
                    isAlive()
                    return false
                }
                if let change { return .loaded(change) }
            }
        } catch {
            return .refused(error)
        }
    }

    func path(of name: String) -> String { "\(directory)/\(name)" }

    /// When a file's contents or metadata were last changed, ns since 1970; 0 if it does not exist.
    func changed(_ name: String) -> Int64 {
        var status = stat()
        guard unsafe stat(path(of: name), &status) == 0 else { return 0 }
        return TimeSpan(
            seconds: Int64(status.st_ctim.tv_sec), nanoseconds: Int64(status.st_ctim.tv_nsec)
        ).nanoseconds
    }

    private func reader(
        of name: String, isCheck: Bool = false
    ) throws(FenceFileProblem) -> FenceFileReader {
        try FenceFileReader(
            path: path(of: name),
            options: .init(refusesTwins: isCheck, notesNearMisses: isCheck, limit: limit))
    }

    /// Every problem of every file, for `--check`; warnings among them do not count as problems.
    func check() -> (problems: [String], warnings: [String], fences: Int) {
        var (problems, warnings, fences): ([String], [String], Int) = ([], [], 0)
        let names: [String]
        do throws(UnreadableDirectory) { names = try self.names() } catch {
            return (["\(error)"], [], 0)
        }
        for name in names {
            do {
                let reader = try reader(of: name, isCheck: true)
                while let entry = reader.nextEntry() {
                    switch entry {
                    case .fence(let fence, let line, _):
                        fences += 1
                        guard let warning = fence.warning else { continue }
                        warnings.append("\(directory)/\(name):\(line): \(fence.id): \(warning)")
                    case .refused(let problem):
                        problems.append("\(problem)")
                    }
                }
                warnings += (reader.warnings + reader.nearMissWarnings).map {
                    "\(directory)/\(name): \($0)"
                }
            } catch {
                problems.append("\(error)")
            }
        }
        return (problems, warnings, fences)
    }
}

/// The directory of fences cannot be listed; the fences of its files stay as they are.
struct UnreadableDirectory: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var description: String { "\(path): \(reason)" }
}
