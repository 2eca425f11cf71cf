import CZlib

// Unsafe: a source fills the room it is given, and no count beyond it is believed.

/// One file of a zip archive (APPNOTE.TXT 6.3), read from the front of the archive as its bytes
/// come: the first whose name will do. What it unpacks to is bounded by what it is packed in.
@safe package final class ZipMember {
    /// What an archive begins with.
    package static let mark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    /// Files in front of the one that is looked for.
    private static let mostMembers = 10_000

    /// Fills the front of the room and returns how many bytes it wrote; 0 is the end.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    private let source: Source
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var waiting = 0..<0
    private var header = ZipHeader()
    private var inflater: Inflater?
    /// Of a file that is stored, bytes still to come.
    private var left = 0
    private var packed = 0
    private var unpacked = 0
    private var checksum: UInt = 0
    private var isOver = false

    /// Finds the file.
    /// - Throws: ``CompressionError``, and what the source throws.
    package init(_ source: @escaping Source, where isWanted: (String) -> Bool) throws {
        unsafe self.source = unsafe source
        for _ in 0..<Self.mostMembers {
            guard let header = try nextHeader() else {
                throw CompressionError.noSuchFile
            }
            self.header = header
            try begin()
            if isWanted(header.name) { return }
            try passOver()
        }
        throw CompressionError("more than \(Self.mostMembers) files in the zip archive")
    }

    /// Fills the front of the room and gives how many bytes that are; 0 at the end of the file.
    /// - Throws: ``CompressionError``, and what the source throws.
    package func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        while !isOver, room.count > 0 {
            let given = try unsafe inflater == nil ? copy(into: room) : inflate(into: room)
            unpacked += given
            try CompressionError.check(unpacked: unpacked, from: packed)
            unsafe checksum = crc32(
                checksum, room.bindMemory(to: UInt8.self).baseAddress, UInt32(clamping: given))
            if inflater?.isAtEnd ?? (left == 0) { try end() }
            if given > 0 { return given }
        }
        return 0
    }

    private func begin() throws {
        (packed, unpacked, checksum, isOver) = (0, 0, 0, false)
        inflater = nil
        guard !header.isEncrypted else { throw CompressionError("an encrypted zip archive") }
        switch header.method {
        case .deflated: inflater = try Inflater(.none)
        case .stored:
            guard !header.hasDescriptor else {
                throw CompressionError("a zip archive that does not say where its files end")
            }
            left = header.packedSize
        case .other(let number):
            throw CompressionError("a zip archive packed by method \(number)")
        }
    }

    /// The rest of the present file.
    private func passOver() throws {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while try unsafe room.withUnsafeMutableBytes({ try unsafe read(into: $0) }) > 0 {}
    }

    private func copy(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        guard left > 0 else { return 0 }
        try fill()
        let count = min(left, waiting.count, room.count)
        unsafe room.copyBytes(from: buffer[waiting.prefix(count)])
        use(count)
        left -= count
        return count
    }

    private func inflate(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let inflater else { return 0 }
        try fill()
        let (taken, given) = try unsafe inflater.inflate(buffer[waiting], into: room)
        use(taken)
        return given
    }

    /// What stands behind the data: the sizes, where they are not in front.
    private func end() throws {
        isOver = true
        var promised = header.checksum
        if header.hasDescriptor {
            var bytes = try take(4)
            if bytes.number == ZipHeader.descriptorMark { bytes = try take(4) }
            promised = bytes.number
            _ = try take(8)
        }
        guard UInt(promised) == checksum else {
            throw CompressionError("a file of the zip archive is damaged")
        }
    }

    /// Nil at the end of the files.
    private func nextHeader() throws -> ZipHeader? {
        guard try take(4) == Self.mark else { return nil }
        var header = ZipHeader(try take(ZipHeader.length))
        header.name = String(decoding: try take(header.nameLength), as: UTF8.self)
        _ = try take(header.extraLength)
        guard header.packedSize < UInt32.max else {
            throw CompressionError("a zip archive with a file of 4 GiB")
        }
        return header
    }

    private func take(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            try fill()
            let part = min(count - bytes.count, waiting.count)
            bytes += buffer[waiting.prefix(part)]
            use(part)
        }
        return bytes
    }

    private func use(_ count: Int) {
        waiting = waiting.lowerBound + count..<waiting.upperBound
        packed += count
    }

    /// Sees to it that bytes are waiting.
    private func fill() throws {
        guard waiting.isEmpty else { return }
        let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe source($0) }
        guard count > 0, count <= buffer.count else {
            throw CompressionError("a zip archive that ends too early")
        }
        waiting = 0..<count
    }
}

/// What stands in front of each file (section 4.3.7).
private struct ZipHeader {
    enum Method { case stored, deflated, other(UInt32) }

    var isEncrypted = false
    /// Checksum and sizes stand behind the data.
    var hasDescriptor = false
    var method = Method.stored
    var checksum: UInt32 = 0
    var packedSize = 0
    var nameLength = 0
    var extraLength = 0
    var name = ""

    /// Behind the mark.
    static let length = 26
    static let descriptorMark: UInt32 = 0x0807_4B50

    init() {}

    init(_ bytes: [UInt8]) {
        isEncrypted = bytes[2..<4].number & 1 != 0
        hasDescriptor = bytes[2..<4].number & 8 != 0
        method =
            switch bytes[4..<6].number {
            case 0: .stored
            case 8: .deflated
            case let number: .other(number)
            }
        checksum = bytes[10..<14].number
        packedSize = Int(bytes[14..<18].number)
        nameLength = Int(bytes[22..<24].number)
        extraLength = Int(bytes[24..<26].number)
    }
}

extension Sequence<UInt8> where Self: BidirectionalCollection {
    /// Little-endian.
    fileprivate var number: UInt32 { reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
