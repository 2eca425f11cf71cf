import Files
import Foundation
import SystemTestKit
import Testing

@Suite("files that replace others")
struct ReplacementTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("file") }

    private func text(_ name: String = "file") -> String? {
        (try? OpenFile.contents(of: directory.file(name), limit: 100))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private var names: [String] { (try? Directory.names(in: directory.path)) ?? [] }

    @Test(
        "the path has the new file once it is finished, with its permissions",
        arguments: [Replacement.Temporary.fixed, .unique, .named("a")])
    func finished(temporary: Replacement.Temporary) throws {
        directory.write("former", to: "file")
        let replacement = try Replacement(of: path, mode: 0o666, temporary)
        try replacement.file.write(Array("new".utf8))
        #expect(text() == "former")
        #expect(try replacement.file.status().st_mode & 0o777 == 0o600)
        try replacement.finish()
        #expect(text() == "new")
        #expect(names == ["file"])
        // Whatever the umask.
        #expect(try replacement.file.status().st_mode & 0o777 == 0o666)
    }

    @Test("a new one does not replace what came meanwhile, and is not what was left of another")
    func new() throws {
        directory.write("left", to: "file.a.new")
        try FileManager.default.linkItem(
            atPath: directory.file("file.a.new"), toPath: directory.file("other"))
        let replacement = try Replacement(of: path, .named("a"))
        try replacement.file.write(Array("new".utf8))
        #expect(text("other") == "left")
        directory.write("meanwhile", to: "file")
        #expect(throws: Errno(EEXIST)) { try replacement.finish(isNew: true) }
        #expect(text() == "meanwhile")
        try FileManager.default.removeItem(atPath: path)
        try replacement.finish(isNew: true)
        #expect(text() == "new")
        #expect(names.sorted() == ["file", "other"])
    }

    @Test(
        "one that is not finished leaves the former, and nothing else",
        arguments: [Replacement.Temporary.fixed, .unique, .named("a")])
    func dropped(temporary: Replacement.Temporary) throws {
        directory.write("former", to: "file")
        do {
            let replacement = try Replacement(of: path, temporary)
            try replacement.file.write([1])
            #expect(names.count == 2)
        }
        #expect(names == ["file"])
        #expect(text() == "former")
    }

    @Test("one that cannot take its place throws, and leaves nothing")
    func impossible() throws {
        mkdir(path, 0o700)
        directory.write("", to: "file/inside")
        #expect(throws: Errno(EISDIR)) { try Replacement.write([1], to: path) }
        #expect(names == ["file"])
        #expect(throws: Errno(ENOENT)) {
            try Replacement.write([1], to: directory.file("none/file"))
        }
    }

    @Test("what a killed process has left is overwritten")
    func leftover() throws {
        directory.write("much more than is written now", to: "file.new")
        try Replacement.write(Array("new".utf8), to: path)
        #expect(text() == "new")
        #expect(names == ["file"])
    }

    @Test("a link in place of the temporary is not followed")
    func link() throws {
        directory.write("other", to: "other")
        symlink("other", directory.file("file.new"))
        #expect(throws: Errno(ELOOP)) { try Replacement.write([1], to: path) }
        #expect(text("other") == "other")
    }

    @Test("two at once do not meet where each has a name of its own")
    func twoAtOnce() throws {
        let one = try Replacement(of: path, .unique)
        let other = try Replacement(of: path, .unique)
        try one.file.write(Array("one".utf8))
        try other.file.write(Array("other".utf8))
        try one.finish()
        #expect(text() == "one")
        try other.finish()
        #expect(text() == "other")
        #expect(names == ["file"])
    }
}

@Suite("directories")
struct DirectoryTests {
    private let directory = TemporaryDirectory()

    @Test("names are in the order of their bytes, those that are meant, up to a limit")
    func names() throws {
        for name in ["b", "ä", "B", ".hidden", "a.json"] { directory.write("", to: name) }
        #expect(try Directory.names(in: directory.path) == [".hidden", "B", "a.json", "b", "ä"])
        #expect(try Directory.names(in: directory.path) { $0.hasSuffix(".json") } == ["a.json"])
        #expect(try Directory.names(in: directory.path, limit: 3).count == 3)
    }

    @Test("what is no directory is an error")
    func none() {
        directory.write("", to: "file")
        #expect(throws: Errno(ENOENT)) { try Directory.names(in: directory.file("none")) }
        #expect(throws: Errno(ENOTDIR)) { try Directory.names(in: directory.file("file")) }
        #expect(throws: Errno(ENOENT)) { try Directory.sync(directory.file("none")) }
        #expect(throws: Errno(ENOENT)) {
            try Directory.move(directory.file("none"), to: directory.file("other"))
        }
    }

    @Test("a directory that was moved is the same, one in its place is another")
    func identity() throws {
        let (one, two) = (directory.file("one"), directory.file("two"))
        mkdir(one, 0o700)
        let before = try Directory.list(one).identity
        try Directory.move(one, to: two)
        mkdir(one, 0o700)
        #expect(try Directory.list(two).identity == before)
        #expect(try Directory.list(one).identity != before)
        try Directory.sync(directory.path)
    }

    @Test("temporary directories are new ones, of their owner")
    func temporary() throws {
        let (one, two) = (
            try Directory.makeTemporary(directory.file("x-")),
            try Directory.makeTemporary(directory.file("x-"))
        )
        #expect(one != two)
        #expect(one.hasPrefix(directory.file("x-")) && one.utf8.count == two.utf8.count)
        var status = stat()
        #expect(stat(one, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test(
        "the directory of a path",
        arguments: [
            ("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a"), ("./a", "."), ("/a/b/c", "/a/b"),
        ])
    func parent(path: String, parent: String) {
        #expect(Directory.parent(of: path) == parent)
    }
}
