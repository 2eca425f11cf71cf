import CExpat

// Unsafe: owns the parser, which calls back with texts that end with a zero and are copied at
// once.

/// Reads a document as its bytes come, by expat: what is well-formed, in any encoding that expat
/// knows. A document that declares entities of its own is refused, so that none can blow itself up.
@safe package final class XMLReader {
    /// What a document consists of. Names are without the prefix of their namespace, of which there
    /// are many for the same extension.
    package enum Piece: Hashable, Sendable {
        /// An empty element is opened and closed.
        case open(String, attributes: [String: String])
        case close(String)
        /// All the text up to the next tag, or the beginning of one that is too long.
        case text(String)
    }

    /// A piece and the line on which it ends, from 1.
    package struct Place: Sendable {
        /// The piece itself.
        package var piece: Piece
        /// Line of the document, from 1.
        package var line: Int
    }

    /// Of a longer text its beginning is given, if nothing else is asked for; bytes.
    package static let longestText = 1 << 16
    /// A tag or comment is in memory as a whole, bytes.
    private static let longestToken = 1 << 20
    private static let deepest = 64

    private let parser: XML_Parser
    private let longestText: Int
    private var places: [Place] = []
    private var given = 0
    private var text: [UInt8] = []
    private var depth = 0
    private var bytesTaken = 0
    private var refusal: String?
    private var error: XMLError?

    /// - Parameter longestText: of a text of more bytes its beginning is given.
    package init(longestText: Int = XMLReader.longestText) {
        self.longestText = longestText
        guard let parser = unsafe XML_ParserCreate(nil) else { fatalError("out of memory") }
        unsafe self.parser = unsafe parser
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { user, name, attributes in
                guard let name = unsafe name, let attributes = unsafe attributes else { return }
                unsafe XMLReader.of(user)?.open(name, attributes)
            },
            { user, name in
                guard let name = unsafe name else { return }
                unsafe XMLReader.of(user)?.close(name)
            })
        unsafe XML_SetCharacterDataHandler(parser) { user, bytes, count in
            guard let bytes = unsafe bytes else { return }
            unsafe XMLReader.of(user)?.append(
                UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, hasSubset in
            if hasSubset != 0 { unsafe XMLReader.of(user)?.refuse("a document type of its own") }
        }
    }

    deinit { unsafe XML_ParserFree(parser) }

    private static func of(_ user: UnsafeMutableRawPointer?) -> XMLReader? {
        unsafe user.map { unsafe Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Where the reader stands, from 1.
    package var line: Int { unsafe Int(clamping: geofenced_expat_line(parser)) }

    /// Takes the next bytes, less than 2 GB; none are the end of the document.
    package func feed(_ bytes: Span<UInt8>) {
        guard error == nil else { return }
        // expat reads the given bytes, and keeps none of them when it returns.
        let status = unsafe bytes.withUnsafeBytes { bytes in
            unsafe XML_Parse(
                parser, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count),
                bytes.isEmpty ? 1 : 0)
        }
        bytesTaken += bytes.count
        if status != XML_STATUS_OK {
            let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map {
                unsafe String(cString: $0)
            }
            error = XMLError(
                line: line,
                reason: refusal ?? "not well-formed XML: \(reason ?? "unknown error")")
        } else if unsafe bytesTaken - Int(geofenced_expat_byte(parser)) > Self.longestToken {
            error = XMLError(
                line: line, reason: "a tag or comment of more than \(Self.longestToken) bytes")
        }
    }

    /// The next piece; nil when more bytes are wanted, or at the end of the document.
    package func next() throws(XMLError) -> Place? {
        guard given < places.count else {
            places.removeAll(keepingCapacity: true)
            given = 0
            if let error { throw error }
            return nil
        }
        defer { given += 1 }
        return places[given]
    }

    private func open(
        _ name: UnsafePointer<CChar>, _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) {
        depth += 1
        guard depth <= Self.deepest else {
            return refuse("more than \(Self.deepest) elements inside one another")
        }
        endText()
        var attributes: [String: String] = [:]
        var pair = unsafe pairs
        while let key = unsafe pair[0], let value = unsafe pair[1] {
            unsafe attributes[Self.localName(key)] = unsafe String(cString: value)
            unsafe pair += 2
        }
        unsafe places.append(
            Place(piece: .open(Self.localName(name), attributes: attributes), line: line))
    }

    private func close(_ name: UnsafePointer<CChar>) {
        depth -= 1
        endText()
        unsafe places.append(Place(piece: .close(Self.localName(name)), line: line))
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        unsafe text.append(contentsOf: bytes.prefix(longestText - text.count))
    }

    private func endText() {
        guard !text.isEmpty else { return }
        places.append(Place(piece: .text(String(decoding: text, as: UTF8.self)), line: line))
        text.removeAll(keepingCapacity: true)
    }

    private func refuse(_ reason: String) {
        guard refusal == nil else { return }
        refusal = reason
        unsafe XML_StopParser(parser, 0)
    }

    private static func localName(_ name: UnsafePointer<CChar>) -> String {
        let full = unsafe String(cString: name)
        guard let colon = full.utf8.lastIndex(of: UInt8(ascii: ":")) else { return full }
        return String(full[full.utf8.index(after: colon)...])
    }
}

/// A document that cannot be read on.
package struct XMLError: Error, CustomStringConvertible {
    /// From 1.
    package var line: Int
    /// A phrase without a full stop.
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
}
