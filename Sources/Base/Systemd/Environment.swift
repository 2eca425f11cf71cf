import Glibc

// Unsafe: getenv(3) returns a text that is copied at once; none of our code sets variables.

/// An environment variable; nil when it is unset or empty.
package func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
}
