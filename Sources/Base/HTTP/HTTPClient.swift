import CCurl
import Glibc
package import Systemd
import Time

// Unsafe: owns libcurl's multi handle, whose callbacks get an object that outlives it.

/// Sends requests through libcurl's multi interface, on the loop: connections are kept and used
/// again, and nothing is polled. libcurl resolves names in a thread of its own that ends by itself.
@MainActor
package final class HTTPClient {
    private let multi: MultiHandle
    /// By the address of their handle.
    private var transfers: [UInt: Transfer] = [:]

    /// - Throws: ``HTTPError`` where libcurl cannot be started.
    package init(_ loop: EventLoop) throws(HTTPError) {
        multi = try MultiHandle(loop)
        multi.changed = { [weak self] in self?.collect() }
    }

    /// Begins a request.
    /// - Parameters:
    ///   - body: gets the answer's body, decoded, in pieces; false ends the request.
    ///   - done: called once from the loop, after the body. It may begin the next request.
    package func begin(
        _ request: HTTPRequest, body: @escaping @MainActor ([UInt8]) -> Bool,
        done: @escaping @MainActor (Result<HTTPResponse, HTTPError>) -> Void
    ) throws(HTTPError) {
        let transfer = try Transfer(request, body: body, done: done)
        guard unsafe curl_multi_add_handle(multi.handle, transfer.handle) == CURLM_OK else {
            throw HTTPError(.internalError, "out of memory")
        }
        unsafe transfers[UInt(bitPattern: transfer.handle)] = transfer
    }

    /// Ends all requests without an answer.
    package func cancel() {
        for transfer in transfers.values {
            unsafe curl_multi_remove_handle(multi.handle, transfer.handle)
        }
        transfers = [:]
    }

    private func collect() {
        var code = CURLE_OK
        while let handle = unsafe geofenced_curl_next_done(multi.handle, &code) {
            guard let transfer = transfers.removeValue(forKey: UInt(bitPattern: handle)) else {
                continue
            }
            unsafe curl_multi_remove_handle(multi.handle, handle)
            transfer.done(transfer.outcome(code))
        }
    }
}

/// libcurl's multi handle, its sockets and its timer on the loop.
@MainActor
@safe private final class MultiHandle {
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer
    private let loop: EventLoop
    private var sockets: [Int32: IOSource] = [:]
    private var timer: TimerSource?
    /// Something may be done.
    var changed: @MainActor () -> Void = {}

    init(_ loop: EventLoop) throws(HTTPError) {
        // The loop has one thread, and libcurl has none before this.
        guard geofenced_curl_start() == CURLE_OK, let handle = unsafe curl_multi_init()
        else { throw HTTPError(.internalError, "libcurl cannot be started") }
        unsafe self.handle = unsafe handle
        self.loop = loop
        do throws(SystemError) {
            timer = try TimerSource(loop) { [weak self] in
                self?.act(on: -1, 0)  // CURL_SOCKET_TIMEOUT
            }
        } catch { throw HTTPError(.internalError, "\(error)") }
        let user = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe geofenced_curl_set_socket_callback(
            handle,
            { _, socket, what, user, _ in
                guard let user = unsafe user else { return 0 }
                unsafe Unmanaged<MultiHandle>.fromOpaque(user).takeUnretainedValue()
                    .watch(socket, what)
                return 0
            }, user)
        unsafe geofenced_curl_set_timer_callback(
            handle,
            { _, milliseconds, user in
                guard let user = unsafe user else { return 0 }
                unsafe Unmanaged<MultiHandle>.fromOpaque(user).takeUnretainedValue()
                    .wake(in: milliseconds)
                return 0
            }, user)
    }

    deinit {
        // Closing connections calls back otherwise.
        unsafe geofenced_curl_set_socket_callback(handle, nil, nil)
        unsafe geofenced_curl_set_timer_callback(handle, nil, nil)
        unsafe curl_multi_cleanup(handle)
    }

    private func wake(in milliseconds: Int) {
        guard milliseconds >= 0 else { return timer?.disarm() ?? () }
        timer?.arm(at: EventLoop.uptime + .milliseconds(Int64(milliseconds)))
    }

    /// `what` is a CURL_POLL_ constant: 1 in, 2 out, 4 remove.
    private func watch(_ socket: Int32, _ what: Int32) {
        guard what & 4 == 0 else {
            sockets[socket] = nil
            return
        }
        var events: IOEvents = []
        if what & 1 != 0 { events.insert(.readable) }
        if what & 2 != 0 { events.insert(.writable) }
        do throws(SystemError) {
            if let source = sockets[socket] { return try source.wait(for: events) }
            sockets[socket] = try IOSource(loop, descriptor: socket, events: events) {
                [weak self] events in
                var mask: Int32 = 0  // CURL_CSELECT_IN, OUT, ERR
                if events.contains(.readable) { mask |= 1 }
                if events.contains(.writable) { mask |= 2 }
                if !events.isDisjoint(with: [.error, .hangUp]) { mask |= 4 }
                self?.act(on: socket, mask)
            }
        } catch {
            // A socket that nobody watches: the limits of the request end it.
            sockets[socket] = nil
        }
    }

    private func act(on socket: Int32, _ mask: Int32) {
        var running: Int32 = 0
        unsafe curl_multi_socket_action(handle, socket, mask, &running)
        changed()
    }
}
