import Glibc

// Unsafe: strerror(3) gives a text that is read at once.

/// A call into the system that failed: what was tried and the error number it gave.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// What was tried, in words for a log line, with the path or name it was tried on.
    package let operation: String
    /// As in errno(3), positive.
    package let errno: Int32

    package init(operation: String, errno: Int32) {
        self.operation = operation
        self.errno = errno
    }

    /// The text of strerror(3).
    package var reason: String { unsafe String(cString: strerror(errno)) }

    /// "operation: reason".
    package var description: String { "\(operation): \(reason)" }

    /// The error a C library call just left in errno.
    static func last(_ operation: String) -> SystemError {
        SystemError(operation: operation, errno: Glibc.errno)
    }
}

/// Passes a result of libsystemd through, where a negative number is a negated errno.
@discardableResult
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(operation: operation(), errno: -result) }
    return result
}

/// The object behind a libsystemd `userdata`, which ``releaseUserdata`` lets go.
func object<Object: AnyObject>(_ userdata: UnsafeMutableRawPointer?, as: Object.Type) -> Object? {
    guard let userdata = unsafe userdata else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(userdata).takeUnretainedValue()
}

/// The destroy callback of every event source and bus slot: only when libsystemd has let go of the
/// source, also when that happens inside its own callback, is the Swift handler released.
let releaseUserdata: @convention(c) (UnsafeMutableRawPointer?) -> Void = { userdata in
    guard let userdata = unsafe userdata else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(userdata).release()
}
