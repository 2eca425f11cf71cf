// Unsafe: a page that stays mapped as long as the process runs; each kind writes within its slot.

/// What the process is working on, where it outlives it: a page of a file, which the next process
/// reads after a crash, to begin without what caused it.
///
/// A mark is a few stores into memory, and no system call. They are set around work that is not
/// trivial: never for a fix that meets no fence. Without a page (in a test, in the tool) they do
/// nothing. For one thread.
@safe package enum InHand {
    /// From the outside in: of marks that are set together, the last one is the cause.
    package enum Kind: String, CaseIterable, Sendable {
        /// A line from a source, the member of a call, the name of a file, the id of a fence, and what
        /// a route is called there.
        case message, call, file, fence, route
    }

    /// Something that was in hand.
    package struct Item: Hashable, Sendable {
        /// What it is.
        package var kind: Kind
        /// Cut at ``InHand/longest`` bytes.
        package var name: String

        package init(_ kind: Kind, _ name: String) {
            self.kind = kind
            self.name = name
        }
    }

    /// Bytes of the page. Each kind stays where it is for the other versions that read it.
    package static let size = Kind.allCases.count * slot
    /// Bytes of the longest name that is kept whole.
    package static let longest = slot - 2
    private static let slot = 1_024

    nonisolated(unsafe) private static var page: UnsafeMutableRawPointer?
    nonisolated(unsafe) private static var leftOut: Set<Item> = []

    /// Sets marks in `page` from now on: ``size`` bytes, aligned to two.
    /// - Returns: what the process before had in hand there; nil if nothing.
    package static func use(_ page: UnsafeMutableRawPointer) -> Item? {
        let found = unsafe item(in: page)
        unsafe page.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        unsafe self.page = unsafe page
        return found
    }

    /// These calls and messages are refused by those who ask ``leavesOut(_:_:)``.
    package static func leaveOut(_ items: Set<Item>) { unsafe leftOut = items }

    /// Whether it was in hand when the process crashed, and is not to be taken again.
    @inline(__always)
    package static func leavesOut(_ kind: Kind, _ name: @autoclosure () -> String) -> Bool {
        guard unsafe !leftOut.isEmpty else { return false }
        return unsafe leftOut.contains(Item(kind, name()))
    }

    /// Runs `body` with a mark.
    @inline(__always)
    package static func mark<Result, Failure: Error>(
        _ kind: Kind, _ name: @autoclosure () -> String, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard unsafe page != nil else { return try body() }
        begin(kind, name())
        defer { end(kind) }
        return try body()
    }

    private static func begin(_ kind: Kind, _ name: String) {
        guard let place = unsafe place(of: kind) else { return }
        var name = name
        name.withUTF8 { bytes in
            let count = min(bytes.count, longest)
            if count > 0, let first = bytes.baseAddress {
                unsafe (place + 2).copyMemory(from: first, byteCount: count)
            }
            // Last: until then nothing is in hand.
            unsafe place.storeBytes(of: UInt16(count), as: UInt16.self)
        }
    }

    private static func end(_ kind: Kind) {
        unsafe place(of: kind)?.storeBytes(of: 0, as: UInt16.self)
    }

    private static func place(of kind: Kind) -> UnsafeMutableRawPointer? {
        unsafe page.map { unsafe $0 + kind.index * slot }
    }

    private static func item(in page: UnsafeMutableRawPointer) -> Item? {
        for kind in Kind.allCases.reversed() {
            let place = unsafe page + kind.index * slot
            let count = min(Int(unsafe place.load(as: UInt16.self)), longest)
            guard count > 0 else { continue }
            let bytes = unsafe UnsafeRawBufferPointer(start: place + 2, count: count)
            return Item(kind, unsafe String(decoding: bytes, as: UTF8.self))
        }
        return nil
    }
}

extension InHand.Kind {
    fileprivate var index: Int {
        switch self {
        case .message: 0
        case .call: 1
        case .file: 2
        case .fence: 3
        case .route: 4
        }
    }
}

extension InHand.Item: CustomStringConvertible {
    /// For the log.
    package var description: String { "\(kind.rawValue) \(name.prefix(100))" }
}
