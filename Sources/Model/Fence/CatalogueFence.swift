/// A fence and its origin.
package struct CatalogueFence: Hashable, Sendable {
    /// The fence as it is stored.
    package var fence: Fence
    /// The origin that may change it.
    package var origin: FenceOrigin

    package init(fence: Fence, origin: FenceOrigin) {
        self.fence = fence
        self.origin = origin
    }
}
