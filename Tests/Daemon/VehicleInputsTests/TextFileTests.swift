import Glibc
import SystemTestKit
import Systemd
import Testing

@testable import VehicleInputs

@MainActor
@Suite("A file that says something", .serialized)
struct TextFileTests {
    private let directory = TemporaryDirectory()
    private let loop: EventLoop
    private let path: String

    init() throws {
        loop = try EventLoop()
        mkdir(directory.file("card"), 0o700)
        path = directory.file("card/id")
    }

    @MainActor private final class Heard {
        var all: [TextFile.Content] = []
    }

    private func watch() throws -> (Heard, TextFile) {
        let heard = Heard()
        let file = try TextFile(on: loop, path: path, limit: 8) { heard.all.append($0) }
        return (heard, file)
    }

    @Test("is read at once, after it was written in place, replaced, emptied and removed")
    func changes() throws {
        let (heard, file) = try watch()
        #expect(try loop.run { heard.all == [.missing] })
        directory.write("jane\n", to: "card/id")
        #expect(try loop.run { heard.all.last == .text("jane") })
        // Another one of the directory, and the same again: nothing new.
        directory.write("x", to: "card/other")
        directory.write(" jane\t\r\n", to: "card/id")
        directory.write("bob", to: "card/next")
        #expect(rename(directory.file("card/next"), path) == 0)
        #expect(try loop.run { heard.all.last == .text("bob") })
        directory.write("\n", to: "card/id")
        #expect(try loop.run { heard.all.last == .text("") })
        unlink(path)
        #expect(try loop.run { heard.all.last == .missing })
        #expect(
            heard.all == [.missing, .text("jane"), .text("bob"), .text(""), .missing])
        withExtendedLifetime(file) {}
    }

    @Test("what cannot be one is refused, and the next one is read")
    func refused() throws {
        directory.write("ninechars", to: "card/id")
        let (heard, file) = try watch()
        #expect(try loop.run { heard.all == [.refused("more than 8 bytes")] })
        directory.write(String(repeating: "x", count: 1 << 20), to: "card/id")
        #expect(try loop.run { heard.all.last == .refused("is larger than 24 bytes") })
        let descriptor = open(path, O_WRONLY | O_TRUNC)
        #expect(write(descriptor, [0xFF, 0xFE] as [UInt8], 2) == 2)
        close(descriptor)
        #expect(try loop.run { heard.all.last == .refused("not UTF-8") })
        unlink(path)
        mkfifo(path, 0o600)
        #expect(try loop.run { heard.all.last == .refused("is a fifo, not a file") })
        unlink(path)
        directory.write("eightchr", to: "card/id")
        #expect(try loop.run { heard.all.last == .text("eightchr") })
        withExtendedLifetime(file) {}
    }

    @Test("its directory may come later, and go")
    func later() throws {
        rmdir(directory.file("card"))
        let (heard, file) = try watch()
        #expect(try loop.run { heard.all == [.missing] })
        mkdir(directory.file("card"), 0o700)
        directory.write("jane", to: "card/id")
        #expect(try loop.run(seconds: 30) { heard.all.last == .text("jane") })
        rename(directory.file("card"), directory.file("gone"))
        #expect(try loop.run(seconds: 30) { heard.all.last == .missing })
        rename(directory.file("gone"), directory.file("card"))
        #expect(try loop.run(seconds: 60) { heard.all.last == .text("jane") })
        withExtendedLifetime(file) {}
    }
}
