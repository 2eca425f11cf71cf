import Bytes
import Testing

@Suite("SHA-256") struct SHA256Tests {
    @Test(
        "the examples of FIPS 180-4, and of one block and its neighbours",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(_ text: String, _ hash: String) {
        #expect(ByteText.hexadecimal(SHA256.hash(Array(text.utf8))) == hash)
    }

    @Test("a million times the letter a, in pieces of every size up to 200")
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
            ByteText.hexadecimal(hash.finish())
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(
        "base64 as in RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(_ text: String, _ encoded: String) {
        #expect(ByteText.base64(Array(text.utf8)) == encoded)
    }
}
