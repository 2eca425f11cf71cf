/// The keys of OpenStreetMap that are read; all others are skipped.
package enum TagKey: String, CaseIterable, Sendable {
    // Ways without one of these two are left out.
    case highway, railway
    case name, ref, oneway, junction, bridge, tunnel, layer, barrier, maxspeed
    case access, vehicle
    case motorVehicle = "motor_vehicle"
    case maxheight
    case maxheightPhysical = "maxheight:physical"
    case maxheightLegal = "maxheight:legal"
    case maxheightLanes = "maxheight:lanes"
    case maxheightForward = "maxheight:forward"
    case maxheightBackward = "maxheight:backward"
    case maxheightLanesForward = "maxheight:lanes:forward"
    case maxheightLanesBackward = "maxheight:lanes:backward"
    case maxheightConditional = "maxheight:conditional"
    case maxheightSigned = "maxheight:signed"
    case maxwidth
    case maxwidthPhysical = "maxwidth:physical"
    case maxwidthForward = "maxwidth:forward"
    case maxwidthBackward = "maxwidth:backward"
    case maxwidthConditional = "maxwidth:conditional"
    case maxlength
    case maxlengthForward = "maxlength:forward"
    case maxlengthBackward = "maxlength:backward"
    case maxlengthConditional = "maxlength:conditional"
    case maxweight
    case maxweightForward = "maxweight:forward"
    case maxweightBackward = "maxweight:backward"
    case maxweightConditional = "maxweight:conditional"
    case maxaxleload
    case maxaxleloadForward = "maxaxleload:forward"
    case maxaxleloadBackward = "maxaxleload:backward"
    case maxaxleloadConditional = "maxaxleload:conditional"

    /// How many of the first keys count: a way must have one of these.
    static let required = 2

    /// Tells what may not pass, or how high what may.
    package var isLimit: Bool { rawValue.hasPrefix("max") && self != .maxspeed }
}

/// The tags of an object that were asked for; values of at most 1,000 bytes, the rest cut off.
package typealias Tags = [TagKey: String]
