import Systemd
import Testing

@Suite struct BusAddressTests {
    @Test(
        "A bus has a name for users, and an address has a colon",
        arguments: [
            ("system", BusAddress.system, "the system bus"),
            ("session", .session, "the session bus"),
            ("unix:path=/run/x", .address("unix:path=/run/x"), "unix:path=/run/x"),
        ])
    func named(_ text: String, _ address: BusAddress, _ description: String) {
        #expect(BusAddress(named: text) == address)
        #expect(address.description == description)
    }

    @Test("What is none of them is no bus", arguments: ["", "none", "System", "/run/x"])
    func unnamed(_ text: String) {
        #expect(BusAddress(named: text) == nil)
    }
}
