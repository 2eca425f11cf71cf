import Glibc
import SystemTestKit
import Testing

@Suite("geofenced-uplink --check says what the unit will meet") struct UplinkCheckTests {
    private let directory = TemporaryDirectory()

    private func check(
        _ configuration: String, credentials: [String: String]?
    ) throws -> Subprocess.Ending {
        let file = directory.write(configuration, to: "uplink.conf")
        var loaded: String?
        if let credentials {
            let path = directory.file("credentials")
            mkdir(path, 0o700)
            loaded = path
            for (name, text) in credentials {
                _ = directory.write(text, to: "credentials/\(name)")
            }
        }
        let run = Subprocess(
            [builtProgram("geofenced-uplink"), "--config", file, "--check", "no-such-uplink"],
            environment: ["CREDENTIALS_DIRECTORY": loaded])
        return try #require(run.wait(seconds: 20))
    }

    private static let broker = """
        [Uplink]
        URL=mqtts://broker.example
        Tenant=t
        Box=box
        [Auth]
        User=box
        Password=@password

        """
    private static let hook = """
        [Uplink]
        Type=webhook
        URL=https://office.example/events
        Tenant=t
        Box=box
        Secret=@secret

        """

    @Test("a directory that is missing is named, with what to do")
    func noDirectory() throws {
        let ending = try check(Self.broker, credentials: nil)
        #expect(ending.status == 1)
        #expect(
            ending.errors.contains(
                "/etc/geofenced/credentials/no-such-uplink: No such file or directory; without it the "
                    + "unit fails with \"credentials: Protocol error\": mkdir -p -m 700 "))
    }

    @Test(
        "a credential that is missing or odd is named, with its place",
        arguments: [
            (broker, [:], "there is no credential password; it is a file of "),
            (broker, ["password": "\n"], "credential password is empty; it is a file of "),
            (
                hook, ["secret": "x"],
                "credential secret is no secret: whsec_BASE64; it is a file of "
            ),
        ])
    func missing(_ text: String, _ credentials: [String: String], _ reason: String) throws {
        let ending = try check(text, credentials: credentials)
        #expect(ending.status == 1)
        #expect(ending.errors.contains(reason))
    }

    @Test("those that are there are good, and so is an empty directory where none is needed")
    func good() throws {
        let secret = "whsec_" + String(repeating: "QUJD", count: 8)
        for (text, credentials) in [
            (Self.broker, ["password": "secret\n"]), (Self.hook, ["secret": secret]),
            ("[Uplink]\nURL=mqtt://localhost\nTenant=t\nBox=box\n", [:]),
        ] {
            let ending = try check(text, credentials: credentials)
            #expect(ending.errors.isEmpty && ending.status == 0)
        }
    }
}
