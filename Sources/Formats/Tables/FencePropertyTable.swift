import Model
import Time

/// Every property of a fence, once. The readers and writers of GeoJSON, CSV, KML and the bus use
/// this table; tests check that the catalogue's record stores each of them, that `show` shows it
/// and that the manual pages name it.
extension FenceProperty {
    /// Parts first, then fields.
    package static let all: [FenceProperty] = parts + fields

    /// Those that are a field of ``Fence``, in the order of output.
    package static let fields: [FenceProperty] = ofFences + ofTerms

    /// The properties that fences with an area and beacon fences may have.
    package static let ofFences: [FenceProperty] = [
        title, description,
        FenceProperty(
            "dwell",
            otherPrograms: [
                "dwell_sec", "dwell_seconds", "dwell_time", "loitering", "loitering_delay",
                "loitering_delay_ms", "loitering_sec", "loitering_time",
            ],
            [.feature, .column, .bus],
            .span(.init(usual: .zero, get: { $0.dwell }, set: { $0.dwell = $1 })),
            "How long a stay must last for a dwell event; with 0 or less there is none."),
        FenceProperty(
            "notify_on_entry", [.feature, .column, .bus],
            .flag(.init(usual: true, get: { $0.notifyOnEntry }, set: { $0.notifyOnEntry = $1 })),
            "Whether enter and initial are announced."),
        FenceProperty(
            "notify_on_exit", [.feature, .column, .bus],
            .flag(.init(usual: true, get: { $0.notifyOnExit }, set: { $0.notifyOnExit = $1 })),
            "Whether exit is announced."),
        FenceProperty(
            "initial_enter", [.feature, .column, .bus],
            .flag(.init(usual: false, get: { $0.initialEnter }, set: { $0.initialEnter = $1 })),
            "Found inside at the first look: an enter instead of an initial."),
    ]

    /// The name for people.
    package static let title = FenceProperty(
        "title", aliases: ["name"], [.feature, .column, .bus],
        .text(.init(usual: "", get: { $0.title }, set: { $0.title = $1 })), "Its name for people.")
    /// What it is.
    package static let description = FenceProperty(
        "description", otherPrograms: ["desc", "comment"], [.feature, .column, .bus],
        .text(.init(usual: "", get: { $0.description }, set: { $0.description = $1 })),
        keepsSpace: true, "What it is.")

    /// Those that form id, area and metadata.
    package static let parts: [FenceProperty] =
        [id, latitude, longitude, radius, width, geometry]
        + [approach] + ofApproaches + [beacon] + ofBeacons + [metadata, origin]

    /// Of the fence.
    package static let id = FenceProperty(
        "id", [.feature, .column], .part(.text),
        "Which fence it is: text, or a number as its digits, of at most 255 bytes.")
    /// Of a circle's centre.
    package static let latitude = FenceProperty(
        "latitude", aliases: ["lat"], otherPrograms: ["y", "lat_deg", "lat_wgs84", "gps_lat"],
        [.column, .bus], .part(.number),
        "Of the centre of a circle, degrees.")
    /// Of a circle's centre.
    package static let longitude = FenceProperty(
        "longitude", aliases: ["lon", "lng", "long"],
        otherPrograms: [
            "x", "lon_deg", "long_deg", "lon_wgs84", "long_wgs84", "gps_lon", "gps_lng",
        ],
        [.column, .bus], .part(.number),
        "Of the centre of a circle, degrees.")
    /// Of a circle.
    package static let radius = FenceProperty(
        "radius",
        otherPrograms: [
            "radius_m", "radius_meters", "radius_metres", "radius_in_m", "radius_in_meters",
            "radius_in_metres", "radius_km", "radius_ft", "rad", "geofence_radius",
            "proximity_alarm",
        ],
        [.feature, .column, .bus], .part(.number), "Of a circle, metres.")
    /// Of a corridor.
    package static let width = FenceProperty(
        "width", otherPrograms: ["width_m", "width_meters", "width_metres"], [.feature, .bus],
        .part(.number),
        "The full width of a corridor, metres.")
    /// Of any area, as text.
    package static let geometry = FenceProperty(
        "geometry", [.bus], .part(.text),
        "The text of a GeoJSON geometry, of what is no circle.")
    /// What makes a fence a hazard with an approach.
    package static let approach = FenceProperty(
        "approach", [.feature, .bus], .part(.text),
        "Of a hazard, how it is reached: corridor, along the lines of a MultiLineString, or cone, "
            + "towards a Point; on the bus, the text of an object with this and the properties of "
            + "approaches.")
    /// Those that count only beside ``approach``.
    package static let ofApproaches = [
        FenceProperty(
            "direction_deg", [.feature], .part(.number),
            "Of a cone, the course of the road, degrees true."),
        limits,
        FenceProperty(
            "legs", [.feature], .part(.object),
            "Of a corridor, an array: of each line metres to go, chance, next leg, last way out."),
        FenceProperty(
            "section", [.feature], .part(.object),
            "Of a corridor, an array: the lines of the restricted section."),
        FenceProperty(
            "rivals", [.feature], .part(.object),
            "Of a corridor, an array: lines near a leg that are no leg."),
    ]
    /// What a hazard lets pass.
    package static let limits = FenceProperty(
        "limits",
        otherPrograms: [
            "maxheight", "height", "height_limit", "clearance", "vertical_clearance", "maxwidth",
            "maxlength", "maxweight", "maxaxleload",
        ],
        [.feature], .part(.object), "Of a hazard, what it lets pass.")
    /// The property that makes a fence a beacon fence, without an area.
    package static let beacon = FenceProperty(
        "beacon", [.feature, .bus], .part(.object),
        "Instead of an area, whose beacons are heard: uuid, and maybe major and minor; or namespace, "
            + "and maybe instance; beside a geometry that is null.")
    /// The properties that count only beside ``beacon``.
    package static let ofBeacons = [
        FenceProperty(
            "sightings", [.feature, .bus], .part(.number),
            "Of beacons, how many sightings open a stay, 1 to 10; 2 where it is not given."),
        FenceProperty(
            "min_rssi", [.feature, .bus], .part(.number),
            "Of beacons, how strong a sighting must be to open a stay, dBm; any where it is not "
                + "given."),
        FenceProperty(
            "companion", [.feature, .bus], .part(.flag),
            "Of beacons, whether they go with the vehicle, as a trailer does: inside after 500 m "
                + "together."),
        FenceProperty(
            "group", [.feature, .bus], .part(.text),
            "Of companions, those that exclude each other have the same."),
    ]
    /// All properties without a row of their own.
    package static let metadata = FenceProperty(
        "metadata", [.bus], .part(.object),
        "All other properties, which come back with the events.")
    /// The origin of the fence.
    package static let origin = FenceProperty(
        "origin", [.busTold], .part(.text), "Who gave the fence.")

    /// Those that may occur in one of these places.
    package static func standing(in places: Places) -> [FenceProperty] {
        all.filter { !$0.places.isDisjoint(with: places) }
    }
}
