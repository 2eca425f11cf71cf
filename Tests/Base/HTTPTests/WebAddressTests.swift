import HTTP
import Testing

@Suite struct WebAddressTests {
    @Test(
        "An address is normalised, and its origin has a port",
        arguments: [
            (
                "https://ERP.example/a/../b?x=1#f", "https://erp.example/b?x=1",
                "https://erp.example:443"
            ),
            ("http://h:8080", "http://h:8080/", "http://h:8080"),
            ("http://[::1]/", "http://[::1]/", "http://[::1]:80"),
        ])
    func normal(_ text: String, _ whole: String, _ origin: String) throws {
        let address = try WebAddress(text)
        #expect(address.origin == origin)
        #expect(address.text.lowercased() == whole)
    }

    @Test(
        "What is no http or https address is refused",
        arguments: [
            "", "x", "/a", "ftp://h/", "file:///etc/passwd", "https://", "https://u@h/",
            "https://u:p@h/", "https://h/a b", "https://h/\u{1}", "gopher://h",
        ])
    func flawed(_ text: String) {
        #expect(throws: FlawedAddress.self) { try WebAddress(text) }
    }

    @Test(
        "A link of an answer is resolved against its request",
        arguments: [
            ("G?$skiptoken='a'", "https://h/svc/G?$skiptoken='a'"),
            ("/x?y=a b", "https://h/x?y=a%20b"),
            ("?start=5", "https://h/svc/F?start=5"),
            ("https://h:444/z", "https://h:444/z"),
        ])
    func links(_ link: String, _ expected: String) throws {
        let base = try WebAddress("https://h/svc/F?a=1")
        #expect(try base.resolving(link).text == expected)
    }

    @Test("Names and values are escaped, those of OData readable")
    func building() throws {
        let address = try WebAddress("https://h/svc/?k=1").appending(path: "A B")
            .appending(query: [("$filter", "Active eq true & 1")])
        #expect(address.text == "https://h/svc/A%20B?k=1&$filter=Active%20eq%20true%20%26%201")
    }
}
