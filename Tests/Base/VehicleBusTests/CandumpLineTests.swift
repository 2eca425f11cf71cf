import Testing
import Time

@testable import VehicleBus

@Suite struct CandumpLineTests {
    private func line(_ text: String) throws -> CandumpLine { try CandumpLine(Array(text.utf8)) }

    @Test("a line as candump writes it")
    func read() throws {
        let line = try line("(1436509052.249713) vcan0 18FEF100#FFFF0AFFFFFFFFFF")
        #expect(line.time == UTCTime(nanoseconds: 1_436_509_052_249_713_000))
        #expect(line.interface == "vcan0")
        #expect(line.frame?.id == 0x18FE_F100 && line.frame?.isExtended == true)
        #expect(line.frame?.byte(2) == 0x0A && line.frame?.count == 8)
        #expect(try self.line("(1.5) can0 7e8#03410d48 R").frame?.byte(3) == 0x48)
        #expect(try self.line("(1.5) can0 123#").frame?.count == 0)
        #expect(try self.line("(1) can0 123#11.22.33").frame?.count == 3)
    }

    @Test(
        "what is no classical frame with data is passed over",
        arguments: [
            "(1.0) can0 123##1AABB", "(1.0) can0 123#R", "(1.0) can0 123#R8",
            "(1.0) can0 20000040#0000000000000000",
        ])
    func other(text: String) throws { #expect(try line(text).frame == nil) }

    @Test(
        "what is not a line of candump is refused",
        arguments: [
            "", "can0 123#00", "(x) can0 123#00", "(1.) can0 123#00", "(-1.0) can0 123#00",
            "(99999999999.0) can0 123#00", "(9999999999.0) can0 123#00",
            "(9999999999) can0 123#00", "(9000000000) can0 123#00", "(1.0000000000) can0 123#00",
            "(1.0) can0 12#00", "(1.0) can0 1234#00", "(1.0) can0 FFF#00",
            "(1.0) can0 FFFFFFFF1#00",
            "(1.0) can0 123#0", "(1.0) can0 123#001122334455667788", "(1.0) can0 123#0G",
            "(1.0) can0123456789abcdef 123#00", "(1.0) can0 123",
            "(1.0) can0 123#" + String(repeating: "0", count: 256),
        ])
    func refused(text: String) { #expect(throws: CandumpLine.Flaw.self) { try line(text) } }
}
