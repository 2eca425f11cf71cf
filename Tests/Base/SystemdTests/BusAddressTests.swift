import Systemd
import Testing

@Suite struct BusAddressTests {
    @Test(
        "A bus is given by its name, or by an address, which has a colon",
        arguments: [
            ("system", BusAddress.system, "the system bus"),
            ("session", .session, "the session bus"),
            ("unix:path=/run/x", .address("unix:path=/run/x"), "unix:path=/run/x"),
        ])
    func named(_ text: String, _ address: BusAddress, _ description: String) {
        #expect(BusAddress(named: text) == address)
        #expect(address.description == description)
    }

    @Test("Any other text is refused", arguments: ["", "none", "System", "/run/x"])
    func unnamed(_ text: String) {
        #expect(BusAddress(named: text) == nil)
    }
}
