import CSystemd

// Unsafe: owns one reference to the slot, and gives it back once.

/// An exported object or a match rule. It is in place as long as this handle lives; dropping it, in
/// its own handler too, takes it away.
@MainActor
@safe package final class BusSlot {
    nonisolated(unsafe) let slot: OpaquePointer
    /// Nil for a match rule.
    let exported: ExportedObject?

    /// Takes over a fresh slot, and gives it the object that its callback finds as userdata.
    init(adopting slot: OpaquePointer, handler: AnyObject) {
        unsafe self.slot = unsafe slot
        exported = handler as? ExportedObject
        unsafe attach(handler, to: slot)
    }

    deinit { unsafe sd_bus_slot_unref(slot) }
}

/// From now on `slot` keeps `handler` alive.
func attach(_ handler: AnyObject, to slot: OpaquePointer) {
    unsafe sd_bus_slot_set_userdata(slot, Unmanaged.passRetained(handler).toOpaque())
    unsafe sd_bus_slot_set_destroy_callback(slot, releaseUserdata)
}
