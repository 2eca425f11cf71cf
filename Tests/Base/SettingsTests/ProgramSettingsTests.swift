import Foundation
import Settings
import Testing

@Suite("The file of a companion")
struct ProgramSettingsTests {
    private enum Word: String, CaseIterable { case one, two }

    private func file(_ text: String) -> ProgramSettings {
        ProgramSettings(Array(text.utf8), path: "f")
    }

    @Test("the last value counts, and an empty one is the default")
    func values() {
        var file = file("[A]\nK=1\nL=a, b c\nF=yes\nS=2min\nW=two\n[A]\nK=2\nF=\n")
        #expect(file.text("A", "K") == "2")
        #expect(file.list("A", "L") == ["a", "b", "c"])
        #expect(file.flag("A", "F", false) == false)
        #expect(file.span("A", "S", 1, in: 0...600) == 120)
        #expect(file.choice("A", "W", Word.one) == .two)
        #expect(file.text("A", "M") == nil)
        file.finish()
        #expect(file.problems.isEmpty)
    }

    @Test("what is wrong is named in the order of its lines, and the default stands")
    func problems() {
        var file = file("[B]\n[A]\nT=1\nW=three\nS=1h\nF=maybe\nno assignment\nX-Own=1\n")
        #expect(file.span("A", "S", 7, in: 0...600) == 7)
        #expect(file.choice("A", "W", Word.one) == .one)
        #expect(file.flag("A", "F", true) == true)
        file.finish()
        file.refuse("A", "S", "said later")
        #expect(file.problems.compactMap(\.line) == [1, 3, 4, 5, 5, 6, 7])
        #expect(
            file.problems.map(\.description).prefix(3) == [
                "f:1: unknown section [B]", "f:3: T: unknown key in [A]",
                "f:4: W: three: not one of one, two",
            ])
    }

    @Test("a file that cannot be read is a problem")
    func unreadable() {
        #expect(
            ProgramSettings(path: "/nowhere").problems.map(\.description)
                == ["/nowhere: No such file or directory"])
        #expect(
            ProgramSettings(path: "/dev/zero").problems.map(\.description)
                == ["/dev/zero: is a device, not a file"])
        var settings = ProgramSettings(path: "/nowhere")
        settings.refuse("A", "URL", "is missing")
        settings.finish()
        #expect(settings.problems.count == 1)
    }

    @Test("what may be a secret is not repeated")
    func secrets() {
        var file = file("[A]\nP=rose\nQ=@rose\nR=mqtt://u:rose@h\n")
        #expect(file.credential("A", "P") == nil)
        #expect(file.credential("A", "Q") == "rose")
        let flag = file.flag("A", "R", false)
        #expect(!flag)
        #expect(
            file.problems.map(\.description) == [
                "f:2: P: not the name of a credential: @NAME", "f:4: R: not a boolean: yes or no",
            ])
    }

    @Test("credentials are files of a directory, or of one that was loaded as c")
    func credentials() throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "credentials-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in [("a", "rose\n"), ("c_b", "tulip"), ("empty", "\n"), ("nul", "a\0b")] {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
        let credentials = Credentials(directory: directory.path)
        #expect(try credentials.text(of: "a") == "rose")
        #expect(try credentials.text(of: "b") == "tulip")
        #expect(try credentials.path(of: "b") == directory.appending(path: "c_b").path)
        for name in ["empty", "nul", "none"] {
            #expect(throws: BadValue.self) { try credentials.text(of: name) }
        }
        #expect(throws: BadValue(reason: "no credentials were loaded, and @a is needed")) {
            try Credentials(directory: nil).text(of: "a")
        }
    }
}
