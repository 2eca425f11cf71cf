import Bytes
import Testing

// Unsafe: a page of ours, for the length of a test.

/// One page for all: it is the process's.
@Suite("what is in hand", .serialized)
struct InHandTests {
    /// What the next process would find after a crash within `body`. The last page stays in use:
    /// it is never freed.
    private func found(_ body: (_ crash: () -> Void) -> Void) -> InHand.Item? {
        let page = Self.page
        let next = Self.page
        #expect(unsafe InHand.use(page) == nil)
        body { unsafe next.copyMemory(from: page, byteCount: InHand.size) }
        return unsafe InHand.use(next)
    }

    private static var page: UnsafeMutableRawPointer {
        let page = UnsafeMutableRawPointer.allocate(byteCount: InHand.size, alignment: 8)
        unsafe page.initializeMemory(as: UInt8.self, repeating: 0, count: InHand.size)
        return unsafe page
    }

    @Test("a crash leaves the innermost mark, and nothing once the work is done")
    func innermost() {
        let item = found { crash in
            InHand.mark(.call, "ApplyFences") { InHand.mark(.fence, "a/b c") { crash() } }
        }
        #expect(item == InHand.Item(.fence, "a/b c"))
        let outer = found { crash in
            InHand.mark(.file, "depots.geojson") {
                InHand.mark(.fence, "x") {}
                crash()
            }
        }
        #expect(outer == InHand.Item(.file, "depots.geojson"))
        #expect(
            found { crash in
                InHand.mark(.message, "line") {}
                crash()
            } == nil)
    }

    @Test("a mark is gone after an error, and a long name is cut")
    func ends() {
        struct Failure: Error {}
        #expect(
            found { crash in
                try? InHand.mark(.call, "x") { throw Failure() }
                crash()
            } == nil)
        let long = String(repeating: "n", count: 5_000)
        let item = found { crash in InHand.mark(.fence, long) { crash() } }
        #expect(item?.name == String(long.prefix(InHand.longest)))
    }

    @Test("what is refused is found by kind and name")
    func refused() {
        defer { InHand.leaveOut([]) }
        InHand.leaveOut([InHand.Item(.call, "Nothing")])
        #expect(InHand.leavesOut(.call, "Nothing"))
        #expect(!InHand.leavesOut(.message, "Nothing") && !InHand.leavesOut(.call, "Else"))
    }
}
