import Testing

@testable import WebServer

/// Who is answered: docs/DECISIONS, "The live map is a companion".
@Suite struct AccessRulesTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private let loopback = AccessRules(
        .loopback(port: 8750, token: AccessRulesTests.secret))
    private let file = AccessRules(.file)

    private func request(
        _ path: String = "/v1/state", host: String? = "localhost:8750", site: String? = nil,
        token: String? = AccessRulesTests.secret
    ) -> WebRequest {
        var headers: [String: String] = [:]
        headers["Host"] = host
        headers["Sec-Fetch-Site"] = site
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return WebRequest(path: path, headers: headers)
    }

    @Test("on loopback the three names of this machine with our port are answered, nothing else")
    func hosts() {
        for host in ["localhost:8750", "127.0.0.1:8750", "[::1]:8750"] {
            #expect(loopback.refusal(of: request(host: host)) == nil, "\(host)")
        }
        for host in [
            "evil.example", "evil.example:8750", "localhost", "localhost:8751", "127.0.0.1",
            "localhost:8750.evil.example", "localhost.:8750", "LOCALHOST:8750", "",
        ] {
            #expect(loopback.refusal(of: request(host: host))?.status == 421, "\(host)")
        }
        #expect(loopback.refusal(of: request(host: nil))?.status == 400)
        var twice = request()
        twice.repeated = ["Host"]
        #expect(loopback.refusal(of: twice)?.status == 400)
    }

    @Test("behind a forwarder to the socket the port may be any, the name may not")
    func forwarded() {
        for host in ["localhost", "localhost:9", "127.0.0.1:65535", "[::1]:8750", "[::1]"] {
            #expect(file.refusal(of: request(host: host, token: nil)) == nil, "\(host)")
        }
        for host in ["localhost:", "localhost:123456", "localhost:1x", "localhosts", "box:8750"] {
            #expect(file.refusal(of: request(host: host))?.status == 421, "\(host)")
        }
    }

    @Test("a person who follows a link comes to the page, and to nothing else")
    func visits() {
        func visit(_ path: String, _ mode: String, _ destination: String) -> WebRequest {
            var visit = request(path, site: "cross-site", token: nil)
            visit.headers["Sec-Fetch-Mode"] = mode
            visit.headers["Sec-Fetch-Dest"] = destination
            return visit
        }
        for rules in [loopback, file] {
            #expect(rules.refusal(of: visit("/", "navigate", "document")) == nil)
            for (path, mode, destination) in [
                ("/v1/state", "navigate", "document"), ("/app.js", "no-cors", "script"),
                ("/", "navigate", "iframe"), ("/", "cors", "empty"), ("/", "no-cors", "document"),
            ] {
                let refused = rules.refusal(of: visit(path, mode, destination))
                #expect(refused?.status == 403, "\(path) \(mode) \(destination)")
            }
            var twice = visit("/", "navigate", "document")
            twice.repeated = ["Sec-Fetch-Dest"]
            #expect(rules.refusal(of: twice)?.status == 403)
        }
    }

    @Test("another page of the same browser is refused")
    func sites() {
        for site in ["cross-site", "same-site", "", "none, same-origin"] {
            #expect(loopback.refusal(of: request(site: site))?.status == 403, "\(site)")
            #expect(file.refusal(of: request(site: site))?.status == 403, "\(site)")
        }
        for site in ["same-origin", "none"] {
            #expect(loopback.refusal(of: request(site: site)) == nil)
        }
    }

    @Test("without the token nothing of the vehicle is told, and the page's own files are")
    func token() {
        let wrong = [nil, "", "x", String(Self.secret.dropLast()), Self.secret + "0"]
        for path in ["/v1/state", "/v1/live", "/v1/fences/a", "/tiles/1/2/3", "/metrics"] {
            for token in wrong {
                #expect(
                    loopback.refusal(of: request(path, token: token))?.status == 401,
                    "\(path) \(token ?? "none")")
            }
            #expect(loopback.refusal(of: request(path)) == nil)
        }
        for path in ["/", "/app.js", "/app.css", "/leaflet.js"] {
            #expect(loopback.refusal(of: request(path, token: nil)) == nil, "\(path)")
        }
    }
}
