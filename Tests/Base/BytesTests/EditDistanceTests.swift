import Bytes
import Testing

@Suite("edit distance")
struct EditDistanceTests {
    @Test(
        "letters that are added, removed, replaced or exchanged count one each",
        arguments: [
            ("dwell", "dwell", 0), ("dwel", "dwell", 1), ("dwelll", "dwell", 1),
            ("dwall", "dwell", 1), ("dewll", "dwell", 1), ("", "ab", 2), ("ab", "", 2),
            ("tilte", "title", 1), ("kitten", "sitting", 3), ("straße", "strasse", 2),
        ])
    func distance(_ first: String, _ second: String, _ distance: Int) {
        for limit in 0...4 {
            #expect(
                first.editDistance(to: second, atMost: limit) == (distance > limit ? nil : distance)
            )
        }
    }
}
