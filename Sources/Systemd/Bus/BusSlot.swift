import CSystemd

/// An exported object or a match rule. It is in place as long as this handle lives; dropping it, in
/// its own handler too, takes it away.
@MainActor
package final class BusSlot {
    nonisolated(unsafe) let slot: OpaquePointer
    /// Nil for a match rule.
    let exported: ExportedObject?

    /// Takes over a fresh slot, and gives it the object that its callback finds as userdata.
    init(adopting slot: OpaquePointer, handler: AnyObject) {
        self.slot = slot
        exported = handler as? ExportedObject
        attach(handler, to: slot)
    }

    deinit { sd_bus_slot_unref(slot) }
}

/// From now on `slot` keeps `handler` alive.
func attach(_ handler: AnyObject, to slot: OpaquePointer) {
    sd_bus_slot_set_userdata(slot, Unmanaged.passRetained(handler).toOpaque())
    sd_bus_slot_set_destroy_callback(slot, releaseUserdata)
}
