import Foundation
import Law
import Model
import Monitoring
import Testing
import Time

@testable import Configuration
@testable import Settings

/// A private root with configuration files in it, deleted with the test.
private final class Tree {
    let root = FileManager.default.temporaryDirectory
        .appending(path: "geofenced-settings-\(UUID().uuidString)").path

    func write(_ path: String, _ text: String) throws {
        let directory = (root + path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try text.write(toFile: root + path, atomically: false, encoding: .utf8)
    }

    func link(_ path: String, to target: String) throws {
        try write(path, "")
        try FileManager.default.removeItem(atPath: root + path)
        try FileManager.default.createSymbolicLink(
            atPath: root + path, withDestinationPath: target)
    }

    func load(config: String? = nil) -> LoadedSettings<Settings> {
        Settings.load(config: config.map { root + $0 }, root: root)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }
}

extension LoadedSettings {
    fileprivate func files(in tree: Tree) -> [String] {
        files.map { String($0.dropFirst(tree.root.count)) }
    }
}

@Suite("Files and drop-ins")
struct FilesTests {
    private let tree = Tree()

    @Test("without any file there is no problem")
    func none() {
        let loaded = tree.load()
        #expect(loaded.settings == Settings())
        #expect(loaded.problems.isEmpty)
        #expect(loaded.files.isEmpty)
    }

    @Test("only the first main file of /etc, /run and /usr/lib counts")
    func main() throws {
        try tree.write(
            "/usr/lib/geofenced/geofenced.conf", "[Window]\nSize=3\n[Journal]\nLocation=yes")
        #expect(tree.load().settings.engine.window.size == 3)
        try tree.write("/run/geofenced/geofenced.conf", "[Window]\nSize=4")
        #expect(tree.load().settings.engine.window.size == 4)
        try tree.write("/etc/geofenced/geofenced.conf", "[Window]\nSize=5")
        let loaded = tree.load()
        #expect(loaded.settings.engine.window.size == 5)
        #expect(!loaded.settings.journalHasLocation)
        #expect(loaded.files(in: tree) == ["/etc/geofenced/geofenced.conf"])
    }

    @Test("drop-ins come after the main file, by name whatever their directory")
    func dropIns() throws {
        try tree.write("/etc/geofenced/geofenced.conf", "[Window]\nSize=5\n[Fix]\nLostSec=5")
        try tree.write("/etc/geofenced/geofenced.conf.d/20-b.conf", "[Window]\nSize=6")
        try tree.write("/usr/lib/geofenced/geofenced.conf.d/30-c.conf", "[Window]\nSize=7")
        try tree.write("/run/geofenced/geofenced.conf.d/10-a.conf", "[Window]\nSize=8")
        try tree.write("/etc/geofenced/geofenced.conf.d/99.conf~", "[Window]\nSize=9")
        try tree.write("/etc/geofenced/geofenced.conf.d/.99.conf", "[Window]\nSize=9")
        let loaded = tree.load()
        #expect(loaded.settings.engine.window.size == 7)
        #expect(loaded.settings.engine.gates.lostAfter == .seconds(5))
        #expect(loaded.problems.isEmpty)
        #expect(
            loaded.files(in: tree) == [
                "/etc/geofenced/geofenced.conf", "/run/geofenced/geofenced.conf.d/10-a.conf",
                "/etc/geofenced/geofenced.conf.d/20-b.conf",
                "/usr/lib/geofenced/geofenced.conf.d/30-c.conf",
            ])
    }

    @Test("a drop-in masks those of its name in the directories below")
    func masks() throws {
        try tree.write("/usr/lib/geofenced/geofenced.conf.d/a.conf", "[Window]\nSize=3")
        #expect(tree.load().settings.engine.window.size == 3)
        try tree.write("/run/geofenced/geofenced.conf.d/a.conf", "[Window]\nSize=4")
        #expect(tree.load().settings.engine.window.size == 4)
        try tree.write("/etc/geofenced/geofenced.conf.d/a.conf", "[Fix]\nLostSec=5")
        #expect(tree.load().settings.engine.window.size == 20)
        try tree.link("/etc/geofenced/geofenced.conf.d/a.conf", to: "/dev/null")
        let masked = tree.load()
        #expect(masked.settings == Settings())
        #expect(masked.problems.isEmpty)
    }

    @Test("a file given by name has its own drop-ins, and the standard ones do not count")
    func given() throws {
        try tree.write("/etc/geofenced/geofenced.conf", "[Window]\nSize=5")
        try tree.write("/etc/geofenced/geofenced.conf.d/a.conf", "[Window]\nSize=6")
        try tree.write("/home/my.conf", "[Fix]\nLostSec=5\nStaleSec=6")
        try tree.write("/home/my.conf.d/b.conf", "[Fix]\nLostSec=7")
        let loaded = tree.load(config: "/home/my.conf")
        #expect(loaded.settings.engine.window.size == 20)
        #expect(loaded.settings.engine.gates.lostAfter == .seconds(7))
        #expect(loaded.settings.engine.gates.staleLimit == .seconds(6))
        #expect(loaded.files(in: tree) == ["/home/my.conf", "/home/my.conf.d/b.conf"])
    }

    @Test("a later bad value leaves the earlier good one, and is named with file and line")
    func badDropIn() throws {
        try tree.write("/etc/geofenced/geofenced.conf", "[Window]\nSize=5")
        try tree.write("/etc/geofenced/geofenced.conf.d/a.conf", "\n[Window]\n\nSize=many\n")
        let loaded = tree.load()
        #expect(loaded.settings.engine.window.size == 5)
        let file = "\(tree.root)/etc/geofenced/geofenced.conf.d/a.conf"
        #expect(
            loaded.problems == [
                SettingsProblem(
                    file: file, line: 4, key: "Size", reason: "many: not a whole number")
            ])
        #expect(loaded.problems.first?.description == "\(file):4: Size: many: not a whole number")
    }

    @Test("a file that cannot be read is a problem, and the others count")
    func unreadable() throws {
        try tree.write("/etc/geofenced/geofenced.conf", "[Window]\nSize=5")
        try tree.write("/etc/geofenced/geofenced.conf.d/a.conf/x", "")
        try tree.link("/etc/geofenced/geofenced.conf.d/b.conf", to: "nowhere")
        try tree.link("/etc/geofenced/geofenced.conf.d/c.conf", to: "/dev/zero")
        try tree.write("/etc/geofenced/geofenced.conf.d/d.conf", "[Fix]\nLostSec=5")
        try tree.write(
            "/etc/geofenced/geofenced.conf.d/e.conf", String(repeating: "#", count: 1_048_577))
        #expect(mkfifo("\(tree.root)/etc/geofenced/geofenced.conf.d/f.conf", 0o600) == 0)
        let loaded = tree.load()
        #expect(loaded.settings.engine.window.size == 5)
        #expect(loaded.settings.engine.gates.lostAfter == .seconds(5))
        let directory = "\(tree.root)/etc/geofenced/geofenced.conf.d"
        #expect(
            loaded.problems.map(\.description) == [
                "\(directory)/a.conf: is a directory, not a file",
                "\(directory)/b.conf: No such file or directory",
                "\(directory)/c.conf: is a device, not a file",
                "\(directory)/e.conf: is larger than 1048576 bytes",
                "\(directory)/f.conf: is a fifo, not a file",
            ])
    }

    @Test("a problem shows what a file says in part, and nothing that a terminal interprets")
    func shown() throws {
        let key = String(repeating: "K", count: 900_000) + "\u{1B}[2J"
        let problem = SettingsProblem(
            file: "a.conf", line: 1, key: key, reason: "unknown \u{9B}1m\u{202E}")
        #expect(problem.description.utf8.count < 2_000)
        #expect(problem.description.hasSuffix("…: unknown \u{FFFD}1m\u{FFFD}"))
    }

    @Test("a file given by name must be there")
    func missing() {
        let loaded = tree.load(config: "/no.conf")
        #expect(loaded.settings == Settings())
        #expect(
            loaded.problems.map(\.description) == [
                "\(tree.root)/no.conf: No such file or directory"
            ])
    }
}
