import Files
import Foundation
import SystemTestKit
import Testing

@Suite("files that are read and written")
struct OpenFileTests {
    private let directory = TemporaryDirectory()

    // MARK: Read as a whole

    @Test("a file is read up to its limit, and not beyond")
    func limit() throws {
        let path = directory.write(String(repeating: "x", count: 40_000), to: "file")
        #expect(try OpenFile.contents(of: path, limit: 40_000).count == 40_000)
        #expect(throws: UnreadableFile.larger(than: 39_999)) {
            try OpenFile.contents(of: path, limit: 39_999)
        }
        #expect(
            UnreadableFile.larger(than: 39_999).description == "is larger than 39999 bytes")
    }

    @Test("a file that grows beyond its limit while it is open is not read")
    func grows() throws {
        let path = directory.write("12", to: "file")
        let file = try OpenFile(regular: path, limit: 2)
        directory.write("123", to: "file")
        #expect(throws: UnreadableFile.larger(than: 2)) { try file.contents(limit: 2) }
    }

    @Test("what is no regular file is named, and not waited for")
    func others() {
        mkfifo(directory.file("fifo"), 0o600)
        let others = [
            ("fifo", "a fifo"), (".", "a directory"), ("../../dev/zero", "a device"),
        ]
        for (name, kind) in others {
            #expect(throws: UnreadableFile.other(kind), "\(name)") {
                try OpenFile.contents(of: directory.file(name), limit: 100)
            }
        }
        #expect(UnreadableFile.other("a fifo").description == "is a fifo, not a file")
    }

    @Test("a link is followed only where it may be", arguments: ["file", "nothing"])
    func links(target: String) throws {
        directory.write("text", to: "file")
        symlink(target, directory.file("link"))
        let path = directory.file("link")
        #expect(throws: UnreadableFile.system(Errno(ELOOP))) {
            try OpenFile.contents(of: path, limit: 100, followsLinks: false)
        }
        let read = try? OpenFile.contents(of: path, limit: 100)
        #expect(read == (target == "file" ? Array("text".utf8) : nil))
    }

    @Test(
        "what is not there is missing, and nothing else is",
        arguments: [("none", true), ("file/none", true), (".", false)])
    func missing(name: String, isMissing: Bool) {
        directory.write("", to: "file")
        do throws(UnreadableFile) {
            _ = try OpenFile.contents(of: directory.file(name), limit: 100)
            Issue.record("\(name) was read")
        } catch { #expect(error.isMissing == isMissing, "\(error)") }
    }

    @Test("reasons are in the words of the C library")
    func words() {
        #expect(Errno(ENOSPC).description == "No space left on device")
        #expect(UnreadableFile.system(Errno(ENOENT)).description == "No such file or directory")
        #expect(throws: Errno(ENOENT)) { try OpenFile(directory.file("none"), O_RDONLY) }
    }

    // MARK: Read and written in places

    @Test("bytes from a place on, fewer only where the file ends")
    func places() throws {
        let file = try OpenFile(directory.file("file"), O_RDWR | O_CREAT)
        try file.write([1, 2, 3, 4])
        try file.write([9, 9], at: 1)
        #expect(try file.bytes(at: 0, count: 4) == [1, 9, 9, 4])
        #expect(try file.bytes(at: 3, count: 100) == [4])
        #expect(try file.bytes(at: 4, count: 100).isEmpty)
        #expect(throws: Errno(EINVAL)) { try file.bytes(at: -1, count: 1) }
        #expect(try file.status().st_size == 4)
        #expect(try file.status().st_mode & 0o777 == 0o600)
    }

    @Test("a full disk is an error, wherever it is written")
    func full() throws {
        let file = try OpenFile("/dev/full", O_RDWR)
        #expect(throws: Errno(ENOSPC)) { try file.write([1]) }
        #expect(throws: Errno(ENOSPC)) { try file.write([1], at: 0) }
        #expect(throws: Errno(EBADF)) {
            try OpenFile(directory.write("", to: "file"), O_RDONLY).write([1])
        }
    }

    @Test("what is written to a pipe that does not block waits for its reader")
    func pipes() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (OpenFile(owning: ends[0]), ends[1])
        _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let thread = Thread {
            try? OpenFile.write(bytes, to: writing)
            close(writing)
        }
        thread.start()
        #expect(try reading.contents(limit: bytes.count) == bytes)
    }

    @Test("memory that is a file's is read from the file, and is allocated")
    func maps() throws {
        let path = directory.file("file")
        let map = try OpenFile(path, O_RDWR | O_CREAT).map(4_096)
        map.storeBytes(of: 42, toByteOffset: 4_095, as: UInt8.self)
        #expect(try OpenFile.contents(of: path, limit: 4_096).last == 42)
        munmap(map, 4_096)
        #expect(throws: Errno.self) { try OpenFile("/dev/null", O_RDWR).map(4_096) }
    }

    @Test("a file without a name leaves nothing, and is not inherited")
    func nameless() throws {
        let file = try OpenFile(namelessIn: directory.path)
        #expect(try Directory.names(in: directory.path).isEmpty)
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        try file.write([1, 2])
        #expect(try file.bytes(at: 0, count: 2) == [1, 2])
        #expect(throws: Errno(ENOENT)) { try OpenFile(namelessIn: directory.file("none")) }
    }
}
