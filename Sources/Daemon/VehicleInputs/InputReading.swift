/// What an input of the vehicle says.
package enum InputReading: Hashable, Sendable {
    case on
    case off
    /// It spoke, and its value is neither; a phrase for the log.
    case unclear(String)
    /// Nothing is known: there is nobody to speak, or nothing was said yet; a phrase for the log.
    case absent(String)
}
