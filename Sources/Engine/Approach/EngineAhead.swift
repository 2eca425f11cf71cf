// Questions about approaches, for those parts of the daemon that show them.
extension Engine {
    /// The hazards that the vehicle is confirmed to be coming to and does not fit, nearest first;
    /// ties by id as UTF-8 bytes.
    package var ahead: [Ahead] { [] }
}
