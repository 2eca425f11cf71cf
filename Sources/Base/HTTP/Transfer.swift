import CCurl
import Glibc

// Unsafe: owns the handle, its list of fields and the buffer for the text of an error, which libcurl
// uses until the handle has been released; callbacks get the object, which outlives the handle.

/// A request on its way.
@MainActor
@safe final class Transfer {
    typealias Body = @MainActor ([UInt8]) -> Bool
    typealias Done = @MainActor (Result<HTTPResponse, HTTPError>) -> Void

    nonisolated(unsafe) let handle: UnsafeMutableRawPointer
    private nonisolated(unsafe) var list: UnsafeMutablePointer<curl_slist>?
    private nonisolated(unsafe) let errorText: UnsafeMutablePointer<CChar>
    private let body: Body
    let done: Done
    private var head: [(name: String, value: String)] = []
    private var headBytes = 0
    private var refusal: String?

    /// Bytes of all header fields.
    private static let longestHead = 1 << 16

    init(
        _ request: HTTPRequest, body: @escaping Body, done: @escaping Done
    ) throws(HTTPError) {
        guard let handle = unsafe curl_easy_init() else {
            throw HTTPError(.internalError, "out of memory")
        }
        unsafe self.handle = unsafe handle
        unsafe errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.body = body
        self.done = done
        try prepare(request)
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(list)
        unsafe errorText.deallocate()
    }

    private func prepare(_ request: HTTPRequest) throws(HTTPError) {
        let limits = request.limits
        try set(CURLOPT_URL, request.address.text)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_CONNECTTIMEOUT, limits.connectSeconds)
        try set(CURLOPT_TIMEOUT, limits.totalSeconds)
        try set(CURLOPT_LOW_SPEED_TIME, limits.slowSeconds)
        try set(CURLOPT_LOW_SPEED_LIMIT, limits.slowestBytes)
        try set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        // Its type differs with the version of libcurl.
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try unsafe check(geofenced_curl_set_error_buffer(handle, errorText))
        try identify(request.identity)
        // To this machine there is no way through a proxy, whatever the environment says.
        if request.address.isLocal { try set(CURLOPT_PROXY, "") }
        if let body = request.body {
            try set(CURLOPT_POST, 1)
            let code = unsafe body.withUnsafeBytes { bytes in
                unsafe geofenced_curl_copy_body(handle, bytes.baseAddress, Int64(bytes.count))
            }
            try check(code)
        }
        for field in request.fields {
            let line = "\(field.name): \(field.value)"
            guard !line.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { continue }
            guard let longer = unsafe curl_slist_append(list, line) else {
                throw HTTPError(.internalError, "out of memory")
            }
            unsafe list = unsafe longer
        }
        try unsafe check(geofenced_curl_set_list(handle, CURLOPT_HTTPHEADER, list))
        let user = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe check(
            geofenced_curl_set_body_callback(
                handle,
                { bytes, _, count, user in
                    guard let bytes = unsafe bytes, let user = unsafe user else { return 0 }
                    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user)
                        .takeUnretainedValue()
                    let chunk = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
                    // Another number than `count` ends the transfer.
                    return transfer.receive(chunk) ? count : 0
                }, user))
        try unsafe check(
            geofenced_curl_set_head_callback(
                handle,
                { bytes, _, count, user in
                    guard let bytes = unsafe bytes, let user = unsafe user else { return 0 }
                    let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user)
                        .takeUnretainedValue()
                    let line = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
                    return transfer.takeHead(line) ? count : 0
                }, user))
    }

    private func identify(_ identity: HTTPIdentity) throws(HTTPError) {
        if let basic = identity.basic {
            try set(CURLOPT_HTTPAUTH, 1)  // CURLAUTH_BASIC, a macro with a cast
            try set(CURLOPT_USERNAME, basic.user)
            try set(CURLOPT_PASSWORD, basic.password)
        }
        if let bearer = identity.bearer {
            guard !bearer.utf8.contains(where: { $0 <= 0x20 }) else {
                throw HTTPError(.internalError, "a token with white space")
            }
            guard let longer = unsafe curl_slist_append(list, "Authorization: Bearer \(bearer)")
            else { throw HTTPError(.internalError, "out of memory") }
            unsafe list = unsafe longer
        }
        if let authorities = identity.authorities { try set(CURLOPT_CAINFO, authorities) }
        if let certificate = identity.certificate { try set(CURLOPT_SSLCERT, certificate) }
        if let key = identity.key { try set(CURLOPT_SSLKEY, key) }
        if let proxy = identity.proxy { try set(CURLOPT_PROXY, proxy) }
    }

    private func receive(_ chunk: [UInt8]) -> Bool {
        guard body(chunk) else {
            refusal = "the answer is refused"
            return false
        }
        return true
    }

    private func takeHead(_ line: [UInt8]) -> Bool {
        headBytes += line.count
        guard headBytes <= Self.longestHead else {
            refusal = "the head of the answer is longer than \(Self.longestHead) bytes"
            return false
        }
        // Of a proxy's answer, an interim answer, and the last one.
        if line.starts(with: "HTTP/".utf8) {
            head = []
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let rest = String(decoding: line[(colon + 1)...], as: UTF8.self)
            let value = String(rest[...].trimmed)
            refusal = flaw(name, value)
            head.append((name, value))
        }
        return refusal == nil
    }

    private static let small: Set = ["gzip", "x-gzip", "deflate", "identity", ""]

    /// Why a field is refused: what it announces is not decoded in 32 KiB. libcurl decodes
    /// everything it knows, asked for or not, as often as the answer says; a frame of zstd may
    /// demand 128 MiB (RFC 8878, 3.1.1.1.2), and of what is compressed twice no limit of ours
    /// counts the inner text.
    private func flaw(_ name: String, _ value: String) -> String? {
        let value = value.lowercased()
        switch name {
        case "content-encoding" where !Self.small.contains(value):
            return "the answer is encoded, and not by gzip or deflate"
        case "content-encoding" where head.contains(where: { $0.name == name }):
            return "the answer is encoded twice"
        case "transfer-encoding" where !["chunked", "identity", ""].contains(value):
            return "the answer is encoded for its way, and not only in chunks"
        default: return nil
        }
    }

    /// The result of a transfer that is over.
    func outcome(_ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        guard code == CURLE_OK else {
            if let refusal { return .failure(HTTPError(.refusedBody, refusal)) }
            let known = unsafe String(cString: errorText)
            // It repeats an address that it does not understand, such as that of a proxy, with the
            // password in it.
            let isTold = !known.isEmpty && !known.utf8.contains(UInt8(ascii: "@"))
            let text = unsafe isTold ? known : String(cString: curl_easy_strerror(code))
            let proxy = unsafe geofenced_curl_connect_status(handle)
            let kind = proxy >= 300 ? .proxy(status: proxy) : Self.kind(of: code)
            return .failure(HTTPError(kind, text))
        }
        let status = unsafe geofenced_curl_status(handle)
        return .success(HTTPResponse(status: status, fields: head))
    }

    private static func kind(of code: CURLcode) -> HTTPError.Kind {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
            .unreachable
        case CURLE_OPERATION_TIMEDOUT: .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            .tls
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_UNKNOWN_OPTION: .internalError
        default: .broken
        }
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try unsafe check(geofenced_curl_set_long(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
        guard !value.utf8.contains(0) else {
            throw HTTPError(.internalError, "a text with a zero byte")
        }
        try unsafe check(geofenced_curl_set_text(handle, option, value))
    }

    private func check(_ code: CURLcode) throws(HTTPError) {
        guard code == CURLE_OK else {
            throw unsafe HTTPError(.internalError, String(cString: curl_easy_strerror(code)))
        }
    }
}

extension Substring {
    /// Without white space at its ends.
    fileprivate var trimmed: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
