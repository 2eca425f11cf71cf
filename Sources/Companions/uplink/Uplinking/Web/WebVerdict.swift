import HTTP
import Time

/// What an answer to an event, or to several, means.
enum WebVerdict: Equatable {
    /// The server has them.
    case taken
    /// Not now; the server may say when.
    case later(TimeSpan?)
    /// We are not who we should be, or may not do that.
    case denied
    /// The server wants another token against forged requests (SAP Gateway).
    case needsToken
    /// There is nothing at that address any more.
    case gone
    /// It does not want these.
    case rejected
    /// It takes no request as long as this one.
    case tooLarge

    /// - Parameter now: by the server's clock, for a `Retry-After` that is a date.
    init(_ answer: HTTPResponse, now: UTCTime) {
        switch answer.status {
        case 200..<300: self = .taken
        case 403 where answer.field("x-csrf-token")?.lowercased() == "required":
            self = .needsToken
        case 401, 403, 407: self = .denied
        case 410: self = .gone
        case 413 where answer.field("retry-after") == nil: self = .tooLarge
        // Of the content. Everything else is about the address, the way to it (a redirect is of a
        // portal, or of a server that has moved), or the present: no event is to blame for it.
        case 400, 409, 422: self = .rejected
        default: self = .later(answer.retryAfter(now: now))
        }
    }
}
