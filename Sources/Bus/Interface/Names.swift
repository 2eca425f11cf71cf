/// The names of the D-Bus interface. They are stable: each has contained the version from the
/// beginning, and none of them changes.
package enum Geofence1 {
    /// The well-known name of the daemon, and the prefix of everything else.
    package static let name = "org.geofenced.Geofence1"
    /// Object path of the manager.
    package static let path = "/org/geofenced/Geofence1"
    /// Interface of the manager.
    package static let managerInterface = "org.geofenced.Geofence1.Manager"
    /// Interface of a subscription.
    package static let subscriptionInterface = "org.geofenced.Geofence1.Subscription"
    /// Interface of a ranging session.
    package static let rangingInterface = "org.geofenced.Geofence1.RangingSession"
    /// The interface of a durable consumer at ``consumerPath(of:)``.
    package static let consumerInterface = "org.geofenced.Geofence1.Consumer"

    /// What was added since the first version.
    package static let features = [
        "beacons", "consumer-wake", "consumers", "consumers-list", "driver", "event-filters",
        "fence-filters", "ignition", "import", "log-id", "origins", "route", "subscriptions",
        "vehicle",
    ]

    /// Object of the subscription with that number.
    package static func subscriptionPath(_ number: UInt64) -> String {
        "\(path)/subscription/\(number)"
    }

    /// Object path of the ranging session with that number.
    package static func rangingPath(_ number: UInt64) -> String { "\(path)/ranging/\(number)" }

    /// The path of a consumer: its bus name as a path, as in org.freedesktop.Application
    /// (specifications.freedesktop.org/desktop-entry-spec, "D-Bus Activation").
    package static func consumerPath(of busName: String) -> String {
        "/" + busName.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    }

    /// Ids in the filter of one `FindEvents`.
    package static let mostFencesOfEvents = 64

    /// Positions of one `SetRoute`; a longer route comes in several.
    package static let mostPositionsOfPortion = 5_000

    /// The bus name whose owner may change the fences of a named origin without `manage-fences`: of
    /// `source/NAME`, `org.geofenced.Sync1.NAME`; nil for any other.
    package static func writer(of origin: String) -> String? {
        let kind = "source/"
        guard origin.hasPrefix(kind) else { return nil }
        return "org.geofenced.Sync1." + origin.dropFirst(kind.count)
    }

    /// The actions that polkit authorizes.
    package enum Action: String, CaseIterable, Sendable {
        /// Adding, changing and removing fences; composing the window again; reload; consumers
        /// of others.
        case manageFences = "org.geofenced.Geofence1.manage-fences"
        /// Events, presences and fences, which show where the vehicle is and was; consumers and
        /// subscriptions, too.
        case readEvents = "org.geofenced.Geofence1.read-events"
        /// The position, and anything from which it can be computed.
        case readLocation = "org.geofenced.Geofence1.read-location"
        /// The vehicle: its height, and that the driver confirms it.
        case setVehicle = "org.geofenced.Geofence1.set-vehicle"
        /// Who drives.
        case setDriver = "org.geofenced.Geofence1.set-driver"
        /// The route.
        case setRoute = "org.geofenced.Geofence1.set-route"
        /// Reading which beacons are near, which shows where the vehicle is and uses the radio.
        case rangeBeacons = "org.geofenced.Geofence1.range-beacons"
        /// Setting by hand whether the vehicle is inside a beacon fence.
        case statePresence = "org.geofenced.Geofence1.state-presence"

        /// Whether it lets a program read what not everybody may.
        package var isAboutReading: Bool {
            switch self {
            case .manageFences, .readEvents, .readLocation, .rangeBeacons: true
            case .setVehicle, .setDriver, .setRoute, .statePresence: false
            }
        }

        /// Whether members of the group `geofenced-read` have it.
        package var changesNothing: Bool { self == .readEvents || self == .readLocation }

        /// The key in `Authorization`.
        package var key: String {
            String(rawValue.dropFirst(Geofence1.name.utf8.count + 1))
        }
    }

    /// Errors of its own, besides those of org.freedesktop.DBus.Error.
    package enum Failure: String, CaseIterable, Sendable {
        case noSuchFence = "NoSuchFence"
        case invalidArea = "InvalidArea"
        case tooManyFences = "TooManyFences"
        case quotaExceeded = "QuotaExceeded"
        case tooManyRemoved = "TooManyRemoved"
        case generationChanged = "GenerationChanged"
        case noFix = "NoFix"
        case notAuthorized = "NotAuthorized"
        case degraded = "Degraded"

        /// The D-Bus name: `org.geofenced.Geofence1.Error.NoFix`.
        package var name: String { "\(Geofence1.name).Error.\(rawValue)" }
    }

    /// Added to a presence: the position has been lost since it was judged, or the position of a
    /// dry run is too near the boundary to be certain.
    package static let uncertain: UInt32 = 256
}
