import Bytes
import Testing

@Suite("Digests and Base64")
struct DigestTests {
    /// FIPS 180-4 examples, and lengths on both sides of the padding (by Python's hashlib).
    @Test(
        "SHA-256 of known messages",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                String(repeating: "a", count: 64),
                "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
            ),
            (
                String(repeating: "a", count: 119),
                "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
            ),
        ])
    func digest(_ message: String, _ digest: String) {
        #expect(SHA256.digest(Array(message.utf8)).hexadecimal == digest)
    }

    @Test("SHA-256 of a million times the letter a, in pieces of every size up to 200")
    func pieces() {
        var hash = SHA256()
        var left = 1_000_000
        var size = 1
        while left > 0 {
            let count = min(size, left)
            hash.update([UInt8](repeating: UInt8(ascii: "a"), count: count))
            left -= count
            size = size % 200 + 1
        }
        #expect(
            hash.finish().hexadecimal
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// RFC 4231, test cases 2 and 6, and the vector of Standard Webhooks.
    @Test(
        "HMAC-SHA256 of known messages",
        arguments: [
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func authentication(_ key: [UInt8], _ message: String, _ code: String) {
        let found = SHA256.authenticate(Array(message.utf8), key: key)
        #expect(found.hexadecimal == code)
    }

    @Test("the vector of Standard Webhooks")
    func webhook() throws {
        let key = try #require(Base64.bytes("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let message = #"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#
        let code = SHA256.authenticate(Array(message.utf8), key: key)
        #expect(Base64.text(code) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    /// RFC 4648, section 10.
    @Test(
        "Base64 both ways",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(_ plain: String, _ text: String) {
        #expect(Base64.text(Array(plain.utf8)) == text)
        #expect(Base64.bytes(text) == Array(plain.utf8))
        #expect(Base64.bytes(text.filter { $0 != "=" }) == Array(plain.utf8))
    }

    @Test("what is not Base64 has no bytes", arguments: ["Z", "Zm9vY", "Zm 9", "Zm-v", "Z=9v"])
    func flawed(_ text: String) {
        #expect(Base64.bytes(text) == nil)
    }
}
