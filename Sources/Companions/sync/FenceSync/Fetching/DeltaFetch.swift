import Bytes
import HTTP
import JSON

/// Fetches the changes since the previous set, by the link that came with it (OData Protocol 4.01,
/// 11.3), and applies them. Such an answer cannot be proved complete, so the full set is fetched
/// from time to time, and whenever anything in the answer is unexpected.
@MainActor
package struct DeltaFetch {
    private let settings: SourceSettings
    private let web: WebFetcher
    private let spool: SpoolFile
    private let writer: FeatureWriter
    private let query: SourceQuery
    private var set = FetchedSet()
    /// The changed entries, as texts one after the other: of thousands only one is in memory.
    private let entities: SpoolFile
    /// Bytes of them.
    private var written = 0
    /// By the hashes of their ids with the prefix; nobody outside knows the seed.
    private var changes: [Int: Alteration] = [:]

    private enum Alteration {
        case entity(Place)
        case removed
    }

    private struct Place {
        let offset: Int
        let count: Int
    }

    /// With more changes, the full set is fetched.
    private static let mostChanges = 10_000

    /// The full set is needed. The reason is not reported: services forget their links by design.
    private struct Useless: Error {}

    /// - Parameters:
    ///   - spool: gets a line of GeoJSON for each entry of the new set.
    ///   - directory: for what is fetched.
    package init(
        _ settings: SourceSettings, _ web: WebFetcher, into spool: SpoolFile, directory: String
    ) throws(SyncFailure) {
        entities = try SpoolFile(in: directory)
        self.settings = settings
        self.web = web
        self.spool = spool
        writer = FeatureWriter(settings.fields, idPrefix: settings.idPrefix, shape: .odata)
        query = SourceQuery(settings: settings, version: 4, area: nil)
    }

    /// The new set; nil if the full set is needed, and then the file is empty.
    /// - Parameter former: the set that is in the catalogue.
    /// - Throws: ``SyncFailure`` if the server cannot be asked.
    package mutating func run(
        _ state: SourceState, former: StoredSet
    ) throws(SyncFailure) -> FetchedSet? {
        set.isDelta = true
        set.version = 4
        do {
            try fetch(state.deltaLink)
            guard !changes.isEmpty else {
                set.isUnchanged = true
                return set
            }
            try merge(former)
        } catch let failure as SyncFailure where Self.isOfEverything(failure) {
            throw failure
        } catch {
            try spool.empty()
            web.renewBudget()
            return nil
        }
        try set.check(settings)
        return set
    }

    /// Whether fetching the full set would fail in the same way.
    private static func isOfEverything(_ failure: SyncFailure) -> Bool {
        failure.state == .noNetwork || failure.isAboutCredentials || failure.retryAfter != nil
    }

    private mutating func fetch(_ link: String) throws {
        guard let service = settings.address else { throw Useless() }
        var next: WebAddress? = try WebAddress(link)
        guard next?.origin == service.origin else { throw Useless() }
        var trail = PageTrail(most: settings.maxPages)
        while let address = next {
            try trail.follow(address)
            let answer = try web.get(address, query.fields)
            guard answer.head.status == 200 else { throw Useless() }
            var pageReader = PageReader(.odata)
            var reader = try answer.body.json(limits: PageReader.limits)
            let page = try pageReader.read(&reader) { entry, _ in try take(entry) }
            guard page.error == nil else { throw Useless() }
            if let link = page.next {
                try trail.found(page.entries)
                next = try web.sameOrigin(link, from: answer.address, "a next link")
            } else {
                // Only the last page has it: without it some changes are missing.
                guard let link = page.delta else { throw Useless() }
                next = nil
                set.deltaLink = try web.sameOrigin(link, from: answer.address, "a delta link").text
            }
        }
    }

    private mutating func take(_ entry: JSONValue) throws {
        let id: String
        let change: Alteration
        switch try DeltaEntry(entry, of: settings.entitySet, key: query.keyPath) {
        case .changed(let entity):
            var text = JSONWriter()
            text.value(entity)
            let count = text.bytes.count
            (id, change) = (
                try writer.id(of: entity), .entity(Place(offset: written, count: count))
            )
            written += count
            try entities.write(text.bytes)
        case .removed(let key):
            guard let text = try? RowValue.text(key) else { throw Useless() }
            (id, change) = (settings.idPrefix + text, .removed)
        case .relation: return
        }
        guard changes.updateValue(change, forKey: ExactText(id).hashValue) == nil,
            changes.count <= Self.mostChanges
        else { throw Useless() }
    }

    private mutating func merge(_ former: StoredSet) throws {
        try FenceSet.forEachID(former) { line, id throws(SyncFailure) in
            switch changes.removeValue(forKey: ExactText(id).hashValue) {
            case nil: try add(line)
            case .entity(let place)?:
                try add(entity(at: place), former: try? JSONValue(parsing: line))
            case .removed?: break
            }
        }
        let places = try changes.values.map { change throws(Useless) in
            // A removed entry that is unknown here: the key may be another column than the id.
            guard case .entity(let place) = change else { throw Useless() }
            return place
        }
        for place in places.sorted(by: { $0.offset < $1.offset }) {
            try add(entity(at: place), former: nil)
        }
    }

    private func entity(at place: Place) throws(SyncFailure) -> JSONValue {
        let text = try entities.bytes(at: place.offset, count: place.count)
        guard let entity = try? JSONValue(parsing: text, limits: PageReader.limits) else {
            throw SyncFailure(.notStored, "a change cannot be read again")
        }
        return entity
    }

    private mutating func add(_ line: [UInt8]) throws(SyncFailure) {
        try count()
        set.sum.add(line)
        try spool.write(line)
    }

    private mutating func add(
        _ entity: JSONValue, former: JSONValue?
    ) throws(SyncFailure) {
        switch writer.result(of: entity, former: former) {
        case .success(let feature): try add(feature.line)
        case .failure(let flaw):
            try count()
            set.refuse(flaw.id ?? "", flaw.reason)
        }
    }

    private mutating func count() throws(SyncFailure) {
        set.count += 1
        guard set.count <= settings.maxFences else {
            throw SyncFailure(.overLimit, "more than \(settings.maxFences) entries (MaxFences=)")
        }
    }
}
