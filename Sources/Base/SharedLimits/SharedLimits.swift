/// What one program accepts and another one has to take: everything that has a limit on both sides of a
/// file, a bus, a broker or a database has it here. Lengths are bytes of UTF-8.
package enum SharedLimits {
    // MARK: Fences, wherever they come from

    /// Of an id, which is not empty either.
    package static let fenceID = 255
    /// Of a title.
    package static let fenceTitle = 1_024
    /// Of a description.
    package static let fenceDescription = 65_536
    /// Of the metadata as JSON; it comes back on every event of its fence.
    package static let fenceMetadata = 65_536
    /// Nesting of a value in the metadata that leaves the vehicle.
    package static let metadataDepth = 32

    // MARK: Between a box and its office

    /// Names of tenants, boxes and kinds of events.
    package static let name = 64
    /// Of the id of a driver.
    package static let driverID = 128
    /// Events of one message, and under way.
    package static let events = 64
    /// Several events in one message; one that is larger goes alone.
    package static let batch = 128 << 10
    /// What an event has beside number, kind, fence, title and times: the metadata, and as much again.
    package static let eventDetails = 128 << 10
    /// One event.
    package static let event = 160 << 10
    /// A message of events.
    package static let message = 512 << 10
    /// A packet of a broker for an office.
    package static let packetToOffice = 1 << 20
    /// A packet of a broker for a box.
    package static let packetToBox = 64 << 10
    /// An acknowledgement.
    package static let acknowledgement = 16 << 10
    /// Ranges of numbers in an acknowledgement.
    package static let ranges = 256
    /// The status of a box.
    package static let status = 16 << 10
    /// A position between events.
    package static let position = 1 << 10
    /// Sources of fences in a status.
    package static let sources = 64

    // MARK: What an office keeps of one box, beyond what is older than the retention

    /// Messages that were set aside, and bytes of them.
    package static let setAside = (count: 1_000, bytes: 16 << 20)
    /// Events that each ingest takes at once, and in a minute then.
    package static let eventsOfBox = (burst: 100_000, minute: 6_000)
    /// Logs, with what is missing of each.
    package static let logs = 64
    /// Drivers whom it alone has named.
    package static let drivers = 1_000
    /// Places, with whether it is there.
    package static let presences = 50_000

    // MARK: In the vehicle

    /// The most that its odometer is believed to show, m: ten million kilometres.
    package static let odometer = 1e10
    /// What geofenced-sync writes of a source, and other programs read.
    package static let sourceState = 1 << 16
}
