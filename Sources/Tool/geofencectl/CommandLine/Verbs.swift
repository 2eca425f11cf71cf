extension Verb {
    /// Every verb, in the order of the help.
    package static let all: [Verb] = [
        status, list, show, add, remove, `import`, export, window, events, report, watch, replay,
        check, backup, restore, consumer, vehicle, sync, map,
    ]
}
