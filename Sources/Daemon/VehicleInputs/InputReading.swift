/// What an input of the vehicle says.
package enum InputReading: Hashable, Sendable {
    case on
    case off
    /// It spoke, and its value is neither; a phrase for the log.
    case unclear(String)
    /// There is nobody to speak; a phrase for the log.
    case absent(String)
    /// There is, and nothing was said yet: some speak only at a change; a phrase for the log.
    case silent(String)
}
