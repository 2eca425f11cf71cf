extension Verb {
    /// Every verb, in the order of the help.
    package static let all: [Verb] = [
        status, metrics, doctor, list, show, add, remove, `import`, export, window, events, report,
        watch, replay, check, acceptLoss, backup, restore, consumer, vehicle, beacon, sync, map,
        ignition, driver, route,
    ]
}
