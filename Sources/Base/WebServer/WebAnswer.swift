import CMicrohttpd

// Unsafe: the connection is used until libmicrohttpd reports the end of its request, and no longer.

/// The answer to one request: given at once, later, or as a stream.
@MainActor
@safe package final class WebAnswer {
    private enum State {
        case new
        /// The program has been asked; with the connection while that is suspended.
        case asked(suspended: Bool)
        case ready(WebResponse)
        case streaming(WebStream, headers: [(name: String, value: String)])
        case queued
        case over
    }

    private var state = State.new
    private var stream: WebStream?
    private let connection: OpaquePointer
    private let server: WebServer
    /// Called once, when the client has left before it was answered.
    package var onLeave: @MainActor () -> Void = {}

    init(_ connection: OpaquePointer, _ server: WebServer) {
        unsafe self.connection = unsafe connection
        self.server = server
    }

    /// Answers; only the first answer counts.
    package func respond(_ response: WebResponse) {
        switch state {
        case .asked(let isSuspended):
            state = .ready(response)
            resume(isSuspended)
        case .new, .ready, .streaming, .queued, .over: break
        }
    }

    /// Its client has shown who it is: it is not asked to leave for those who have not. Where there are too
    /// many, the one of whom there are most makes room; false if that is this one, who is to be refused.
    /// - Parameter holder: who that is; clients of the same share one part.
    @discardableResult
    package func trust(as holder: String = "") -> Bool {
        guard case .asked = state else { return false }
        return unsafe server.grant(
            connection, to: holder, seconds: server.limits.trustedSeconds)
    }

    /// Its client has to leave.
    package func dismiss() {
        if case .over = state { return }
        unsafe server.dismiss(UInt(bitPattern: connection))
    }

    /// Answers with a stream of bytes, for as long as its client takes them; nil if it was answered
    /// already, or the client has left.
    package func stream(headers: [(name: String, value: String)]) -> WebStream? {
        guard case .asked(let isSuspended) = state else { return nil }
        let server = server
        let made = unsafe WebStream(connection, unsent: server.limits.unsent) {
            [weak server] in server?.schedule()
        }
        stream = made
        unsafe server.keep(connection)
        state = .streaming(made, headers: headers)
        resume(isSuspended)
        return made
    }

    private func resume(_ isSuspended: Bool) {
        guard isSuspended else { return }
        unsafe MHD_resume_connection(connection)
        server.schedule()
    }

    /// libmicrohttpd asks for the answer, first when the request is complete, and again after the
    /// connection was resumed.
    func proceed(ask: (WebAnswer) -> Void) -> Bool {
        if case .new = state {
            state = .asked(suspended: false)
            ask(self)
        }
        switch state {
        case .asked:
            state = .asked(suspended: true)
            unsafe server.watch(connection)
            unsafe MHD_suspend_connection(connection)
            return true
        case .ready(let response):
            state = .queued
            return unsafe server.queue(response, on: connection)
        case .streaming(let stream, let headers):
            state = .queued
            return unsafe server.queue(stream, headers: headers, on: connection)
        case .queued: return true
        case .new, .over: return false
        }
    }

    /// Before the server stops nothing may be suspended.
    func release() {
        if case .asked(true) = state {
            state = .asked(suspended: false)
            unsafe MHD_resume_connection(connection)
        }
        stream?.resume()
    }

    /// The client has hung up. While libmicrohttpd waits for an answer it does not look.
    func hungUp() {
        stream?.close()
        guard case .asked(let isSuspended) = state else { return }
        state = .over
        resume(isSuspended)
        leave()
    }

    private func leave() {
        let left = onLeave
        onLeave = {}
        left()
    }

    /// The request is over, answered or not.
    func ended() {
        if case .asked = state { leave() }
        onLeave = {}
        state = .over
        stream?.ended()
        stream = nil
    }
}
