import SystemTestKit
import Testing

/// nginx at an address that is not this machine's own, through tinyproxy.
@MainActor
@Suite(.serialized, .needs(.nginx), .needs(.proxy)) struct ProxyTests {
    private func source(
        _ server: OfficeServer, _ proxy: ProxyServer, isEncrypted: Bool
    ) -> String {
        """
        [Source]
        \(isEncrypted ? "Type=geojson\nURL=" + address(server, true) : server.settings)
        TimeoutSec=10s
        [Auth]
        Proxy=\(proxy.address)
        \(isEncrypted ? "CA=@ca.pem" : "")
        """
    }

    private func address(_ server: OfficeServer, _ isEncrypted: Bool) -> String {
        let address = server.secureAddress("fences.geojson", host: "127.0.0.2")
        return isEncrypted ? address : "http" + address.dropFirst("https".count)
    }

    /// Runs the sync once.
    private func look(
        _ bench: OfficeBench, _ server: OfficeServer, _ proxy: ProxyServer, isEncrypted: Bool
    ) throws -> Subprocess.Ending {
        try bench.look(
            source(server, proxy, isEncrypted: isEncrypted),
            credentials: isEncrypted ? server.credentials : nil)
    }

    @Test(
        "A set comes through the proxy, which sees the request, or with TLS only the host",
        arguments: [false, true])
    func through(_ isEncrypted: Bool) throws {
        let server = try OfficeServer(.document, isEncrypted ? "secure,away" : "away")
        let proxy = try ProxyServer()
        let bench = try OfficeBench()
        try server.fill(5)
        let run = try look(bench, server, proxy, isEncrypted: isEncrypted)
        #expect(try bench.status("state") == "imported", "\(run.errors)")
        #expect(try bench.catalogue().count == 5)
        let place = address(server, isEncrypted)
        let host = place.split(separator: "/")[1]
        #expect(proxy.requests == [isEncrypted ? "CONNECT \(host)" : "GET \(place)"])
        #expect(server.requests(1) == ["/fences.geojson"])
    }

    @Test("Without the proxy there is no network, and the set stays", arguments: [false, true])
    func gone(_ isEncrypted: Bool) throws {
        let server = try OfficeServer(.document, isEncrypted ? "secure,away" : "away")
        let proxy = try ProxyServer()
        let bench = try OfficeBench()
        try server.fill(5)
        _ = try look(bench, server, proxy, isEncrypted: isEncrypted)
        proxy.stop()
        #expect(try look(bench, server, proxy, isEncrypted: isEncrypted).status == 1)
        #expect(try bench.status("state") == "no-network")
        #expect(try bench.catalogue().count == 5)
    }

    @Test("A proxy that denies access is reported as a refusal", arguments: [false, true])
    func locked(_ isEncrypted: Bool) throws {
        let server = try OfficeServer(.document, isEncrypted ? "secure,away" : "away")
        let proxy = try ProxyServer(wantsPassword: true)
        let bench = try OfficeBench()
        try server.fill(5)
        #expect(try look(bench, server, proxy, isEncrypted: isEncrypted).status == 1)
        #expect(try bench.status("state") == "refused")
        let detail = try bench.status("detail")
        #expect(detail.contains("407"), "\(detail)")
        #expect(try bench.catalogue().isEmpty)
        #expect(server.requests(0).isEmpty)
    }

    @Test("Servers on this machine are not reached through the proxy")
    func local() throws {
        let server = try OfficeServer(.document)
        let proxy = try ProxyServer()
        let bench = try OfficeBench()
        try server.fill(5)
        let run = try look(bench, server, proxy, isEncrypted: false)
        #expect(try bench.status("state") == "imported", "\(run.errors)")
        #expect(proxy.requests == [])
    }
}
