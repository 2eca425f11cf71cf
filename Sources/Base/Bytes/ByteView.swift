import Glibc

/// Bytes lent for the duration of a call, read-only. Every access is checked, in a release build
/// too: an access beyond the end traps.
///
/// Unsafe: it points to memory that it does not own. Only the owner of the memory makes one, for
/// the duration of a closure or of a loop turn that it documents, and no access leaves `0..<count`.
@safe @usableFromInline package struct ByteView: RandomAccessCollection {
    @usableFromInline let start: UnsafeRawPointer?
    @usableFromInline package let count: Int

    /// The caller guarantees that the memory lives as long as the view.
    @unsafe @inlinable package init(lending bytes: UnsafeRawBufferPointer) {
        unsafe start = bytes.baseAddress
        count = bytes.count
    }

    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { count }

    @inlinable package subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index < count, "a byte beyond the end")
        // A view with a byte has a start.
        return unsafe start.unsafelyUnwrapped.load(fromByteOffset: index, as: UInt8.self)
    }

    /// A part of it, whose first byte has index 0. Traps when out of bounds.
    @inlinable package func part(_ range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a part beyond the end")
        guard let start = unsafe start else { return self }
        return unsafe ByteView(
            lending: UnsafeRawBufferPointer(
                start: start + range.lowerBound, count: range.upperBound - range.lowerBound))
    }

    /// From that byte to the end.
    @inlinable package func part(from first: Int) -> ByteView { part(first..<count) }

    /// A little-endian number that begins at that byte; traps when out of bounds.
    @inlinable package func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Value.Type = Value.self
    ) -> Value {
        precondition(
            offset >= 0 && offset <= count - MemoryLayout<Value>.size, "a number beyond the end")
        return unsafe Value(
            littleEndian: start.unsafelyUnwrapped.loadUnaligned(
                fromByteOffset: offset, as: type))
    }

    /// The first index of that byte, at or after `first`.
    package func firstIndex(of byte: UInt8, from first: Int) -> Int? {
        precondition(first >= 0 && first <= count, "a search from beyond the end")
        guard let start = unsafe start,
            let found = unsafe memchr(start + first, Int32(byte), count - first)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - start
    }

    /// Below 0 when this sorts before `other` byte by byte, 0 when one is a prefix of the other.
    package func order(with other: ByteView) -> Int {
        guard let start = unsafe start, let its = unsafe other.start else { return 0 }
        return unsafe Int(memcmp(start, its, Swift.min(count, other.count)))
    }

    /// Decoded as UTF-8; invalid bytes become U+FFFD.
    package var text: String {
        unsafe String(
            decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Decoded as UTF-8; nil where it is none.
    package var validText: String? {
        // Not by String(validating:), whose generic code looks up its types at each call.
        guard
            let text = try? unsafe UTF8Span(
                validating: UnsafeRawBufferPointer(start: start, count: count)
                    .assumingMemoryBound(to: UInt8.self).span)
        else { return nil }
        return String(copying: text)
    }

    /// For APIs that take a pointer and a count: C, and copies.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }

    @usableFromInline package func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try unsafe body(
            UnsafeRawBufferPointer(start: start, count: count).assumingMemoryBound(to: UInt8.self))
    }
}

extension ByteView {
    package static func == (a: ByteView, b: ByteView) -> Bool {
        a.count == b.count && a.order(with: b) == 0
    }
}

extension Array where Element == UInt8 {
    /// Lends the bytes for the duration of the call.
    @inlinable package func withByteView<Result>(
        _ body: (ByteView) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafeBytes { try unsafe body(ByteView(lending: $0)) }
    }
}

extension ArraySlice where Element == UInt8 {
    /// Lends the bytes for the duration of the call.
    @inlinable package func withByteView<Result>(
        _ body: (ByteView) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafeBytes { try unsafe body(ByteView(lending: $0)) }
    }
}

extension String {
    /// Lends the text as UTF-8 for the duration of the call.
    package func withByteView<Result>(_ body: (ByteView) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { bytes in
            try unsafe body(ByteView(lending: UnsafeRawBufferPointer(bytes)))
        }
    }
}

extension StaticString {
    /// Its bytes, which stay valid for ever.
    package var byteView: ByteView {
        unsafe ByteView(
            lending: UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
    }
}
