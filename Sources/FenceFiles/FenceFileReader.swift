import Compression
import Files
import Geodesy
import Glibc
import JSON
package import Model
import XML

// Unsafe: what is copied into a source's memory is limited to its count.

/// Reads fences from a file, one after the other, in memory that does not grow with the file:
/// GeoJSON (a FeatureCollection, a single Feature, one Feature per line, RFC 8142 text sequences),
/// CSV, GPX waypoints, KML and KMZ, each also compressed with gzip, detected from their content.
///
/// Strict callers use ``next()`` and fail at the first problem; callers that report all problems
/// use ``nextEntry()``, and continue after every problem that is not fatal.
package final class FenceFileReader {
    /// One fence of the file, or why it was refused.
    package enum Entry: Sendable {
        case fence(Fence, line: Int, index: Int)
        case refused(FenceFileProblem)
    }

    /// How a file is to be read.
    package struct Options: Sendable {
        /// Radius of points without one, m. Without it they are refused.
        package var radius: Double?
        /// Full width of lines without one, m. Without it they are refused.
        package var width: Double?
        /// The property, column or element whose value is the id of each entry; it also keeps its
        /// own meaning.
        package var idProperty: String?
        /// The property, column or element whose value, a text or a number, is the title of each entry
        /// that has it; it also keeps its own meaning.
        package var titleProperty: String?
        /// If the first entry has no id, all entries without one get an id generated from their
        /// content. Costs some memory for each.
        package var makesIDs: Bool
        /// Refuse a duplicate id. Costs the memory of all ids; a store checks by itself.
        package var refusesTwins: Bool
        /// Look for metadata whose keys are nearly the names of properties. Costs a look at every key.
        package var notesNearMisses: Bool
        /// Accept a file without an entry. Otherwise it is refused: mostly it was cut off, or is no
        /// such file, and what it replaces would be gone.
        package var mayBeEmpty: Bool
        /// Refuse anything but a regular file of at most this many bytes. Without it a pipe is read
        /// as well, to its end.
        package var limit: Int?

        package init(
            radius: Double? = nil, width: Double? = nil, idProperty: String? = nil,
            titleProperty: String? = nil, makesIDs: Bool = false, refusesTwins: Bool = false,
            notesNearMisses: Bool = false, mayBeEmpty: Bool = false, limit: Int? = nil
        ) {
            self.radius = radius
            self.width = width
            self.idProperty = idProperty
            self.titleProperty = titleProperty
            self.makesIDs = makesIDs
            self.refusesTwins = refusesTwins
            self.notesNearMisses = notesNearMisses
            self.mayBeEmpty = mayBeEmpty
            self.limit = limit
        }
    }

    /// For error messages.
    package let name: String
    /// Size of the whole file, if known beforehand: for a progress bar.
    package let size: Int?
    private let input: FenceFileInput
    /// Nil for bytes in memory.
    let descriptor: Int32?
    /// While entries are counted.
    var counting: EntryCount?
    private let options: Options
    /// What it has opened itself.
    private let file: OpenFile?
    private var format: (any FenceFormat)?
    private var ids: Set<FenceKey> = []
    private var madeIDs = MadeIDs()
    /// Whether the first entry had an id.
    private var givesIDs: Bool?
    /// Whether a fence so far has a title.
    package private(set) var hasTitles = false
    private var nearMisses = NearMisses()
    private var strays = NearMisses(areRead: false)
    private var entryCount = 0
    private var fenceCount = 0
    private var axisOrder = AxisOrder()
    private var isOver = false

    /// - Parameters:
    ///   - descriptor: read from its present position; the caller closes it.
    ///   - name: of the file, for error messages.
    package convenience init(descriptor: Int32, name: String, options: Options = Options()) {
        self.init(descriptor, name: name, options, nil)
    }

    /// - Throws: ``FenceFileProblem`` if the file cannot be opened.
    package convenience init(
        path: String, options: Options = Options()
    ) throws(FenceFileProblem) {
        do throws(UnreadableFile) {
            let file =
                if let limit = options.limit { try OpenFile(regular: path, limit: limit) } else {
                    try OpenFile(any: path)
                }
            self.init(file.descriptor, name: path, options, file)
        } catch {
            throw FenceFileProblem(file: path, line: 0, reason: error.description, isFatal: true)
        }
    }

    /// Reads bytes that are in memory already.
    package init(_ bytes: [UInt8], name: String, options: Options = Options()) {
        var rest = bytes[...]
        input = unsafe FenceFileInput { room in
            let count = min(room.count, rest.count)
            unsafe room.copyBytes(from: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
        self.name = name
        self.options = options
        size = bytes.count
        file = nil
        descriptor = nil
    }

    private init(_ descriptor: Int32, name: String, _ options: Options, _ file: OpenFile?) {
        input = FenceFileInput(descriptor: descriptor, limit: options.limit ?? .max)
        self.name = name
        self.options = options
        self.file = file
        self.descriptor = descriptor
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int(status.st_size) : nil
    }

    /// The position in the file.
    package var bytesRead: Int { input.bytesRead }

    /// The number of entries with a generated id.
    package var madeIDCount: Int { madeIDs.count }

    /// Of these, the number of those whose own came before.
    package private(set) var twinCount = 0

    /// Whether an entry that is still to come may get an id, though the first has its own.
    package var mayMakeIDs: Bool { options.makesIDs && (madeIDCount > 0 || format is GPXFences) }

    /// Warnings about all entries so far together.
    package var warnings: [String] {
        (format?.doubts ?? []) + [axisOrder.warning].compactMap(\.self)
    }

    /// Phrases about keys that are nearly those of properties, among the metadata or where nothing is
    /// read, if they are looked for.
    package var nearMissWarnings: [String] {
        nearMisses.warnings(of: fenceCount) + strays.warnings(of: fenceCount)
    }

    /// The next fence; nil at the end.
    /// - Throws: ``FenceFileProblem``, the first of the file; then reading has ended.
    package func next() throws(FenceFileProblem) -> Fence? {
        switch nextEntry() {
        case .fence(let fence, _, _): return fence
        case .refused(let problem):
            isOver = true
            throw problem
        case nil: return nil
        }
    }

    /// The next fence or problem; nil at the end, and after a fatal problem.
    package func nextEntry() -> Entry? {
        guard !isOver else { return nil }
        do {
            let format = try self.format ?? recognised(input)
            self.format = format
            guard let entry = try format.next() else {
                isOver = true
                guard entryCount == 0, !options.mayBeEmpty else { return nil }
                return fatal(0, "no fence in it: \(format.emptiness)")
            }
            entryCount += 1
            return judged(entry)
        } catch let flaw as FileFlaw {
            return fatal(flaw.line, flaw.reason)
        } catch let error as JSONError {
            return fatal(error.position.line, error.reason)
        } catch {
            return fatal(format?.line ?? 0, "\(error)")
        }
    }

    private func judged(_ entry: RawEntry) -> Entry {
        switch entry.outcome {
        case .success(let fence):
            if let area = fence.area { axisOrder.note(area) }
            let givesIDs = self.givesIDs ?? entry.hasID
            self.givesIDs = givesIDs
            if entry.hasID { return admitted(fence, entry) }
            guard options.makesIDs, !givesIDs || entry.isTwin else {
                return .refused(problem(entry, id: nil, "no id"))
            }
            if entry.isTwin { twinCount += 1 }
            var named = fence
            named.id = madeIDs.id(of: fence)
            return admitted(named, entry)
        case .failure(let flaw):
            axisOrder.note(flaw.position)
            return .refused(problem(entry, id: flaw.id, flaw.reason))
        }
    }

    /// Applies the rules common to all formats.
    private func admitted(_ fence: Fence, _ entry: RawEntry) -> Entry {
        var flaw = FenceRules.flaw(fence)
        if flaw == nil, options.refusesTwins, !ids.insert(FenceKey(fence.id)).inserted {
            flaw = "the id came before in this file"
        }
        guard let flaw else {
            note(fence, line: entry.line)
            return .fence(fence, line: entry.line, index: entry.index)
        }
        return .refused(problem(entry, id: fence.id, flaw))
    }

    /// For the remarks about the whole file.
    private func note(_ fence: Fence, line: Int) {
        fenceCount += 1
        hasTitles = hasTitles || !fence.title.isEmpty
        guard options.notesNearMisses else { return }
        format?.forEachOther { nearMisses.note($0, of: fence, line, options) }
        format?.forEachStray { strays.note($0, of: fence, line, options) }
    }

    private func problem(_ entry: RawEntry, id: String?, _ reason: String) -> FenceFileProblem {
        FenceFileProblem(
            file: name, line: entry.line, index: entry.index, id: id, reason: reason)
    }

    private func fatal(_ line: Int, _ reason: String) -> Entry {
        isOver = true
        return .refused(
            FenceFileProblem(file: name, line: line, reason: reason, isFatal: true))
    }

    /// - Parameter mayBePacked: with gzip, which is not read within gzip.
    private func recognised(
        _ input: FenceFileInput, mayBePacked: Bool = true
    ) throws -> any FenceFormat {
        guard let first = try input.peek() else {
            throw FileFlaw(line: 1, reason: "the file is empty")
        }
        if mayBePacked, try input.begins(with: GzipStream.mark) {
            return try recognised(
                input.unpacked(limit: options.limit ?? .max), mayBePacked: false)
        }
        if let reason = OtherFormat.reason(try input.head(64)) {
            throw FileFlaw(line: 1, reason: reason)
        }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: return GeoJSONFences(input, options)
        case UInt8(ascii: "<"): return try recognisedXML(input)
        case UInt8(ascii: "P") where try input.begins(with: ZipMember.mark):
            return try recognisedXML(try keyhole(input))
        default: return try CSVFences(input, options)
        }
    }

    /// The KML file of a KMZ.
    private func keyhole(_ archive: FenceFileInput) throws -> FenceFileInput {
        var others: [String] = []
        do {
            return try archive.member { name in
                others.append(name)
                return name.lowercased().hasSuffix(".kml")
            }
        } catch let error as CompressionError {
            let unknown = "a zip archive without a KML file: unpack it first"
            guard
                let reason = OtherFormat.reason(members: others)
                    ?? (error == .noSuchFile ? unknown : nil)
            else { throw error }
            throw FileFlaw(line: 1, reason: reason)
        }
    }

    private func recognisedXML(_ input: FenceFileInput) throws -> any FenceFormat {
        let pieces = try XMLPieces(input)
        guard let root = pieces.root, case .open(let name, _) = root.piece else {
            throw FileFlaw(line: pieces.line, reason: "XML without an element")
        }
        switch name {
        case "gpx": return GPXFences(pieces, options)
        case "kml": return KMLFences(pieces, options)
        default:
            let element = "neither GPX nor KML: its element is <\(excerpt(name))>"
            throw FileFlaw(line: root.line, reason: OtherFormat.reason(element: name) ?? element)
        }
    }
}

/// A format of fence files. Throws if the rest of the file cannot be read.
protocol FenceFormat: AnyObject {
    /// The current line of the reader.
    var line: Int { get }

    /// What there is in a file without an entry, a phrase.
    var emptiness: String { get }

    /// What is doubtful about the file, phrases.
    var doubts: [String] { get }

    func next() throws -> RawEntry?

    /// Passes on the keys of the last entry that became metadata.
    func forEachOther(_ body: (String) -> Void)

    /// Passes on names of the last entry that stand where nothing is read.
    func forEachStray(_ body: (String) -> Void)
}

extension FenceFormat {
    var doubts: [String] { [] }

    func forEachStray(_ body: (String) -> Void) {}
}

/// An entry as decoded, before the rules common to all formats.
struct RawEntry {
    /// Where it begins, from 1.
    var line: Int
    /// Which it is, from 1.
    var index: Int
    /// Without an id the fence has an empty one.
    var hasID: Bool
    /// It has none since its own came before: an id is made for it alone.
    var isTwin = false
    var outcome: Result<Fence, EntryFlaw>
}

/// Why an entry is refused.
struct EntryFlaw: Error {
    var id: String?
    var reason: String
    /// The first of its positions, if that was read.
    var position: Coordinate?

    /// The same, of an entry with that id.
    func of(_ id: String?) -> EntryFlaw {
        EntryFlaw(id: self.id ?? id, reason: reason, position: position)
    }
}

extension Area {
    /// The area of an entry.
    /// - Throws: ``EntryFlaw`` with the message of the validation.
    init(entry geometry: Geometry) throws(EntryFlaw) {
        do throws(AreaError) {
            try self.init(geometry)
        } catch {
            throw EntryFlaw(reason: error.description, position: geometry.firstPosition)
        }
    }
}

/// Why the rest of a file cannot be read.
struct FileFlaw: Error {
    var line: Int
    var reason: String
}
