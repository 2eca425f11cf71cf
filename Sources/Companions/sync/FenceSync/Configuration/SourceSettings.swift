package import HTTP
package import Settings

/// What sources.d/NAME.conf says; see geofenced-sync(8).
package struct SourceSettings: Sendable {
    /// Of the source: that of the file, and of the origin `source/NAME`.
    package let name: String
    /// What kind of service it is.
    package var kind = Kind.odata
    /// Of the service, the collections' parent or the document.
    package var address: WebAddress?
    /// OData's entity set.
    package var entitySet = ""
    /// Collection of an OGC API.
    package var collection = ""
    /// OData's version; nil: found out.
    package var version: Int?
    /// Whether a document is asked for in parts, as a Web Feature Service gives it.
    package var usesStartIndex = false
    /// The whole set, or what is near the vehicle.
    package var mode = Mode.all
    /// Looks are so far apart, s.
    package var everySeconds = 900.0
    /// Before every id.
    package var idPrefix: String
    /// Of a set; more are refused.
    package var maxFences = 50_000
    /// Bytes of all answers together.
    package var maxSize: Int64 = 64 << 20
    /// Pages of a set.
    package var maxPages = 10_000
    /// Entries asked for at a time.
    package var pageSize = 1000
    /// Percent of the fences that may go at once.
    package var maxRemovePercent = 50
    /// Whether an empty answer means that there are no fences.
    package var allowsEmpty = false
    /// Whether a flawed entry refuses the whole set.
    package var refusesInvalid = false
    /// For one request, s.
    package var timeoutSeconds = 600.0
    /// Who asks.
    package var auth = HTTPAuthentication()
    /// Paths in the entries by our names.
    package var fields = FieldMap()
    /// Goes into the filter as it is.
    package var filter = ""
    /// Whether only changes are fetched between two full downloads.
    package var tracksChanges = false

    /// Whether the next set is made from the one before.
    package var needsFormerSet: Bool { tracksChanges || mode == .nearby }

    /// The greatest time between two full downloads, s.
    package var fullEverySeconds = 86_400.0
    /// Of mode nearby.
    package var nearby = Nearby()

    /// Kinds of services.
    package enum Kind: String, Sendable {
        case odata
        case ogcapi
        /// One document.
        case geojson
    }

    /// Which part of a set is on the vehicle.
    package enum Mode: String, Sendable {
        case all
        case nearby
    }

    /// Of mode nearby.
    package struct Nearby: Sendable {
        /// No radius on the server is larger, m.
        package var maxRadius = 5000.0
        /// Asked for around the vehicle, m.
        package var reach = 50_000.0
        /// The place that is asked for is rounded outwards to that, degrees.
        package var grid = 0.1
        /// The field of `geo.distance`; empty for a box of latitudes and longitudes.
        package var distanceField = ""
        /// The server's unit of a distance, m.
        package var distanceUnit = 1.0
        /// No reach is longer, m.
        package static let farthest = 50_000.0

        /// Between two answers, s.
        package var pauseSeconds = 60.0

        package init() {}
    }

    package init(name: String) {
        self.name = name
        idPrefix = "\(name)/"
    }

    /// The origin of its fences.
    package var origin: String { "source/\(name)" }
    /// The name on the bus that may write that origin.
    package var busName: String { "org.geofenced.Sync1.\(name)" }

    /// Whether the credentials that the server needs are there and can be what they are for.
    /// - Throws: what is wrong with the first that is not.
    package func check(_ credentials: Credentials) throws(BadValue) { try auth.check(credentials) }
}
