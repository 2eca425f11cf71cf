import XML

// Unsafe: the reader fills an array of ours within its given length.

/// The pieces of an XML file, and its outermost element, which identifies the format.
final class XMLPieces {
    private let input: FenceFileInput
    private let reader: XMLReader
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    private var isAtEnd = false
    /// The outermost element, and where it begins; nil in a file without elements.
    private(set) var root: XMLReader.Place?

    /// Bytes of text between two tags: the coordinates of the largest polygon. Longer text is
    /// truncated.
    static let longestText = 8 << 20

    /// Reads to the outermost element.
    init(_ input: FenceFileInput) throws {
        self.input = input
        reader = XMLReader(longestText: Self.longestText)
        while let place = try next() {
            guard case .open = place.piece else { continue }
            root = place
            return
        }
    }

    /// The current line of the reader, from 1.
    var line: Int { reader.line }

    /// The next entry begins, or is searched for.
    func beginEntry() { input.beginEntry() }

    /// Nil at the end of the file.
    func next() throws -> XMLReader.Place? {
        while true {
            do {
                if let place = try reader.next() { return place }
            } catch {
                throw FileFlaw(line: error.line, reason: error.reason)
            }
            guard !isAtEnd else { return nil }
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe input.read(into: $0) }
            isAtEnd = count == 0
            reader.feed(buffer.span.extracting(first: count))
        }
    }

    /// The same, where the file must not end yet.
    func inside() throws -> XMLReader.Place {
        guard let place = try next() else {
            throw FileFlaw(line: line, reason: "the text ends too early")
        }
        return place
    }
}
