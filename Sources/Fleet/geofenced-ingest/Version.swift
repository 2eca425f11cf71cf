/// The version of the program; the same as of the daemon, which it does not link.
enum Version {
    static let current = "0.1.0"
}
