import SharedLimits

/// What the destination takes at once, as it has been found out. Never raised again before the program
/// ends: limits of servers are settings.
struct BatchLimit {
    /// Bytes of several events together.
    private(set) var bytes = SendWindow.largest
    /// Bytes of one event that goes alone.
    private(set) var single = SharedLimits.event

    /// The length up to which an event stays whole where its size is only perhaps the reason.
    private static let certain = 4096

    /// The destination has said what it takes.
    mutating func lower(to said: Int) {
        bytes = min(bytes, said)
        single = min(single, said)
    }

    /// The destination has refused a batch for its size.
    mutating func refuse(_ batch: SendWindow.Batch) {
        if batch.numbers.count > 1 {
            bytes = min(bytes, batch.size / 2)
        } else {
            single = min(single, batch.payload.count - 1)
        }
    }

    /// The connection has ended so often in a row while this was under way; the reason is not known. A
    /// bad network is more likely than a limit: an event stays whole for long.
    mutating func suspect(_ batch: SendWindow.Batch, after ends: Int) {
        if batch.numbers.count > 1 {
            guard ends >= 3 else { return }
            bytes = min(bytes, max(Self.certain, batch.size / 4))
        } else if ends >= 8, batch.payload.count > Self.certain {
            single = min(single, batch.payload.count - 1)
        }
    }

    /// Whether the batch is one event, which the destination does not take.
    func isExceeded(by batch: SendWindow.Batch) -> Bool {
        batch.numbers.count == 1 && batch.payload.count > single
    }
}
