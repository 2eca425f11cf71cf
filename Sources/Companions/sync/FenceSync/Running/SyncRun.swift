package import BusClient
import FenceFiles
import Systemd

/// One look at a source: fetched, checked, compared, stored. Whatever fails, the former set stays.
@MainActor
package struct SyncRun {
    private let settings: SourceSettings
    private let paths: Paths
    private let actions: Actions
    private let options: SyncRequest
    private var state: SourceState

    /// Bytes of an ETag or a date that is remembered.
    private static let longestValidator = 1024
    /// Entries in which something doubtful is looked for.
    private static let lookedAt = 1000

    /// Where its files are.
    package struct Paths: Sendable {
        /// Its own.
        package var directory: String
        /// For others; nil: nothing is published.
        package var status: String?
        /// The configuration.
        package var file: String

        package init(directory: String, status: String?, file: String) {
            self.directory = directory
            self.status = status
            self.file = file
        }

        /// What is remembered.
        package var state: String { "\(directory)/state.json" }
        /// The set that is in the catalogue, of sources that need it.
        package var keptSet: KeptSet { KeptSet(directory: directory) }
        /// A set until it is stored.
        package var newSet: String { "\(directory)/set.new" }
    }

    /// The world outside.
    package struct Actions {
        /// Fetches into the file.
        package var fetch: @MainActor (SourceState, SpoolFile) throws(SyncFailure) -> FetchedSet
        /// The digest of the set that the daemon has of the origin; nil where it cannot say.
        package var present: @MainActor () throws(SyncFailure) -> String?
        /// Appends to the file what the daemon has of those fences; gives how many it has.
        package var keep: @MainActor (FenceSet.Refusals, SpoolFile) throws(SyncFailure) -> Int
        /// Gives the file to the daemon.
        package var store:
            @MainActor (OriginImport, SpoolFile) throws(SyncFailure) -> ImportedChange
        /// For the log: state, what, and the entries that are flawed.
        package var tell: @MainActor (SyncMessageID, String) -> Void
        /// Wall clock, s since 1970.
        package var now: @MainActor () -> Int64

        package init(
            fetch: @escaping @MainActor (SourceState, SpoolFile) throws(SyncFailure) -> FetchedSet,
            present: @escaping @MainActor () throws(SyncFailure) -> String?,
            keep: @escaping @MainActor (FenceSet.Refusals, SpoolFile) throws(SyncFailure) -> Int,
            store:
                @escaping @MainActor (OriginImport, SpoolFile) throws(SyncFailure) ->
                ImportedChange,
            tell: @escaping @MainActor (SyncMessageID, String) -> Void,
            now: @escaping @MainActor () -> Int64
        ) {
            self.fetch = fetch
            self.present = present
            self.keep = keep
            self.store = store
            self.tell = tell
            self.now = now
        }
    }

    /// - Parameter state: of the last look; see ``SourceState/load(_:)``.
    package init(
        _ settings: SourceSettings, configuration: String, state: SourceState, _ paths: Paths,
        _ options: SyncRequest, _ actions: Actions
    ) {
        self.settings = settings
        self.paths = paths
        self.options = options
        self.actions = actions
        self.state = state
        // Of another configuration nothing but the number of fences still counts: it guards them.
        if state.configuration != configuration {
            self.state.configuration = configuration
            self.state.forgetSet()
            self.state.version = 0
            self.state.failures = 0
        }
    }

    /// Does it, and remembers and publishes how it went.
    package mutating func run() -> SourceState {
        state.triedAt = actions.now()
        begin()
        do throws(SyncFailure) {
            let detail = try look()
            var good = state
            good.failures = 0
            good.notBefore = 0
            good.detail = ServerMessage.short(detail)
            good.nextAt = SyncSchedule.next(good, every: settings.everySeconds)
            try save(good)
            state = good
        } catch { note(error) }
        publish()
        return state
    }

    /// Says so: a look that does not come to its end leaves this behind.
    private func begin() {
        var begun = self
        begun.state.state = .fetching
        begun.state.detail = ""
        begun.publish()
    }

    private mutating func look() throws(SyncFailure) -> String {
        try compare()
        let spool = try SpoolFile(path: paths.newSet)
        defer { spool.discard() }
        let fetched = try actions.fetch(state, spool)
        if fetched.isUnchanged || fetched.sum.description == state.sum && !fetched.isMoved {
            state.state = .unchanged
            state.checkedAt = state.triedAt
            state.held = ""
            if fetched.isDelta || !fetched.isUnchanged { remember(fetched) }
            return !fetched.isUnchanged ? "" : fetched.isDelta ? "no changes" : "304"
        }
        let count = try complete(spool, fetched)
        // The daemon takes an empty file for one that was lost.
        if count + fetched.ownLines == 0 {
            try spool.write(#"{"type":"FeatureCollection","features":[]}"#.utf8)
        }
        let doubts = try doubts(of: spool) + fetched.doubts
        let isAccepted = options.accepted == fetched.sum.description
        var change = OriginImport(origin: settings.origin, isDryRun: options.isDryRun)
        // What is there is not known when the state was lost: then the new set is the measure.
        let present = state.importedAt > 0 ? state.count : count
        if !isAccepted {
            change.mostRemoved =
                fetched.mostRemoved ?? present * settings.maxRemovePercent / 100
        }
        let stored: ImportedChange
        do throws(SyncFailure) { stored = try actions.store(change, spool) } catch {
            if error.state == .held { state.held = fetched.sum.description }
            throw error
        }
        guard !options.isDryRun else {
            // Never asked for more than this.
            if state.state == .fetching { state.state = .unchanged }
            let counts = "dry run: \(stored.changed) would change, \(stored.removed) would go"
            return ([counts] + doubts).joined(separator: "; ")
        }
        if settings.needsFormerSet { try paths.keptSet.save(spool) }
        remember(fetched)
        state.sum = fetched.sum.description
        state.count = count
        state.stored = (try? actions.present()) ?? ""
        state.held = ""
        state.state = .imported
        state.checkedAt = state.triedAt
        state.importedAt = state.triedAt
        let remarks = stored.remarks
        var text = "\(stored.changed) new or changed, \(stored.removed) removed"
        if let first = remarks.first { text += "; \(remarks.count) not taken, such as \(first)" }
        text = ([text] + doubts).joined(separator: "; ")
        actions.tell(.imported, "\(settings.name): \(count) fences; \(text)")
        return text
    }

    /// Whether what was stored is still there is the daemon's to say, not ours: what is not is brought
    /// again.
    private mutating func compare() throws(SyncFailure) {
        guard let present = try actions.present(), present != state.stored else { return }
        if !state.stored.isEmpty, state.importedAt > 0 {
            actions.tell(
                .missing,
                "\(settings.name): geofenced has not the fences that it was given; all are fetched "
                    + "again")
        }
        state.forgetSet()
    }

    /// What is doubtful about the set, as `geofencectl import` says it of a file.
    private func doubts(of spool: SpoolFile) throws(SyncFailure) -> [String] {
        try spool.rewind()
        let reader = FenceFileReader(
            descriptor: spool.descriptor, name: settings.name,
            options: .init(notesNearMisses: true, mayBeEmpty: true))
        for _ in 0..<Self.lookedAt where reader.nextEntry() == nil { break }
        return reader.warnings + reader.nearMissWarnings
    }

    /// Adds to the set the previous versions of its flawed entries, as the daemon has them.
    /// - Returns: the number of fences.
    private func complete(
        _ spool: SpoolFile, _ fetched: FetchedSet
    ) throws(SyncFailure) -> Int {
        let refusals = fetched.refusals
        guard refusals.count > 0 else { return fetched.count }
        for refusal in refusals.examples {
            actions.tell(.flawed, "\(settings.name): \(refusal.id): \(refusal.reason)")
        }
        return try fetched.count - refusals.count + actions.keep(refusals, spool)
    }

    private mutating func remember(_ fetched: FetchedSet) {
        // A longer one is no validator; what is remembered has a limit.
        state.etag = fetched.etag.utf8.count <= Self.longestValidator ? fetched.etag : ""
        state.lastModified =
            fetched.lastModified.utf8.count <= Self.longestValidator ? fetched.lastModified : ""
        state.version = fetched.version
        state.deltaLink = fetched.deltaLink
        if !fetched.isDelta { state.wholeAt = state.triedAt }
    }

    private mutating func note(_ failure: SyncFailure) {
        state.state = failure.state
        state.detail = ServerMessage.short(failure.reason)
        if failure.state == .held {
            state.failures = 0
            actions.tell(
                .held,
                "\(settings.name): \(failure.reason); geofencectl sync \(settings.name) --accept")
        } else {
            state.held = ""
            state.failures += 1
            let wait = SyncSchedule.wait(
                after: state.failures, failure, chance: Double.random(in: 0...1))
            state.notBefore = state.triedAt + wait
            actions.tell(.failed, "\(settings.name): \(failure)")
        }
        state.nextAt = SyncSchedule.next(state, every: settings.everySeconds)
        // That it failed need not be remembered at any price.
        try? save(state)
    }

    private func save(_ state: SourceState) throws(SyncFailure) {
        guard !options.isDryRun else { return }
        try state.save(paths.state)
    }

    private func publish() {
        guard let status = paths.status else { return }
        try? state.publish(status, source: settings.name, file: paths.file)
    }
}
