import Program
import Sentences
import Settings
import Testing
import WebServer

@testable import LiveBoard

@Suite struct BoardSettingsTests {
    private func read(_ text: String) -> (settings: BoardSettings?, problems: [String]) {
        let (settings, problems) = BoardSettings.read(
            ProgramSettings(Array(text.utf8), path: "board.conf"),
            credentials: Credentials(directory: nil))
        return (settings, problems.map { "\($0)" })
    }

    @Test("an empty file is the local database, as the role of the program")
    func standard() {
        #expect(read("").settings == BoardSettings())
        #expect(BoardSettings().database == "dbname='fleet'" && BoardSettings().role == nil)
    }

    @Test("every key")
    func keys() {
        let settings = read(
            """
            [Board]
            Database=host=db dbname=fleet
            Shards=postgresql://board@db1/fleet postgresql:///fl%27eet?host=/run/db2
            Role=acme
            UserHeader=X-Remote-User
            Hosts=board.example.org, board
            """
        ).settings
        #expect(settings?.database == "dbname='fleet' host='db'" && settings?.role == "acme")
        #expect(
            settings?.shards == [
                "user='board' dbname='fleet' host='db1'", "dbname='fl\\'eet' host='/run/db2'",
            ])
        #expect(settings?.userHeader == "X-Remote-User")
        #expect(settings?.hosts == ["board.example.org", "board"])
    }

    @Test(
        "what would let others in is refused",
        arguments: [
            "UserHeader=Host", "UserHeader=authorization", "UserHeader=X Y", "UserHeader=X:",
            "UserHeader=Sec-Fetch-Site", "Hosts=board:80", "Hosts=*", "Password=secret", "Rolle=x",
            "Shards=postgresq://u@h/d", "Shards=postgresql://[", "Database=host=a b",
        ])
    func refused(_ line: String) {
        let (settings, problems) = read("[Board]\n\(line)\n")
        #expect(settings == nil && problems.count == 1, "\(problems)")
    }

    @Test("where it listens")
    func places() throws {
        #expect(try BoardArguments([]).place == .activated)
        #expect(try BoardArguments(["--loopback"]).place == .loopback(port: 0))
        #expect(try BoardArguments(["--port=8", "--loopback"]).place == .loopback(port: 8))
        #expect(try BoardArguments(["--socket", "/s"]).place == .socket("/s"))
        for words in [
            ["--port", "8"], ["--socket", "/s", "--loopback"], ["--socket=/s", "--port=1"],
        ] {
            #expect(throws: Failure.self, "\(words)") { try BoardArguments(words) }
        }
    }

    @Test(
        "the first language of the browser that there are sentences in",
        arguments: [
            ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("ja, fr-CA;q=0.5", "fr"),
            ("*", "en"), (",,;", "en"), ("PT-br", "pt"),
        ])
    func languages(_ accepted: String, _ code: String) {
        #expect(BoardPages.language(accepted).rawValue == code)
    }
}
