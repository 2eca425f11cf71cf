import Glibc

/// The path of an executable of this package, built together with the tests.
package func builtProgram(_ name: String) -> String {
    guard let tests = realpath("/proc/self/exe", nil) else { fatalError("errno \(errno)") }
    defer { free(tests) }
    let path = String(cString: tests)
    return path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + name
}
