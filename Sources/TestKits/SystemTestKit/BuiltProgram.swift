import Glibc

/// The path of an executable of this package: built together with the tests, or in the directory
/// `PROGRAMS` of the environment, such as those that ship.
package func builtProgram(_ name: String) -> String {
    if let directory = getenv("PROGRAMS") { return "\(String(cString: directory))/\(name)" }
    guard let tests = realpath("/proc/self/exe", nil) else { fatalError("errno \(errno)") }
    defer { free(tests) }
    let path = String(cString: tests)
    return path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + name
}
