import HTTP
package import Settings
package import Systemd
import Time

/// Gets answers of a source's server, with its credentials, within the limits of its size.
@MainActor
package final class WebFetcher {
    private let settings: SourceSettings
    private let loop: EventLoop
    private let client: HTTPClient
    private let directory: String
    private let stop: Stop
    private var identity = HTTPIdentity()
    /// Bytes that answers may still have.
    private var left: Int64
    /// How often it was waited for a busy server.
    private var pauses = 0
    /// Requests that were sent.
    package private(set) var requests = 0

    /// One answer and where it came from.
    struct Answer {
        var head: HTTPResponse
        var body: SpoolFile
        var address: WebAddress
        /// As whom it was asked.
        var identity: HTTPIdentity
    }

    private static let mostRedirects = 5
    /// For one look; a longer one is for the next.
    private static let mostPauses = 20
    private static let longestPause = TimeSpan.seconds(30)
    /// Statuses.
    private static let aboutCredentials = [401, 403, 407]
    /// Of an error's body, bytes.
    private static let longestMessage = 1 << 16

    /// - Parameter directory: for what is fetched.
    /// - Throws: ``SyncFailure`` for a credential that is not there.
    package init(
        _ settings: SourceSettings, _ credentials: Credentials, loop: EventLoop,
        directory: String, stop: Stop
    ) throws(SyncFailure) {
        self.settings = settings
        self.loop = loop
        self.directory = directory
        self.stop = stop
        left = settings.maxSize
        do throws(HTTPError) { client = try HTTPClient(loop) } catch {
            throw SyncFailure(.invalid, error.reason)
        }
        do throws(BadValue) { identity = try settings.auth.identity(credentials) } catch {
            throw SyncFailure(.invalid, error.reason)
        }
        if let token = try token(credentials) { identity.bearer = token }
    }

    /// Answers may have as many bytes again.
    func renewBudget() { left = settings.maxSize }

    /// Asks, and waits for the whole answer: 200, or 304 to a conditional request.
    func get(
        _ address: WebAddress, _ fields: [(name: String, value: String)]
    ) throws(SyncFailure) -> Answer {
        var address = address
        for _ in 0...Self.mostRedirects {
            var request = HTTPRequest(address)
            request.fields = fields
            request.identity = identity
            let answer = try performPatiently(request)
            switch answer.head.status {
            case 200, 304: return answer
            case 301, 302, 303, 307, 308:
                guard let target = answer.head.field("location") else {
                    throw SyncFailure(.refused, "a redirect to nowhere")
                }
                address = try sameOrigin(target, from: address, "a redirect")
            default: throw failure(answer)
            }
        }
        throw SyncFailure(.refused, "more than \(Self.mostRedirects) redirects")
    }

    /// The address of a link in an answer. One to another server would carry the credentials there.
    func sameOrigin(
        _ target: String, from address: WebAddress, _ what: String
    ) throws(SyncFailure) -> WebAddress {
        let resolved: WebAddress
        do throws(FlawedAddress) { resolved = try address.resolving(target) } catch {
            throw SyncFailure(.incomplete, "\(what) that is no address")
        }
        guard resolved.origin == address.origin else {
            throw SyncFailure(.incomplete, "\(what) to another server: \(resolved.origin)")
        }
        return resolved
    }

    /// Comes again as soon as a busy server wants it: one that counts requests interrupts every set of
    /// many pages.
    private func performPatiently(_ request: HTTPRequest) throws(SyncFailure) -> Answer {
        while true {
            let answer = try perform(request)
            guard [429, 503].contains(answer.head.status), pauses < Self.mostPauses,
                let asked = retryAfter(answer), asked <= Self.longestPause
            else { return answer }
            pauses += 1
            let wait = RetryDelay.asked(asked, random: Double.random(in: 0...1))
            let deadline = EventLoop.uptime + wait
            while EventLoop.uptime < deadline { try turn(until: deadline) }
        }
    }

    private func turn(until deadline: Uptime) throws(SyncFailure) {
        guard !stop.isRequested else { throw SyncFailure(.incomplete, "stopped by a signal") }
        do throws(SystemError) {
            _ = try loop.runOnce(timeout: max(.zero, deadline - EventLoop.uptime))
        } catch { throw SyncFailure(.notStored, error.description) }
    }

    /// Both times are the server's: ours may be wrong.
    private func retryAfter(_ answer: Answer) -> TimeSpan? {
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        return answer.head.retryAfter(now: answer.head.field("date").flatMap(HTTPDate.time) ?? now)
    }

    private func perform(_ request: HTTPRequest) throws(SyncFailure) -> Answer {
        var request = request
        request.fields.append(("User-Agent", "geofenced-sync"))
        request.limits.totalSeconds = Int(settings.timeoutSeconds)
        requests += 1
        let body = try SpoolFile(in: directory)
        var trouble: SyncFailure?
        var result: Result<HTTPResponse, HTTPError>?
        do throws(HTTPError) {
            try client.begin(request) { [self] chunk in
                left -= Int64(chunk.count)
                guard left >= 0 else {
                    let size = settings.maxSize
                    trouble = SyncFailure(.overLimit, "more than \(size) bytes (MaxSize=)")
                    return false
                }
                do throws(SyncFailure) { try body.write(chunk) } catch {
                    trouble = error
                    return false
                }
                return true
            } done: {
                result = $0
            }
        } catch { throw SyncFailure(.invalid, error.reason) }
        while result == nil {
            do throws(SyncFailure) { try turn(until: EventLoop.uptime + .seconds(60)) } catch {
                client.cancel()
                throw error
            }
        }
        if let trouble { throw trouble }
        switch result {
        case .success(let head)?:
            try body.rewind()
            return Answer(
                head: head, body: body, address: request.address, identity: request.identity)
        case .failure(let error)?: throw failure(error, request.address)
        case nil: throw SyncFailure(.incomplete, "no answer")
        }
    }

    private func failure(_ error: HTTPError, _ address: WebAddress) -> SyncFailure {
        // Some of libcurl's reasons name it already.
        let isNamed = error.reason.split { $0 == " " || $0 == ":" }.contains { $0 == address.host }
        let reason = isNamed ? error.reason : "\(error.reason): \(address.host)"
        switch error.kind {
        case .unreachable, .timeout: return SyncFailure(.noNetwork, reason)
        case .tls: return SyncFailure(.refused, reason)
        case .proxy(let status):
            var failure = SyncFailure(.refused, reason)
            failure.isAboutCredentials = Self.aboutCredentials.contains(status)
            return failure
        case .broken, .refusedBody: return SyncFailure(.incomplete, reason)
        case .internalError: return SyncFailure(.invalid, reason)
        }
    }

    private func failure(_ answer: Answer) -> SyncFailure {
        let body = (try? answer.body.bytes(limit: Self.longestMessage)) ?? []
        let message = answer.identity.hidden(in: ServerMessage.text(of: body))
        let status = answer.head.status
        var failure = SyncFailure(
            .refused,
            "\(status) from \(answer.address.host)" + (message.isEmpty ? "" : ": \(message)"))
        failure.isAboutCredentials = Self.aboutCredentials.contains(status)
        failure.retryAfter = retryAfter(answer).map { Int($0.wholeSeconds) }
        return failure
    }

    /// Of the authorization server; nil if none is needed.
    private func token(_ credentials: Credentials) throws(SyncFailure) -> String? {
        let request: HTTPRequest?
        do throws(BadValue) { request = try settings.auth.tokenRequest(credentials) } catch {
            throw SyncFailure(.invalid, error.reason)
        }
        guard let request else { return nil }
        let answer = try perform(request)
        guard answer.head.status == 200 else {
            var failure = failure(answer)
            failure.isAboutCredentials = (400..<500).contains(answer.head.status)
            throw failure
        }
        let bytes = try answer.body.bytes(limit: Self.longestMessage)
        guard let token = BearerToken.text(in: bytes) else {
            throw SyncFailure(.refused, "no access token from \(request.address.host)")
        }
        return token
    }
}
