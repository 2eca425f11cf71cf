import Files
import Glibc

// Unsafe: libsystemd gives back the objects that it was given.

/// A system call that failed: the operation and its error number.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The operation, in words for a log line, with its path or name.
    package let operation: String
    /// A positive errno(3).
    package let errno: Int32

    package init(operation: String, errno: Int32) {
        self.operation = operation
        self.errno = errno
    }

    /// The text of strerror(3).
    package var reason: String { Errno(errno).description }

    /// "operation: reason".
    package var description: String { "\(operation): \(reason)" }

    /// The error that a C library call has just left in errno.
    static func last(_ operation: String) -> SystemError {
        SystemError(operation: operation, errno: Glibc.errno)
    }
}

/// Passes through a result of libsystemd; a negative number is a negated errno and throws.
@discardableResult
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(operation: operation(), errno: -result) }
    return result
}

/// The object behind a libsystemd `userdata`, which ``releaseUserdata`` releases.
func object<Object: AnyObject>(_ userdata: UnsafeMutableRawPointer?, as: Object.Type) -> Object? {
    guard let userdata = unsafe userdata else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(userdata).takeUnretainedValue()
}

/// The destroy callback of every event source and bus slot: the Swift handler is released only when
/// libsystemd has released the source, also when that happens inside its own callback.
let releaseUserdata: @convention(c) (UnsafeMutableRawPointer?) -> Void = { userdata in
    guard let userdata = unsafe userdata else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(userdata).release()
}
