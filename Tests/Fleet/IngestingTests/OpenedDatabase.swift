import PostgreSQL
import SystemTestKit

extension PrivatePostgreSQL {
    /// A connection; nil if the server has not accepted one in half a minute. Its socket is there a
    /// little before it accepts.
    @MainActor
    func open() -> Database? {
        var opened: Database?
        let address = address
        waitUntil(seconds: 30) {
            opened = try? Database(address, program: "test")
            return opened != nil
        }
        return opened
    }
}
