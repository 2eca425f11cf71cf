import CMicrohttpd

// Unsafe: the connection is used between its first reading and its end, which libmicrohttpd reports
// before it frees it; the buffer it lends is filled up to its size, within the call.

/// A response without an end: bytes are sent when there are some, and in between the connection is
/// suspended, which costs nothing.
@MainActor
@safe package final class WebStream {
    private var pending: [UInt8] = []
    private let unsent: Int
    /// Set as long as libmicrohttpd is not to ask for bytes.
    private var suspended: OpaquePointer?
    private let wake: @MainActor () -> Void
    private let connection: OpaquePointer
    /// Neither takes bytes nor will send any.
    package private(set) var isClosed = false
    /// Called once, when the client has left, or has taken nothing for the idle time.
    package var onEnd: @MainActor () -> Void = {}
    /// Called when the client has taken everything.
    package var onDrained: @MainActor () -> Void = {}

    init(_ connection: OpaquePointer, unsent: Int, wake: @escaping @MainActor () -> Void) {
        unsafe self.connection = unsafe connection
        self.unsent = unsent
        self.wake = wake
    }

    /// Bytes that its client has not taken.
    package var backlog: Int { pending.count }

    /// Sends these bytes after those before them.
    /// - Returns: false if they are not sent, because the client has left too much unread:
    ///   ``onDrained`` tells when it has taken that.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        guard !isClosed else { return false }
        guard pending.isEmpty || pending.count + bytes.count <= unsent else { return false }
        pending += bytes
        resume()
        return true
    }

    /// Ends the response; what was not sent is dropped.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        pending = []
        resume()
        onEnd()
    }

    /// libmicrohttpd asks for up to `count` bytes.
    func read(into buffer: UnsafeMutablePointer<CChar>, count: Int) -> Int {
        guard !isClosed else { return geofenced_mhd_abort() }
        guard !pending.isEmpty else {
            unsafe MHD_suspend_connection(connection)
            unsafe suspended = connection
            return 0
        }
        let size = min(count, pending.count)
        for index in 0..<size { unsafe buffer[index] = CChar(bitPattern: pending[index]) }
        pending.removeFirst(size)
        if pending.isEmpty { onDrained() }
        return size
    }

    /// libmicrohttpd may ask again. Before it stops, every stream must be.
    func resume() {
        guard let connection = unsafe suspended else { return }
        unsafe suspended = nil
        unsafe MHD_resume_connection(connection)
        wake()
    }

    /// The connection has gone.
    func ended() {
        unsafe suspended = nil
        guard !isClosed else { return }
        isClosed = true
        pending = []
        onEnd()
    }
}
