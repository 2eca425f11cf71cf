import Files
import Glibc

/// Counts the entries of a file of fences without reading them, so that one with far too many is refused
/// before it costs anything. GeoJSON and CSV, not packed: of any other file, and of one that is odd, it
/// counts fewer than there are, never more than the reader would find.
struct EntryCount {
    /// The shortest entries that there are, bytes: `a,0,0,1` and a Feature with a point.
    private static let (shortestRow, shortestFeature) = (8, 60)
    private static let portion = 1 << 16

    private let file: OpenFile
    private var offset: Int
    private let limit: Int
    private var scan: Scan?

    private enum Scan {
        case rows(RowScan)
        case features(FeatureScan)
    }

    /// Nil where the file cannot have more entries than `limit`.
    /// - Parameter descriptor: of a regular file, at the position from which it is read.
    init?(_ descriptor: Int32, size: Int, limit: Int) {
        let start = lseek(descriptor, 0, SEEK_CUR)
        guard start >= 0, (size - Int(start)) / Self.shortestRow > limit else { return nil }
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return nil }
        file = OpenFile(owning: own)
        self.limit = limit
        offset = Int(start)
        guard let head = try? file.bytes(at: offset, count: 256) else { return nil }
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        switch text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case nil, UInt8(ascii: "<"), UInt8(ascii: "P"), UInt8(ascii: "["), 0x1F, 0, 0xFE, 0xFF:
            return nil
        case UInt8(ascii: "{"), 0x1E:
            guard (size - offset) / Self.shortestFeature > limit else { return nil }
            scan = .features(FeatureScan())
        default: scan = .rows(RowScan(headers: CSVColumns.namesSeparator(text) ? 2 : 1))
        }
    }

    /// Whether there are more than the limit; nil if the time was up before that is known.
    mutating func isBeyond(until isTimeUp: () -> Bool) -> Bool? {
        while let bytes = try? file.bytes(at: offset, count: Self.portion), !bytes.isEmpty {
            offset += bytes.count
            switch scan {
            case .rows(var rows):
                guard rows.read(bytes) else { return false }
                scan = .rows(rows)
                if rows.count > limit { return true }
            case .features(var features):
                features.read(bytes)
                scan = .features(features)
                if features.count > limit { return true }
            case nil: return false
            }
            if isTimeUp() { return nil }
        }
        return false
    }

    /// Rows of CSV below the header, while none has a quote, between which a line may end.
    private struct RowScan {
        /// Lines before the first row.
        let headers: Int
        private var lines = 0
        private var isBlank = true

        init(headers: Int) { self.headers = headers }

        var count: Int { lines - headers }

        /// False at the first quote.
        mutating func read(_ bytes: [UInt8]) -> Bool {
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "\""): return false
                case 0x0A, 0x0D:
                    if !isBlank { lines += 1 }
                    isBlank = true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
                    isBlank = false
                // A row of separators and blanks alone is none.
                default: break
                }
            }
            return true
        }
    }

    /// Objects in the array `features` of the outermost object, or else outermost objects.
    private struct FeatureScan {
        private static let key = Array("features".utf8)
        private var depth = 0
        private var isInText = false
        private var isEscaped = false
        /// The last text of the outermost object, as far as it may be the key.
        private var text: [UInt8] = []
        private var isInFeatures = false
        private var features = 0
        private var objects = 0

        var count: Int { features > 0 ? features : objects }

        mutating func read(_ bytes: [UInt8]) {
            for byte in bytes {
                if isInText {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInText = false
                        continue
                    }
                    if depth == 1, text.count <= Self.key.count { text.append(byte) }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""):
                    isInText = true
                    if depth == 1 { text.removeAll(keepingCapacity: true) }
                case UInt8(ascii: "{"):
                    if depth == 0 { objects += 1 }
                    if depth == 2, isInFeatures { features += 1 }
                    depth += 1
                case UInt8(ascii: "["):
                    if depth == 1 { isInFeatures = text == Self.key }
                    depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
        }
    }
}

extension FenceFileReader {
    /// Whether the file certainly has more entries than that, looked for without reading them; nil if the
    /// time was up before that is known, and then it must be called again. Before the first entry.
    package func hasMore(than limit: Int, until isTimeUp: () -> Bool) -> Bool? {
        guard let size, let descriptor else { return false }
        if counting == nil { counting = EntryCount(descriptor, size: size, limit: limit) }
        return counting == nil ? false : counting?.isBeyond(until: isTimeUp)
    }
}
