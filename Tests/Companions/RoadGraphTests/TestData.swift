/// The files beside the tests.
enum TestData {
    static func path(_ name: String) -> String {
        let here = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return here.joined(separator: "/") + "/Data/" + name
    }
}
