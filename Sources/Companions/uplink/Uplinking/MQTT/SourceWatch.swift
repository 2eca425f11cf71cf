package import BusClient
import JSON
package import Systemd
import Time

/// Notices when geofenced-sync says something else of a source of fences than before: the daemon need
/// not have changed.
@MainActor
package final class SourceWatch {
    private let loop: EventLoop
    private let directory: String
    private let changed: @MainActor () -> Void
    private var watch: DirectoryWatch?
    private var told: [String: Told] = [:]

    /// What is news of a source. The time of a look that found nothing new is none.
    private struct Told: Equatable {
        var state: String
        var sum: String
        var held: String
        var fences: Int64

        init(_ source: SourceStatus) {
            state = source.state
            sum = source.json["sum"]?.string ?? ""
            held = source.held
            fences = source.json["fences"]?.integer ?? 0
        }
    }

    /// - Parameters:
    ///   - directory: where geofenced-sync writes, which need not be there.
    ///   - changed: called from the loop.
    package init(
        _ loop: EventLoop, directory: String,
        changed: @escaping @MainActor () -> Void
    ) {
        self.loop = loop
        self.directory = directory
        self.changed = changed
        begin()
        _ = tell()
    }

    /// What is said of all of them now: from now on everything else is news, that a look has ended
    /// included.
    package func tell() -> [SourceStatus] {
        let all = SourceStatus.all(in: directory)
        told = Dictionary(all.map { ($0.name, Told($0)) }) { first, _ in first }
        return all
    }

    private func begin() {
        guard !watchItself() else { return }
        guard let slash = directory.lastIndex(of: "/") else { return }
        let name = String(directory[directory.index(after: slash)...])
        watch = try? DirectoryWatch(loop, path: String(directory[..<slash]), .entry(name)) {
            [weak self] _ in
            self?.begin()
            self?.look()
        }
        // It may have come in between.
        _ = watchItself()
    }

    private func watchItself() -> Bool {
        let itself = try? DirectoryWatch(loop, path: directory, settle: .seconds(1)) {
            [weak self] change in
            if change == .gone { self?.begin() }
            self?.look()
        }
        guard let itself else { return false }
        watch = itself
        return true
    }

    private func look() {
        let now = read()
        guard now != told else { return }
        told = now
        changed()
    }

    private func read() -> [String: Told] {
        var found: [String: Told] = [:]
        for source in SourceStatus.all(in: directory) {
            // A look that is under way has found nothing yet.
            if source.state == "fetching", let before = told[source.name] {
                found[source.name] = before
                continue
            }
            found[source.name] = Told(source)
        }
        return found
    }
}
