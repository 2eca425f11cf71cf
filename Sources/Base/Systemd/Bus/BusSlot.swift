import CSystemd

// Unsafe: owns one reference to the slot, and releases it once.

/// An exported object or a match rule. It exists as long as this handle; dropping the handle, even
/// in its own handler, removes it.
@MainActor
@safe package final class BusSlot {
    nonisolated(unsafe) let slot: OpaquePointer
    /// Nil for a match rule.
    let exported: ExportedObject?

    /// Takes ownership of a new slot, and gives it the object that its callback gets as userdata.
    init(adopting slot: OpaquePointer, handler: AnyObject) {
        unsafe self.slot = unsafe slot
        exported = handler as? ExportedObject
        unsafe attach(handler, to: slot)
    }

    deinit { unsafe sd_bus_slot_unref(slot) }
}

/// Makes `slot` keep `handler` alive.
func attach(_ handler: AnyObject, to slot: OpaquePointer) {
    unsafe sd_bus_slot_set_userdata(slot, Unmanaged.passRetained(handler).toOpaque())
    unsafe sd_bus_slot_set_destroy_callback(slot, releaseUserdata)
}
