import Files
import JSON
import SharedLimits

/// What is remembered of a source between two looks, `state.json` of its state directory. Losing it
/// costs one import of an unchanged set.
package struct SourceState: Equatable, Sendable {
    /// Of the configuration that it is about; with another one it starts empty.
    package var configuration = ""
    /// ``SetSum`` of the set that is in the catalogue; empty: none.
    package var sum = ""
    /// Fences of that set.
    package var count = 0
    /// The daemon's digest of it; empty: it was not asked.
    package var stored = ""
    /// Validators of the document, for a conditional request.
    package var etag = ""
    /// As the server wrote it.
    package var lastModified = ""
    /// The link to changes since that set; empty if there is none.
    package var deltaLink = ""
    /// When a full set was last fetched, s since 1970; 0: never.
    package var wholeAt: Int64 = 0
    /// OData's version, as it was found out; 0: it was not.
    package var version = 0
    /// State word, and its reason.
    package var state = SyncState.fetching
    /// For people; empty if there is nothing to say.
    package var detail = ""
    /// ``SetSum`` of a set that waits for a person's agreement; empty: none.
    package var held = ""
    /// When the source last answered with the whole set, s since 1970; 0: never.
    package var checkedAt: Int64 = 0
    /// When the set was stored, s since 1970; 0: never.
    package var importedAt: Int64 = 0
    /// When the last look was, s since 1970; 0: never.
    package var triedAt: Int64 = 0
    /// Failures since the last success.
    package var failures = 0
    /// No look before that, s since 1970.
    package var notBefore: Int64 = 0
    /// When the next look is due, for others, s since 1970; 0: none is.
    package var nextAt: Int64 = 0

    private static let longest = SharedLimits.sourceState

    package init() {}

    /// The next look fetches all of it, and gives it to the daemon.
    mutating func forgetSet() {
        sum = ""
        etag = ""
        lastModified = ""
        deltaLink = ""
    }

    /// The state of `path`; a new one if it is not there or cannot be read.
    package static func load(_ path: String) -> SourceState {
        var state = SourceState()
        guard let bytes = read(path),
            let json = try? JSONValue(parsing: bytes), json["v"]?.integer == 1
        else { return state }
        for (name, field) in texts { state[keyPath: field] = json[name]?.string ?? "" }
        for (name, field) in times { state[keyPath: field] = json[name]?.integer ?? 0 }
        for (name, field) in counts {
            state[keyPath: field] = Int(clamping: max(0, json[name]?.integer ?? 0))
        }
        state.state = json["state"]?.string.flatMap(SyncState.init(rawValue:)) ?? .fetching
        return state
    }

    /// Whether the status that was last published is that of a look that has begun: where no other
    /// look has the lock, that one was killed. It is not told by what is remembered, which outlasts
    /// a power cut: that is nobody's fault.
    /// - Parameter path: of the status.
    package static func isFetching(_ path: String) -> Bool {
        guard let bytes = read(path),
            let json = try? JSONValue(parsing: bytes)
        else { return false }
        return json["state"]?.string == SyncState.fetching.rawValue
    }

    /// Replaces the file, whole or not at all.
    package func save(_ path: String) throws(SyncFailure) {
        try write(text(of: Self.texts), to: path, mode: 0o600)
    }

    /// Writes what others may know, for `geofencectl status` and for the retained status of a box:
    /// boxes with the same set have the same sum. Who reads it sees whether the daemon still has what it
    /// was given, and whether the source is still there.
    /// - Parameter file: the path of its configuration.
    package func publish(
        _ path: String, source: String, file: String
    ) throws(SyncFailure) {
        let told = Self.texts.filter { ["held", "detail", "sum", "stored"].contains($0.name) }
        try write(text(of: told, (source, file)), to: path, mode: 0o644)
    }

    /// Whether a status is published there.
    package static func isPublished(_ path: String) -> Bool { read(path) != nil }

    private static func read(_ path: String) -> [UInt8]? {
        try? OpenFile.contents(of: path, limit: longest, followsLinks: false)
    }

    private func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(SyncFailure) {
        try SyncFailure.storing(path) { () throws(Errno) in
            try Replacement.write(bytes, to: path, mode: mode)
        }
    }

    private typealias Field<Value> = (
        name: String, field: any WritableKeyPath<SourceState, Value> & Sendable
    )

    private static let texts: [Field<String>] = [
        ("configuration", \.configuration), ("sum", \.sum), ("etag", \.etag),
        ("last_modified", \.lastModified), ("delta_link", \.deltaLink), ("detail", \.detail),
        ("held", \.held), ("stored", \.stored),
    ]

    private static let times: [Field<Int64>] = [
        ("checked_at", \.checkedAt), ("imported_at", \.importedAt), ("tried_at", \.triedAt),
        ("not_before", \.notBefore), ("whole_at", \.wholeAt), ("next_at", \.nextAt),
    ]

    private static let counts: [Field<Int>] = [
        ("fences", \.count), ("version", \.version), ("failures", \.failures),
    ]

    private func text(
        of texts: [Field<String>], _ source: (name: String, file: String)? = nil
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(1)
        if let source {
            json.key("source")
            json.string(source.name)
            json.key("file")
            json.string(source.file)
        }
        json.key("state")
        json.string(state.rawValue)
        for (name, field) in texts {
            json.key(name)
            json.string(self[keyPath: field])
        }
        for (name, field) in Self.times {
            json.key(name)
            json.integer(self[keyPath: field])
        }
        for (name, field) in Self.counts {
            json.key(name)
            json.integer(self[keyPath: field])
        }
        json.endObject()
        json.endLine()
        return json.bytes
    }
}
