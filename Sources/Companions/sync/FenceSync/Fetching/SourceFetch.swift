import Bytes
import FenceFiles
import GeoJSON
import HTTP
import JSON

/// Fetches a set page by page, and believes it only if it is provably whole: the last page has no
/// link to a next one, no id came twice, and there are as many as the server says.
@MainActor
package struct SourceFetch {
    private let settings: SourceSettings
    private let web: WebFetcher
    private let spool: SpoolFile
    private let writer: FeatureWriter
    private var set = FetchedSet()
    private var ids: Set<Int> = []
    /// Those of the parts before this one.
    private var former: Set<Int> = []
    /// Of this part, those of the parts before it included.
    private var entries = 0
    private var trail: PageTrail
    private var total: Int?
    /// Names that stand where nothing is read.
    private var strays = NearMisses(areRead: false, by: "entry")

    /// - Parameter spool: gets a line of GeoJSON for each entry.
    package init(_ settings: SourceSettings, _ web: WebFetcher, into spool: SpoolFile) {
        self.settings = settings
        self.web = web
        self.spool = spool
        trail = PageTrail(most: settings.maxPages)
        writer = FeatureWriter(
            settings.fields, idPrefix: settings.idPrefix, shape: Self.shape(of: settings))
    }

    private static func shape(of settings: SourceSettings) -> PageReader.Shape {
        settings.kind == .odata ? .odata : .features
    }

    /// Fetches all of it, or what is in an area.
    /// - Parameter state: of the last look: its version and its validators.
    /// - Throws: ``SyncFailure``; what was fetched until then is worth nothing.
    package mutating func run(
        _ state: SourceState, around area: AskedArea? = nil
    ) throws(SyncFailure) -> FetchedSet {
        var version = settings.version ?? state.version
        if settings.kind == .odata, version != 2, version != 4 { version = try findVersion() }
        set.version = version
        for query in SourceQuery(settings: settings, version: version, area: area).parts {
            try fetch(query, state)
        }
        set.doubts = strays.warnings(of: set.count - set.refusals.count)
        try set.check(settings)
        return set
    }

    private mutating func fetch(
        _ query: SourceQuery, _ state: SourceState
    ) throws(SyncFailure) {
        var query = query
        former = ids
        entries = 0
        total = nil
        var next: WebAddress? = try address(query, 0)
        while let address = next {
            try trail.follow(address)
            let answer = try web.get(
                address, query.fields + (trail.isFirst ? conditions(state) : []))
            guard answer.head.status != 304 else {
                guard trail.isFirst, !conditions(state).isEmpty else {
                    throw SyncFailure(.incomplete, "304 to a request without a condition")
                }
                set.isUnchanged = true
                return
            }
            try checkReference(answer)
            if isOneDocument, answer.head.hasStrongValidators {
                set.etag = answer.head.field("etag") ?? ""
                set.lastModified = answer.head.field("last-modified") ?? ""
            }
            let before = entries
            let page = try read(answer)
            if let link = page.next {
                try trail.found(page.entries)
                next = try web.sameOrigin(link, from: answer.address, "a next link")
            } else if isPagedByStart(query) {
                let isOver =
                    page.entries == 0 || entries == total
                    || page.entries < settings.pageSize && total == nil
                next = isOver ? nil : try self.address(query, entries)
            } else if settings.kind == .odata, let total, entries < total, before == 0,
                page.entries > 0
            {
                // A part, and no link to the rest: again from the beginning, in the order of keys.
                query.pagesByHand = true
                try begin()
                next = try self.address(query, 0)
            } else {
                next = nil
                if query.tracksChanges, let link = page.delta {
                    // Delta links are optional: one that leads to another server is ignored.
                    let address = try? web.sameOrigin(link, from: answer.address, "a delta link")
                    set.deltaLink = address?.text ?? ""
                }
            }
        }
        try checkWhole()
    }

    /// Whether an entry has that id, prefix included.
    func has(_ id: String) -> Bool { ids.contains(ExactText(id).hashValue) }

    /// Forgets what was fetched.
    private mutating func begin() throws(SyncFailure) {
        let version = set.version
        set = FetchedSet()
        set.version = version
        ids = []
        strays = NearMisses(areRead: false, by: "entry")
        entries = 0
        trail.begin()
        total = nil
        try spool.empty()
    }

    private var isOneDocument: Bool { settings.kind == .geojson && !settings.usesStartIndex }

    private func isPagedByStart(_ query: SourceQuery) -> Bool {
        query.pagesByHand || settings.kind == .geojson && settings.usesStartIndex
    }

    /// The first page's validators prove nothing about the others.
    private func conditions(_ state: SourceState) -> [(name: String, value: String)] {
        guard isOneDocument, !state.sum.isEmpty else { return [] }
        var fields: [(name: String, value: String)] = []
        if !state.etag.isEmpty { fields.append(("If-None-Match", state.etag)) }
        if !state.lastModified.isEmpty {
            fields.append(("If-Modified-Since", state.lastModified))
        }
        return fields
    }

    private func address(_ query: SourceQuery, _ start: Int) throws(SyncFailure) -> WebAddress {
        do throws(FlawedAddress) { return try query.page(from: start) } catch {
            throw SyncFailure(.invalid, "URL=: \(error)")
        }
    }

    /// A version 4 service must say so in every answer (OData 4.01 Protocol, 8.1.5).
    private func findVersion() throws(SyncFailure) -> Int {
        guard let text = settings.address else { throw SyncFailure(.invalid, "no URL=") }
        let address: WebAddress
        // A service root ends with a slash (OData 4.01 URL Conventions, 2).
        do throws(FlawedAddress) { address = try text.appending(path: "") } catch {
            throw SyncFailure(.invalid, "URL=: \(error)")
        }
        let head = try web.get(address, [("Accept", "application/json, */*;q=0.1")]).head
        let word = head.field("odata-version") ?? head.field("dataserviceversion") ?? ""
        return word.hasPrefix("4") ? 4 : 2
    }

    /// OGC API Features, part 2: the coordinates' reference system; never asked for, but some
    /// servers have another one by default, with latitude first.
    private func checkReference(_ answer: WebFetcher.Answer) throws(SyncFailure) {
        guard let reference = answer.head.field("content-crs"),
            !ReferenceSystem.isCRS84(reference)
        else { return }
        throw SyncFailure(.invalid, "coordinates are in \(reference), not in CRS84")
    }

    private mutating func read(_ answer: WebFetcher.Answer) throws(SyncFailure) -> Page {
        var pageReader = PageReader(Self.shape(of: settings))
        do {
            var reader = try answer.body.json(limits: PageReader.limits)
            let page = try pageReader.read(&reader) { entry, _ in try take(entry) }
            if let error = page.error {
                throw SyncFailure(.refused, "an error: \(answer.identity.hidden(in: error))")
            }
            if let returned = page.returned, returned != page.entries {
                throw SyncFailure(
                    .incomplete, "a page of \(page.entries) entries that says \(returned)")
            }
            if let count = page.total {
                guard total == nil || total == count else {
                    throw SyncFailure(.incomplete, "the set has changed while it was read")
                }
                total = count
                guard count <= settings.maxFences else {
                    throw SyncFailure(
                        .overLimit, "\(count) entries, more than \(settings.maxFences) (MaxFences=)"
                    )
                }
            }
            return page
        } catch let failure as SyncFailure {
            throw failure
        } catch let flaw as FlawedPage {
            throw SyncFailure(.invalid, flaw.reason)
        } catch {
            let type = answer.head.field("content-type") ?? "an unknown type"
            throw SyncFailure(.invalid, "the answer (\(type)) cannot be read: \(error)")
        }
    }

    private mutating func take(_ entry: JSONValue) throws(SyncFailure) {
        entries += 1
        let result = writer.result(of: entry)
        let id: String
        switch result {
        case .success(let feature): id = feature.id
        case .failure(let flaw):
            // Without an id it is not known which fence must keep its former version.
            guard let flawed = flaw.id else {
                throw SyncFailure(.invalid, "\(flaw.reason), entry \(entries)")
            }
            id = flawed
        }
        // The hashes of one process: 64 bits, of which nobody outside knows the seed.
        guard ids.insert(ExactText(id).hashValue).inserted else {
            // One that lies across 180° is in both halves.
            if former.contains(ExactText(id).hashValue) { return }
            throw SyncFailure(
                .incomplete,
                "the id \(id) came twice; a server that gives the first page again needs a "
                    + "PageSize= above the number of entries")
        }
        set.count += 1
        guard set.count <= settings.maxFences else {
            throw SyncFailure(.overLimit, "more than \(settings.maxFences) entries (MaxFences=)")
        }
        switch result {
        case .success(let feature):
            set.sum.add(feature.line)
            try spool.write(feature.line)
            for name in feature.strays { strays.note(name, of: feature.fence, entries, .init()) }
        case .failure(let flaw): set.refuse(id, flaw.reason)
        }
    }

    private func checkWhole() throws(SyncFailure) {
        if let total, total != entries {
            throw SyncFailure(.incomplete, "\(entries) entries of \(total)")
        }
    }
}
