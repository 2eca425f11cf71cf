package import Law
package import Time

/// The settings of the service.
package struct MonitoringSettings: Sendable {
    /// The settings of the law.
    package var engine = EngineSettings()
    /// The vehicle, as the administrator knows it.
    package var vehicle = VehicleSettings()
    /// Events that may wait in memory while the disk is full.
    package var queueLimit = 10_000
    /// Fences in the catalogue.
    package var fenceLimit = 2_000_000
    /// Of them, those of one named origin.
    package var originShare = FenceShare.percent(25)
    /// The last position is written at most once in this time.
    package var positionInterval = TimeSpan.seconds(60)
    /// And only if it is this far from the last one written, m.
    package var positionStep = 100.0

    package init() {}

    /// Fences of one named origin.
    var originLimit: Int { originShare.limit(of: fenceLimit) }
}
