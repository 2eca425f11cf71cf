/// Who has said who drives.
package enum DriverSource: String, CaseIterable, Sendable {
    /// `SetDriver`, and so geofencectl.
    case call
    /// A signal of another program.
    case signal
    /// The content of a file.
    case file
    /// A beacon that a driver carries.
    case beacon
}
