import Systemd

extension DaemonCall {
    /// In the order of introspection.
    package static let all = ofFences + ofPresence + ofEvents + ofVehicle

    private static let ofFences = [
        applyFences, getFence, listFences, countFences, listOrigins, importFences, applyFencesFrom,
        importFencesFrom, getOrigin, acceptLoss, acceptLogLoss,
    ]
    private static let ofPresence = [
        getStates, evaluateAt, getWindow, getPosition, getMetafence, recenter, reload, listBeacons,
        setPresence, createRangingSession, setVehicle,
    ]
    private static let ofEvents = [
        readEvents, findEvents, createSubscription, registerConsumer, listConsumers,
        unregisterConsumer, ackEvents,
    ]
    private static let ofVehicle = [
        setIgnition, setDriver, getDriver, forgetDriver, setRoute, getRoute, clearRoute,
    ]
}

// Fences.
extension DaemonCall {
    /// Adds and replaces fences by id, and removes others, all or nothing.
    package static let applyFences = DaemonCall(
        "ApplyFences", .action(.manageFences),
        in: ["upserts": "a\(FenceMessage.signature)", "remove_ids": "as", "flags": "t"],
        out: ["generation": "t", "warnings": "a(ss)"], limits: nil)
    /// One fence, and its origin.
    package static let getFence = DaemonCall(
        "GetFence", .action(.readEvents), in: ["id": "s"], out: ["fence": "a{sv}"])
    /// Fences in the order of their ids.
    package static let listFences = DaemonCall(
        "ListFences", .writer(.readEvents, originAt: 0),
        in: ["filter": "a{sv}", "offset": "u", "max": "u"],
        out: ["fences": "a\(FenceMessage.signature)"])
    /// How many fences there are in each cell of a grid.
    package static let countFences = DaemonCall(
        "CountFences", .action(.readEvents), in: ["within": "(dddd)", "columns": "u", "rows": "u"],
        out: ["counts": "au"])
    /// The origins that have fences, or have lost them.
    package static let listOrigins = DaemonCall(
        "ListOrigins", .action(.readEvents), out: ["origins": "a(sa{sv})"])
    /// Reads a file of fences; 1 in the flags removes those that are not in it.
    package static let importFences = DaemonCall(
        "ImportFences", .action(.manageFences), in: ["fd": "h", "format": "s", "flags": "t"],
        out: ofChange)
    /// As ``applyFences``, of one origin.
    package static let applyFencesFrom = DaemonCall(
        "ApplyFencesFrom", .writer(.manageFences, originAt: 0),
        in: [
            "origin": "s", "upserts": "a\(FenceMessage.signature)", "remove_ids": "as",
            "options": "a{sv}",
        ], out: ofChange, limits: nil)
    /// As ``importFences``, of one origin.
    package static let importFencesFrom = DaemonCall(
        "ImportFencesFrom", .writer(.manageFences, originAt: 2),
        in: ["fd": "h", "format": "s", "origin": "s", "options": "a{sv}"], out: ofChange)
    /// What there is of one origin.
    package static let getOrigin = DaemonCall(
        "GetOrigin", .writer(.readEvents, originAt: 0), in: ["origin": "s"],
        out: ["details": "a{sv}"])
    /// Nobody misses the lost fences of an origin any more.
    package static let acceptLoss = DaemonCall(
        "AcceptLoss", .action(.manageFences), in: ["origin": "s"])
    /// Nobody misses the lost events of the log any more.
    package static let acceptLogLoss = DaemonCall("AcceptLogLoss", .action(.manageFences))

    private static let ofChange: KeyValuePairs = [
        "generation": "t", "changed": "t", "removed": "t", "warnings": "a(ss)",
    ]
}

// Position and presence.
extension DaemonCall {
    /// Presence in these fences, or in those of the window, and since when.
    package static let getStates = DaemonCall(
        "GetStates", .action(.readEvents), in: ["ids": "as"], out: ["states": "a{s(utt)}"],
        limits: BusLimits(values: 10_000, bytes: 1 << 20))
    /// What a first fix there would find.
    package static let evaluateAt = DaemonCall(
        "EvaluateAt", .action(.readEvents), in: ["latitude": "d", "longitude": "d", "error": "d"],
        out: ["fences": "a\(ToldRegion.signature)"])
    /// The regions that are watched now, in their order.
    package static let getWindow = DaemonCall(
        "GetWindow", .action(.readLocation), out: ["regions": "a\(ToldRegion.signature)"])
    /// The last accepted fix.
    package static let getPosition = DaemonCall(
        "GetPosition", .action(.readLocation), out: ["position": "a{sv}"])
    /// Where the window was composed, and how far it is sufficient.
    package static let getMetafence = DaemonCall(
        "GetMetafence", .action(.readLocation), out: ["metafence": "a{sv}"])
    /// Composes the window again around the last fix.
    package static let recenter = DaemonCall("Recenter", .action(.manageFences))
    /// Reads the settings and the files of fences again.
    package static let reload = DaemonCall("Reload", .action(.manageFences))
}

// Beacons.
extension DaemonCall {
    /// The fences of beacons, and where the vehicle is with respect to them.
    package static let listBeacons = DaemonCall(
        "ListBeacons", .action(.readEvents), out: ["beacons": "a(sa{sv})"])
    /// Sets by hand whether the vehicle is inside a fence of beacons.
    package static let setPresence = DaemonCall(
        "SetPresence", .action(.statePresence),
        in: ["fence": "s", "presence": "u", "options": "a{sv}"], limits: fewOptions)
    /// An object that signals to the caller which beacons are near.
    package static let createRangingSession = DaemonCall(
        "CreateRangingSession", .action(.rangeBeacons), in: ["options": "a{sv}"],
        out: ["session": "o"], limits: BusLimits(values: 1_000, bytes: 16 << 10))

    private static let fewOptions = BusLimits(values: 64, bytes: 4_096)
}

// The log of events.
extension DaemonCall {
    /// Events after that number; callers without read-location get them without the position.
    package static let readEvents = DaemonCall(
        "ReadEvents", .action(.readEvents), in: ["after_seq": "t", "max": "u"], out: ofPage)
    /// The same, of the fences that the filter names.
    package static let findEvents = DaemonCall(
        "FindEvents", .action(.readEvents), in: ["filter": "a{sv}", "after_seq": "t", "max": "u"],
        out: ofPage)
    /// An object that signals events to the caller.
    package static let createSubscription = DaemonCall(
        "CreateSubscription", .action(.readEvents), in: ["options": "a{sv}"],
        out: ["subscription": "o"], limits: ofFilter)
    /// A program is brought every event until it acknowledges it; one that has the name, or has
    /// registered it, or else manages fences, may say so.
    package static let registerConsumer = DaemonCall(
        "RegisterConsumer", .action(.readEvents), in: ["bus_name": "s", "options": "a{sv}"],
        limits: ofFilter)
    /// The consumers that are registered.
    package static let listConsumers = DaemonCall(
        "ListConsumers", .action(.readEvents), out: ["consumers": "a(sa{sv})"])
    /// A consumer is brought nothing more.
    package static let unregisterConsumer = DaemonCall(
        "UnregisterConsumer", .consumer, in: ["bus_name": "s"], limits: short)
    /// A consumer has dealt with everything up to that event.
    package static let ackEvents = DaemonCall(
        "AckEvents", .consumer, in: ["consumer": "s", "seq": "t"], limits: short)

    private static let ofPage: KeyValuePairs = [
        "events": "a\(EventMessage.signature)", "next_seq": "t", "gap": "b",
    ]
    /// Of the options of a subscription or consumer, which are stored as long as it exists.
    private static let ofFilter = BusLimits(values: 4_000, bytes: 16 << 10)
    /// Of calls from anyone.
    private static let short = BusLimits(values: 2, bytes: 1_024)
}

// The vehicle, its driver and its route.
extension DaemonCall {
    /// What the vehicle is, and that its height is right.
    package static let setVehicle = DaemonCall(
        "SetVehicle", .action(.setVehicle), in: ["values": "a{sv}"], limits: fewOptions)
    /// Whether the ignition is on.
    package static let setIgnition = DaemonCall(
        "SetIgnition", .action(.setVehicle), in: ["on": "b"])
    /// Who drives; nobody where it is empty.
    package static let setDriver = DaemonCall(
        "SetDriver", .action(.setDriver), in: ["id": "s", "options": "a{sv}"], limits: fewOptions)
    /// Who drives, since when, and who has said so.
    package static let getDriver = DaemonCall(
        "GetDriver", .action(.readLocation), out: ["driver": "a{sv}"])
    /// Deletes the id of a driver from the log.
    package static let forgetDriver = DaemonCall(
        "ForgetDriver", .action(.manageFences), in: ["id": "s"], out: ["found": "b"],
        limits: BusLimits(values: 8, bytes: 4_096))
    /// The line that is going to be driven, or a portion of it.
    package static let setRoute = DaemonCall(
        "SetRoute", .action(.setRoute), in: ["positions": "a(dd)", "options": "a{sv}"],
        out: ["route": "a{sv}"],
        limits: BusLimits(values: 3 * Geofence1.mostPositionsOfPortion + 64, bytes: 256 << 10))
    /// The route, and the hazards on it.
    package static let getRoute = DaemonCall(
        "GetRoute", .action(.readLocation), out: ["route": "a{sv}"])
    /// From now on there is no route.
    package static let clearRoute = DaemonCall("ClearRoute", .action(.setRoute))
}
