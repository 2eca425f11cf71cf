import CGlibc
import Glibc

/// What of the program and its libraries is never written, and can be given back. It stays in the
/// page cache; what is needed again is mapped again, at the cost of a minor fault.
///
/// Starting touches most of the program once (reading fences, opening databases, connecting); a fix
/// needs a small part of it, and the box has little memory.
///
/// Not to be kept: a library may be closed, and something else come to where it was.
struct Footprint {
    private var segments: [UnsafeMutableRawBufferPointer] = []

    /// Segments that nobody may write to, the dynamic linker included.
    init() {
        _ = withUnsafeMutablePointer(to: &segments) { segments in
            glibc_each_object(
                { object, _, segments in
                    let segments = segments?.assumingMemoryBound(
                        to: [UnsafeMutableRawBufferPointer].self)
                    guard let object = object?.pointee, isFile(object) else { return 0 }
                    for segment in UnsafeBufferPointer(
                        start: object.dlpi_phdr, count: Int(object.dlpi_phnum))
                    where segment.p_type == PT_LOAD && segment.p_flags & UInt32(PF_W) == 0 {
                        segments?.pointee.append(pages(of: segment, object))
                    }
                    return 0
                }, segments)
        }
    }

    /// "Subsequent accesses of pages in the range will succeed, but will result in … repopulating the
    /// memory contents from the up-to-date contents of the underlying mapped file" (madvise(2)).
    func shrink() {
        for segment in segments { madvise(segment.baseAddress, segment.count, MADV_DONTNEED) }
    }
}

/// The program itself, which has no name here, or a library; not the kernel's own.
private func isFile(_ object: glibc_object) -> Bool {
    guard let name = object.dlpi_name else { return false }
    return name.pointee == 0 || name.pointee == CChar(UInt8(ascii: "/"))
}

private func pages(
    of segment: glibc_segment, _ object: glibc_object
) -> UnsafeMutableRawBufferPointer {
    let first = UInt(object.dlpi_addr) + UInt(segment.p_vaddr)
    let page = first & ~UInt(getpagesize() - 1)
    return UnsafeMutableRawBufferPointer(
        start: UnsafeMutableRawPointer(bitPattern: page),
        count: Int(first - page) + Int(segment.p_memsz))
}
