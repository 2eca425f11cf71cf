import Bytes
import CMicrohttpd
import Glibc
package import Systemd
import Time

// Unsafe: libmicrohttpd is stopped before this object goes, so that its callbacks find it; each
// answer is retained from the first call for a request to its end, which is reported once; texts
// are copied within the call that lends them.

/// Serves GET and HEAD on a socket that listens, on our loop and without threads. Its owner calls
/// ``stop()`` before dropping it.
///
/// Bodies come from memory: with a descriptor and an epoll loop of another, libmicrohttpd 0.9.75 stops
/// after 262,144 bytes.
@MainActor
@safe package final class WebServer {
    /// Called for each request, in the order of their arrival.
    package typealias Handler = @MainActor (WebRequest, WebAnswer) -> Void

    let limits: WebLimits
    private let loop: EventLoop
    private let handler: Handler
    private let headers: [String]
    private let arguments: [String]
    private var daemon: OpaquePointer?
    private var readable: IOSource?
    private var timer: TimerSource?
    private var work: DeferredSource?
    private var deadlines: TimerSource?
    /// A client.
    private struct Connection {
        var socket: Int32
        /// In the order of their arrival.
        var number: UInt64
        /// Until when its request must be complete, then until when the answer must be taken; nil
        /// for a stream, and for one that is being closed.
        var deadline: Uptime?
        /// For whom it is trusted; nil: it is not.
        var holder: ExactText?
        var isLeaving = false
        /// Of its request.
        weak var answer: WebAnswer?
        /// Whether its client is still there.
        var watch: IOSource?
    }

    /// More than the limit that are accepted, so that one can be asked to leave for another.
    private static let spare: UInt32 = 8

    /// By the address of libmicrohttpd's own.
    private var connections: [UInt: Connection] = [:]
    private var arrivals: UInt64 = 0
    /// A connection has ended in this run of libmicrohttpd.
    private var hasMadeRoom = false
    private var answers: [ObjectIdentifier: WebAnswer] = [:]
    /// Called when ``connectionCount`` has changed.
    package var onConnections: @MainActor () -> Void = {}

    /// - Parameters:
    ///   - listener: a socket that listens; it is closed by ``stop()``.
    ///   - headers, arguments: what requests are read for.
    package init(
        _ loop: EventLoop, listener: Int32, limits: WebLimits = WebLimits(), headers: [String],
        arguments: [String], handler: @escaping Handler
    ) throws(SystemError) {
        self.limits = limits
        self.loop = loop
        self.headers = headers
        self.arguments = arguments
        self.handler = handler
        // accept(2) of libmicrohttpd must not wait for a client that has left again.
        _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
        unsafe daemon = unsafe start(listener)
        guard let daemon = unsafe daemon else {
            throw SystemError(operation: "starting the web server", errno: errno)
        }
        work = try DeferredSource(loop) { [weak self] in self?.pump() }
        timer = try TimerSource(loop) { [weak self] in self?.pump() }
        deadlines = try TimerSource(loop, accuracy: .milliseconds(500)) { [weak self] in
            self?.cutOff()
        }
        readable = try unsafe IOSource(
            loop, descriptor: geofenced_mhd_epoll(daemon), events: .readable
        ) { [weak self] _ in self?.pump() }
        schedule()
    }

    /// Clients that are connected.
    package var connectionCount: Int { connections.count }

    /// Ends every connection, and closes the listening socket.
    package func stop() {
        guard let daemon = unsafe daemon else { return }
        // It aborts the process while a connection is suspended.
        for answer in answers.values { answer.release() }
        unsafe self.daemon = nil
        (readable, timer, work, deadlines) = (nil, nil, nil, nil)
        unsafe MHD_stop_daemon(daemon)
    }

    /// libmicrohttpd has something to do that no descriptor announces.
    func schedule() { work?.trigger() }

    /// By its manual the timeout is asked for after every run: some work is announced by nothing
    /// else. Neither is a client that waits to be accepted since the last place was taken: only
    /// the run after one that made room listens again.
    private func pump() {
        guard let daemon = unsafe daemon else { return }
        for _ in 0..<16 {
            hasMadeRoom = false
            unsafe MHD_run(daemon)
            let timeout = unsafe geofenced_mhd_timeout(daemon)
            guard timeout == 0 || hasMadeRoom else {
                if timeout > 0 {
                    timer?.arm(at: EventLoop.uptime + .milliseconds(timeout))
                } else {
                    timer?.disarm()
                }
                return
            }
        }
        schedule()
    }

    // MARK: Callbacks

    private func start(_ listener: Int32) -> OpaquePointer? {
        unsafe geofenced_mhd_start(
            listener, limits.connections + Self.spare, limits.memory, limits.idleSeconds,
            Unmanaged.passUnretained(self).toOpaque(),
            { user, connection, path, method, _, _, size, state in
                guard let server = unsafe WebServer.from(user), let connection = unsafe connection,
                    let state = unsafe state
                else { return geofenced_mhd_no() }
                // A body is of no use here.
                if let size = unsafe size, unsafe size.pointee > 0 { return geofenced_mhd_no() }
                let wantsMore = unsafe server.handle(
                    connection, path.map { unsafe String(cString: $0) } ?? "",
                    method.map { unsafe String(cString: $0) } ?? "", state)
                return wantsMore ? geofenced_mhd_yes() : geofenced_mhd_no()
            },
            { user, _, state, _ in
                guard let server = unsafe WebServer.from(user), let state = unsafe state,
                    let pointer = unsafe state.pointee
                else { return }
                unsafe state.pointee = nil
                let answer = unsafe Unmanaged<WebAnswer>.fromOpaque(pointer).takeUnretainedValue()
                server.answers[ObjectIdentifier(answer)] = nil
                answer.ended()
            },
            { user, connection, _, code in
                guard let server = unsafe WebServer.from(user), let connection = unsafe connection
                else { return }
                unsafe server.changed(connection, isNew: geofenced_mhd_is_start(code) != 0)
            })
    }

    private static func from(_ user: UnsafeMutableRawPointer?) -> WebServer? {
        guard let user = unsafe user else { return nil }
        return unsafe Unmanaged<WebServer>.fromOpaque(user).takeUnretainedValue()
    }

    /// - Returns: false to close the connection.
    private func handle(
        _ connection: OpaquePointer, _ path: String, _ method: String,
        _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> Bool {
        guard let pointer = unsafe state.pointee else {
            // The first call is for the header alone; an answer now ends the connection.
            guard method == "GET" || method == "HEAD" else {
                var refusal = WebResponse(refusing: 405, "only GET and HEAD")
                refusal.headers.append(("Allow", "GET, HEAD"))
                return unsafe queue(refusal, on: connection)
            }
            // Whoever announces a body would hold a place until it has come.
            guard unsafe !hasBody(connection) else {
                return unsafe queue(WebResponse(refusing: 400, "no body, please"), on: connection)
            }
            let answer = unsafe WebAnswer(connection, self)
            answers[ObjectIdentifier(answer)] = answer
            connections[UInt(bitPattern: connection)]?.answer = answer
            unsafe state.pointee = Unmanaged.passUnretained(answer).toOpaque()
            return true
        }
        let answer = unsafe Unmanaged<WebAnswer>.fromOpaque(pointer).takeUnretainedValue()
        return answer.proceed { [self] answer in
            connections[UInt(bitPattern: connection)]?.deadline =
                EventLoop.uptime + .seconds(limits.answerSeconds)
            cutOff()
            handler(unsafe request(connection, path, method), answer)
        }
    }

    private func hasBody(_ connection: OpaquePointer) -> Bool {
        let size = unsafe geofenced_mhd_header(connection, "Content-Length")
        let isSized = unsafe size.map { unsafe String(cString: $0) != "0" } ?? false
        return unsafe isSized || geofenced_mhd_header(connection, "Transfer-Encoding") != nil
    }

    private func request(
        _ connection: OpaquePointer, _ path: String, _ method: String
    ) -> WebRequest {
        var request = WebRequest(method: method, path: path)
        for name in headers {
            guard let value = unsafe geofenced_mhd_header(connection, name) else { continue }
            request.headers[name] = unsafe String(cString: value)
            if unsafe geofenced_mhd_header_count(connection, name) > 1 {
                request.repeated.insert(name)
            }
        }
        for name in arguments {
            guard let value = unsafe geofenced_mhd_argument(connection, name) else { continue }
            request.arguments[name] = unsafe String(cString: value)
        }
        return request
    }

    // MARK: Answers

    func queue(_ response: WebResponse, on connection: OpaquePointer) -> Bool {
        let large =
            response.large ?? (response.body.count < SharedBody.least ? nil : .init(response.body))
        let made =
            unsafe large.map { unsafe shared($0) }
            ?? geofenced_mhd_response(response.body, response.body.count)
        guard let made = unsafe made else { return false }
        defer { unsafe MHD_destroy_response(made) }
        unsafe add(response.headers + [("Connection", "close")], to: made)
        return unsafe MHD_queue_response(connection, response.status, made) == geofenced_mhd_yes()
    }

    /// Keeps the bytes for as long as a connection sends them.
    private func shared(_ body: SharedBody) -> OpaquePointer? {
        let user = unsafe Unmanaged.passRetained(body).toOpaque()
        let made = unsafe geofenced_mhd_shared(
            UInt64(body.count),
            { user, place, buffer, count in
                guard let user = unsafe user, let buffer = unsafe buffer else {
                    return geofenced_mhd_abort()
                }
                return unsafe Unmanaged<SharedBody>.fromOpaque(user).takeUnretainedValue()
                    .read(from: place, into: buffer, count: count)
            }, user,
            { user in
                guard let user = unsafe user else { return }
                unsafe Unmanaged<SharedBody>.fromOpaque(user).release()
            })
        guard let made = unsafe made else {
            unsafe Unmanaged<SharedBody>.fromOpaque(user).release()
            return nil
        }
        return unsafe made
    }

    func queue(
        _ stream: WebStream, headers: [(name: String, value: String)],
        on connection: OpaquePointer
    ) -> Bool {
        let user = unsafe Unmanaged.passRetained(stream).toOpaque()
        let made = unsafe geofenced_mhd_stream(
            { user, _, buffer, count in
                guard let user = unsafe user, let buffer = unsafe buffer else {
                    return geofenced_mhd_abort()
                }
                return unsafe Unmanaged<WebStream>.fromOpaque(user).takeUnretainedValue()
                    .read(into: buffer, count: count)
            }, user,
            { user in
                guard let user = unsafe user else { return }
                unsafe Unmanaged<WebStream>.fromOpaque(user).release()
            })
        guard let made = unsafe made else {
            unsafe Unmanaged<WebStream>.fromOpaque(user).release()
            return false
        }
        defer { unsafe MHD_destroy_response(made) }
        unsafe add(headers, to: made)
        return unsafe MHD_queue_response(connection, 200, made) == geofenced_mhd_yes()
    }

    private func add(_ headers: [(name: String, value: String)], to response: OpaquePointer) {
        for (name, value) in headers {
            unsafe MHD_add_response_header(response, name, value)
        }
    }

    // MARK: Connections

    private func changed(_ connection: OpaquePointer, isNew: Bool) {
        let address = UInt(bitPattern: connection)
        if isNew {
            arrivals += 1
            let deadline = EventLoop.uptime + .seconds(limits.headerSeconds)
            connections[address] = unsafe Connection(
                socket: geofenced_mhd_socket(connection), number: arrivals, deadline: deadline)
            if deadlines?.isEnabled == false { deadlines?.arm(at: deadline) }
            makeRoom()
        } else {
            connections[address] = nil
            hasMadeRoom = true
        }
        onConnections()
    }

    /// From now on its client is trusted; see ``WebAnswer/trust(as:)``.
    /// - Parameter seconds: until when it must have taken the answer.
    func grant(_ connection: OpaquePointer, to holder: String, seconds: Double) -> Bool {
        let (address, holder) = (UInt(bitPattern: connection), ExactText(holder))
        guard connections[address]?.isLeaving == false else { return false }
        let trusted = connections.filter { !$0.value.isLeaving && $0.value.holder != nil }
        if trusted.count >= places {
            let shares = trusted.reduce(into: [:]) { $0[$1.value.holder, default: 0] += 1 }
            // With the one that there would be.
            guard let most = shares.max(by: { $0.value < $1.value }),
                most.value > shares[holder, default: 0] + 1
            else { return false }
            dismissOldest(of: trusted.filter { $0.value.holder == most.key })
        }
        connections[address]?.holder = holder
        connections[address]?.deadline = EventLoop.uptime + .seconds(seconds)
        return true
    }

    /// Of those that are trusted.
    private var places: Int { Int(limits.connections - limits.connections / 8) }

    /// It has a stream, which has no end.
    func keep(_ connection: OpaquePointer) {
        connections[UInt(bitPattern: connection)]?.deadline = nil
        unsafe watch(connection)
    }

    /// Until its end.
    func watch(_ connection: OpaquePointer) {
        let address = UInt(bitPattern: connection)
        guard let known = connections[address], known.watch == nil else { return }
        connections[address]?.watch = try? IOSource(
            loop, descriptor: known.socket, events: .peerHungUp
        ) { [weak self] _ in
            self?.connections[address]?.watch = nil
            self?.connections[address]?.answer?.hungUp()
        }
    }

    /// Who has not shown a token must not keep out those who have one.
    private func makeRoom() {
        let staying = connections.filter { !$0.value.isLeaving }
        guard staying.count > limits.connections else { return }
        dismissOldest(of: staying.filter { $0.value.holder == nil })
    }

    private func dismissOldest(of some: [UInt: Connection]) {
        if let oldest = some.min(by: { $0.value.number < $1.value.number }) { dismiss(oldest.key) }
    }

    /// Its client has to leave.
    func dismiss(_ address: UInt) {
        guard let connection = connections[address] else { return }
        connections[address]?.deadline = nil
        connections[address]?.isLeaving = true
        shutdown(connection.socket, Int32(SHUT_RDWR))
    }

    /// A client that sends or takes a byte now and then is never idle, and would keep its place for
    /// ever.
    private func cutOff() {
        let now = EventLoop.uptime
        var next: Uptime?
        for (address, connection) in connections {
            guard let deadline = connection.deadline else { continue }
            if deadline > now { next = min(next ?? deadline, deadline) } else { dismiss(address) }
        }
        if let next { deadlines?.arm(at: next) }
    }
}
