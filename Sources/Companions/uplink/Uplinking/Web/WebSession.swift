import HTTP
import JSON
import Settings
import Systemd

/// Requests to one server, with all that it wants before it takes one: a token of an authorization
/// server, and a token against forged requests with its cookies.
@MainActor
final class WebSession {
    /// How a request ended.
    typealias Outcome = Result<HTTPResponse, WebTrouble>
    typealias Reply = @MainActor (Outcome) -> Void

    private let client: HTTPClient
    private let credentials: Credentials
    private let destination: WebDestination
    private var identity: HTTPIdentity
    /// Of the last answer to the request for it; nil: it must be asked for.
    private var forgeryToken: ForgeryToken?

    /// What SAP Gateway wants with every POST, see "CSRF protection" there.
    private struct ForgeryToken {
        /// Nil: the server has none.
        var text: String?
        /// `name=value; name=value`.
        var cookies: String
    }

    /// Bytes of an answer that are read; what they say is not needed.
    private static let longestAnswer = 1 << 20
    private static let longestToken = 1 << 16
    private static let mostCookies = 16
    private static let longestCookie = 4096

    /// - Throws: for a credential that is not there, or where libcurl cannot be started.
    init(
        _ destination: WebDestination, _ credentials: Credentials, loop: EventLoop
    ) throws(BadValue) {
        self.destination = destination
        self.credentials = credentials
        identity = try destination.authentication.identity(credentials)
        do throws(HTTPError) { client = try HTTPClient(loop) } catch {
            throw BadValue(reason: error.reason)
        }
    }

    /// Whether a token of an authorization server is at hand, which may have run out.
    var hasAccessToken: Bool {
        destination.authentication.ways.contains(.oauth2) && identity.bearer != nil
    }

    /// Tokens are asked for again before the next request.
    func forgetTokens() {
        forgeryToken = nil
        if destination.authentication.ways.contains(.oauth2) { identity.bearer = nil }
    }

    /// Ends what is under way without an answer.
    func cancel() { client.cancel() }

    /// Sends a request when the tokens are there.
    /// - Parameter isGuarded: whether it is one for which servers want a token against forgery.
    func send(_ request: HTTPRequest, isGuarded: Bool, reply: @escaping Reply) {
        authorize(reply) { [weak self] in
            guard let self else { return }
            guard isGuarded, forgeryToken == nil else {
                return perform(guarded(request, isGuarded), reply)
            }
            findForgeryToken(reply) { [weak self] in
                guard let self else { return }
                perform(guarded(request, isGuarded), reply)
            }
        }
    }

    private func guarded(_ request: HTTPRequest, _ isGuarded: Bool) -> HTTPRequest {
        guard isGuarded, let forgeryToken else { return request }
        var request = request
        if let text = forgeryToken.text { request.fields.append(("X-CSRF-Token", text)) }
        if !forgeryToken.cookies.isEmpty {
            request.fields.append(("Cookie", forgeryToken.cookies))
        }
        return request
    }

    /// Goes on with a bearer token, if one is needed; otherwise replies.
    private func authorize(_ reply: @escaping Reply, then go: @escaping @MainActor () -> Void) {
        guard destination.authentication.ways.contains(.oauth2), identity.bearer == nil else {
            return go()
        }
        let request: HTTPRequest?
        do throws(BadValue) {
            request = try destination.authentication.tokenRequest(credentials)
        } catch { return reply(.failure(.denied(error.reason))) }
        guard let request else { return go() }
        run(request) { [weak self] answer in
            switch answer {
            case .failure(let error): reply(.failure(.unanswered(error)))
            case .success((let head, let body)):
                guard head.status == 200, let token = BearerToken.text(in: body) else {
                    let host = request.address.host
                    return reply(.failure(.denied("\(head.status) from \(host) for a token")))
                }
                self?.identity.bearer = token
                go()
            }
        }
    }

    private func findForgeryToken(
        _ reply: @escaping Reply, then go: @escaping @MainActor () -> Void
    ) {
        var request = HTTPRequest(destination.address)
        request.identity = identity
        request.fields = [("X-CSRF-Token", "Fetch"), ("Accept", "application/json")]
        run(request) { [weak self] answer in
            switch answer {
            case .failure(let error): reply(.failure(.unanswered(error)))
            case .success((let head, _)):
                let text = head.field("x-csrf-token").flatMap {
                    $0.lowercased() == "required" || $0.utf8.count > 1024 ? nil : $0
                }
                // A service that may be written may be one whose root cannot be read.
                guard text != nil || head.status < 400 || [404, 405].contains(head.status) else {
                    return reply(.success(head))
                }
                self?.forgeryToken = ForgeryToken(text: text, cookies: Self.cookies(of: head))
                go()
            }
        }
    }

    /// Without their attributes: they go nowhere else.
    private static func cookies(of head: HTTPResponse) -> String {
        let cookies = head.fields.filter { $0.name == "set-cookie" }.compactMap { field in
            field.value.split(separator: ";").first.flatMap {
                $0.utf8.count <= longestCookie && $0.contains("=") ? String($0) : nil
            }
        }
        return cookies.prefix(mostCookies).joined(separator: "; ")
    }

    private func perform(_ request: HTTPRequest, _ reply: @escaping Reply) {
        var request = request
        request.identity = identity
        run(request) { [destination] answer in
            // Without TLS anybody on the way can answer.
            if case .success((let head, let body)) = answer, head.status < 300,
                !destination.address.isEncrypted, Self.isPage(head, body)
            {
                let why = "a page instead of an answer, as of a network that wants a login"
                return reply(.failure(.unanswered(HTTPError(.unreachable, why))))
            }
            reply(answer.map(\.0).mapError(WebTrouble.unanswered))
        }
    }

    /// HTML for people, and not what some servers call every text.
    private static func isPage(_ head: HTTPResponse, _ body: [UInt8]) -> Bool {
        let begin = body.drop { $0 <= 0x20 || $0 >= 0x80 }.prefix(64)
        let text = String(decoding: begin, as: UTF8.self).lowercased()
        guard let type = head.field("content-type")?.lowercased() else {
            return text.hasPrefix("<html") || text.hasPrefix("<!doctype html")
        }
        let isMarkup = type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
        return isMarkup && text.hasPrefix("<")
    }

    private func run(
        _ request: HTTPRequest,
        reply: @escaping @MainActor (Result<(HTTPResponse, [UInt8]), HTTPError>) -> Void
    ) {
        var request = request
        request.limits.totalSeconds = destination.timeoutSeconds
        request.limits.connectSeconds = min(30, destination.timeoutSeconds)
        request.fields.append(("User-Agent", "geofenced-uplink"))
        var body: [UInt8] = []
        var count = 0
        do throws(HTTPError) {
            try client.begin(
                request,
                body: { chunk in
                    count += chunk.count
                    if body.count < Self.longestToken { body += chunk }
                    return count <= Self.longestAnswer
                },
                done: { answer in reply(answer.map { ($0, body) }) })
        } catch { reply(.failure(error)) }
    }
}

/// Why there is no answer to a request.
enum WebTrouble: Error {
    /// The server, or the network, has not answered.
    case unanswered(HTTPError)
    /// We could not prove who we are, for this reason.
    case denied(String)
}
