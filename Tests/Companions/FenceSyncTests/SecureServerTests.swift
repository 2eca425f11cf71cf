import SystemTestKit
import Testing

/// nginx over TLS, with everything that may guard a document.
@MainActor
@Suite(.serialized, .needs(.nginx)) struct SecureServerTests {
    struct Way: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var path: String
        var auth: String
        /// What does not open it.
        var wrong: String
        /// What is said then.
        var words: String
    }

    nonisolated static let ways = [
        Way(
            testDescription: "a user and a password", path: "basic",
            auth: "Type=basic\nUser=GEOFENCE\nPassword=@password",
            wrong: "Type=basic\nUser=GEOFENCE\nPassword=@other", words: "401 from localhost"),
        Way(
            testDescription: "a token", path: "bearer", auth: "Type=bearer\nToken=@token",
            wrong: "Type=bearer\nToken=@other", words: "401 from localhost"),
        Way(
            testDescription: "a token of an authorization server", path: "bearer",
            auth: "Type=oauth2\nTokenURL=TOKEN\nClientId=box 1\nClientSecret=@secret",
            wrong: "Type=oauth2\nTokenURL=TOKEN\nClientId=box 2\nClientSecret=@secret",
            words: "401 from localhost"),
        Way(
            testDescription: "a certificate", path: "mtls",
            auth: "Type=mtls\nCertificate=@box.pem\nKey=@box.key", wrong: "Type=none",
            words: "403 from localhost"),
    ]

    @Test("A document is opened by what guards it, and by nothing else", arguments: ways)
    func guarded(_ way: Way) throws {
        let server = try OfficeServer(.document, "secure")
        let bench = try OfficeBench()
        try server.fill(5)
        func look(_ auth: String) throws {
            let token = server.secureAddress("token")
            _ = try bench.look(
                """
                [Source]
                Type=geojson
                URL=\(server.secureAddress(way.path + "/fences.geojson"))
                [Auth]
                CA=@ca.pem
                \(auth.replacing("TOKEN", with: token))
                """, credentials: server.credentials)
        }
        try look(way.wrong)
        let detail = try bench.status("detail")
        #expect(detail.contains(way.words), "\(detail)")
        #expect(try bench.catalogue().isEmpty)
        try look(way.auth)
        #expect(try bench.status("detail") == "5 new or changed, 0 removed")
        #expect(try bench.catalogue().count == 5)
    }

    @Test("A server that cannot prove its name is not asked", arguments: ["authority", "name"])
    func impostor(_ what: String) throws {
        let server = try OfficeServer(.document, "secure")
        let bench = try OfficeBench()
        try server.fill(5)
        let host = what == "name" ? "127.0.0.1" : "localhost"
        _ = try bench.look(
            """
            [Source]
            Type=geojson
            URL=\(server.secureAddress("basic/fences.geojson", host: host))
            [Auth]
            \(what == "name" ? "CA=@ca.pem" : "")
            Type=basic
            User=GEOFENCE
            Password=@password
            """, credentials: server.credentials)
        #expect(try bench.status("state") == "refused")
        #expect(try bench.catalogue().isEmpty)
        #expect(server.requests(0).isEmpty)
    }

    @Test(
        "A certificate of another time is refused: it has expired, or the clock is wrong",
        arguments: [
            ("expired", "certificate has expired"), ("early", "certificate is not yet valid"),
        ])
    func otherTime(_ time: String, _ words: String) throws {
        let good = try OfficeServer(.document, "secure")
        let bench = try OfficeBench()
        try good.fill(5)
        func look(_ server: OfficeServer) throws -> Subprocess.Ending {
            try bench.look(
                """
                [Source]
                Type=geojson
                URL=\(server.secureAddress("fences.geojson"))
                [Auth]
                CA=@ca.pem
                """, credentials: server.credentials)
        }
        _ = try look(good)
        let before = try bench.catalogue()
        #expect(before.count == 5)
        let server = try OfficeServer(.document, "secure,\(time)")
        try server.fill(7)
        #expect(try look(server).status == 1)
        #expect(try bench.status("state") == "refused")
        let detail = try bench.status("detail")
        #expect(detail.contains(words), "\(detail)")
        #expect(try bench.catalogue() == before)
        #expect(server.requests(0).isEmpty)
    }
}
