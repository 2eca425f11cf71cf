import CGlibc
import Glibc

// Unsafe: the loader's list of segments is valid as long as the program runs; pages that are
// released are never written, and read again from their file.

/// The parts of the program and its libraries that are never written, not even by the dynamic
/// linker.
@safe package struct ReadOnlySegments {
    private var pages: [UnsafeMutableRawBufferPointer] = unsafe []
    /// Number of library openings and closings so far.
    private var opened: UInt64 = 0
    private var closed: UInt64 = 0

    package init() {}

    /// Where a library was closed something else may be mapped. Refreshed only then, since that
    /// touches a page of each.
    private mutating func refresh() {
        var now = ReadOnlySegments()
        unsafe withUnsafeMutablePointer(to: &now) { now in
            _ = unsafe glibc_each_object(
                { object, _, now in
                    let now = unsafe now?.assumingMemoryBound(to: ReadOnlySegments.self)
                    guard let now = unsafe now, let object = unsafe object?.pointee else {
                        return 1
                    }
                    unsafe now.pointee.opened = unsafe object.dlpi_adds
                    unsafe now.pointee.closed = unsafe object.dlpi_subs
                    return 1
                }, unsafe now)
            guard
                unsafe pages.isEmpty || now.pointee.opened != opened || now.pointee.closed != closed
            else { return }
            _ = unsafe glibc_each_object(
                { object, _, now in
                    let now = unsafe now?.assumingMemoryBound(to: ReadOnlySegments.self)
                    guard let now = unsafe now, let object = unsafe object?.pointee else {
                        return 1
                    }
                    unsafe now.pointee.add(object)
                    return 0
                }, unsafe now)
            self = unsafe now.pointee
        }
    }

    private mutating func add(_ object: glibc_object) {
        // The program itself has no name here, a library has its path. The rest belongs to the
        // kernel.
        guard let name = unsafe object.dlpi_name,
            unsafe name.pointee == 0 || name.pointee == CChar(UInt8(ascii: "/"))
        else { return }
        let headers = unsafe UnsafeBufferPointer(
            start: object.dlpi_phdr, count: Int(object.dlpi_phnum))
        for index in headers.indices {
            let segment = unsafe headers[index]
            guard segment.p_type == PT_LOAD, segment.p_flags & UInt32(PF_W) == 0 else { continue }
            unsafe add(UInt(object.dlpi_addr) + UInt(segment.p_vaddr), bytes: UInt(segment.p_memsz))
        }
    }

    private mutating func add(_ address: UInt, bytes: UInt) {
        let mask = UInt(getpagesize()) - 1
        var start = address & ~mask
        let end = (address + bytes + mask) & ~mask
        if let last = unsafe pages.last, let base = last.baseAddress,
            UInt(bitPattern: base) < start,
            UInt(bitPattern: base) + UInt(last.count) == start
        {
            start = UInt(bitPattern: base)
            unsafe pages.removeLast()
        }
        unsafe pages.append(
            UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(bitPattern: start), count: Int(end - start)))
    }

    /// To be called when the program is idle, from any of its threads; the others continue to run.
    /// The pages stay in the page cache; a page that is needed is mapped again, at the cost of a
    /// minor fault. "Subsequent accesses of pages in the range will succeed, but will result in …
    /// repopulating the memory contents from the up-to-date contents of the underlying mapped file"
    /// (madvise(2)).
    package mutating func giveBack() {
        refresh()
        for index in unsafe pages.indices {
            let range = unsafe pages[index]
            unsafe madvise(range.baseAddress, range.count, MADV_DONTNEED)
        }
    }
}
