extension Verb {
    /// Every verb, in the order of the help.
    package static let all: [Verb] = [replay, check]
}
