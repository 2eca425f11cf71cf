import Glibc
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct NotifyTests {
    let directory = TemporaryDirectory()
    let manager: UnixSocket
    let service: ServiceManager

    init() throws {
        manager = try UnixSocket(receivingAt: directory.file("notify"))
        service = try ServiceManager(path: directory.file("notify"))
    }

    @Test("the states of a service arrive as sd_notify(3) has them")
    func states() throws {
        #expect(service.ready(status: "12 fences\nwatched") == .sent)
        #expect(manager.receiveText() == "READY=1\nSTATUS=12 fences watched")
        service.status("no fix")
        #expect(manager.receiveText() == "STATUS=no fix")
        service.stopping()
        #expect(manager.receiveText() == "STOPPING=1")
        service.watchdog()
        #expect(manager.receiveText() == "WATCHDOG=1")
    }

    @Test("a reload says when it began, on CLOCK_MONOTONIC in microseconds")
    func reload() throws {
        func now() -> UInt64 {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
        }
        let before = now()
        service.reloading()
        let lines = manager.receiveText()?.split(separator: "\n") ?? []
        #expect(lines.first == "RELOADING=1")
        let time = try #require(lines.last?.split(separator: "=").last.flatMap { UInt64($0) })
        #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect((before...now()).contains(time))
    }

    @Test("a socket in the abstract namespace is reached")
    func abstract() throws {
        let name = "@geofenced-test-\(getpid())"
        let receiver = try UnixSocket(receivingAt: name)
        let service = try ServiceManager(path: name)
        #expect(service.ready() == .sent)
        #expect(receiver.receiveText() == "READY=1")
    }

    @Test("a manager that does not read does not stop us")
    func full() {
        var sent = 0
        let start = EventLoop.uptime
        while service.status("again") == .sent, sent < 100_000 { sent += 1 }
        #expect(service.status("once more") == .wouldBlock)
        #expect(EventLoop.uptime - start < .seconds(2))
    }

    @Test("outside of a service nothing is sent")
    func none() throws {
        #expect(try ServiceManager(path: nil).ready() == .notAService)
        manager.close()
        #expect(service.ready() == .failed(ECONNREFUSED))
    }

    @Test("a descriptor is handed over for keeping, by a name the manager takes")
    func store() throws {
        let file = open(directory.write("state", to: "state"), O_RDONLY)
        defer { close(file) }
        #expect(service.store([file], name: "state") == .sent)
        let (bytes, descriptors) = try #require(manager.receive())
        #expect(String(decoding: bytes, as: UTF8.self) == "FDSTORE=1\nFDNAME=state")
        let kept = try #require(descriptors.first)
        defer { close(kept) }
        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(pread(kept, &buffer, 10, 0) == 5)
        for name in ["", "a:b", "ü", "a\nREADY=1", String(repeating: "x", count: 256)] {
            #expect(service.store([file], name: name) == .failed(EINVAL))
        }
        #expect(service.store([], name: "none") == .failed(EINVAL))
        #expect(manager.receive() == nil)
        #expect(service.forget(name: "state") == .sent)
        #expect(manager.receiveText() == "FDSTOREREMOVE=1\nFDNAME=state")
    }

    @Test("the loop feeds the watchdog at the rate asked for, and only when asked")
    func watchdog() throws {
        #expect(ServiceManager.watchdogInterval == nil)
        #expect(try Watchdog(EventLoop(), service) == nil)
        setenv("NOTIFY_SOCKET", directory.file("notify"), 1)
        setenv("WATCHDOG_USEC", "100000", 1)
        setenv("WATCHDOG_PID", "\(getpid())", 1)
        defer { for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
        #expect(ServiceManager.watchdogInterval == .milliseconds(100))
        let loop = try EventLoop()
        let watchdog = try #require(try Watchdog(loop, service))
        var fed = 0
        try loop.run(seconds: 5) {
            while manager.receiveText() == "WATCHDOG=1" { fed += 1 }
            return fed >= 3
        }
        #expect(fed >= 3)
        // A turn of the loop after half of the time saves the wake-up.
        usleep(60_000)
        watchdog.feedIfDue(at: EventLoop.uptime)
        #expect(manager.receiveText() == "WATCHDOG=1")
        watchdog.feedIfDue(at: EventLoop.uptime)
        #expect(manager.receiveText() == nil)
        watchdog.wasBusy()
        watchdog.wasBusy()
        #expect(manager.receiveText() == "WATCHDOG_USEC=90000000")
        #expect(manager.receiveText() == nil, "said once")
        watchdog.isResting = true
        watchdog.isResting = true
        #expect(manager.receiveText() == "WATCHDOG_USEC=300000000")
        #expect(manager.receiveText() == "WATCHDOG=1")
        #expect(manager.receiveText() == nil, "said once")
        watchdog.isResting = false
        #expect(manager.receiveText() == "WATCHDOG_USEC=90000000", "the disk may still be slow")
        #expect(manager.receiveText() == "WATCHDOG=1")
    }

    @Test("a connection is kept under its name; an ended one is dead for every holder")
    func descriptors() throws {
        var pair: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { close(pair[1]) }
        let store = DescriptorStore(service, left: [("a", pair[0])])
        var taken = [String: Int32]()
        #expect(!store.isEmpty)
        for name in ["b", "a", "a"] {
            if let one = store.take(where: { $0 == name }) { taken[one.name] = one.descriptor }
            #expect(taken.isEmpty == (name == "b"))
        }
        #expect(taken == ["a": pair[0]] && store.isEmpty)
        store.keep(pair[0], name: "a")
        let kept = try #require(manager.receive()?.1.first)
        defer { close(kept) }
        store.drop(pair[0], name: "a")
        close(pair[0])
        #expect(manager.receiveText() == "FDSTOREREMOVE=1\nFDNAME=a")
        // The copy that the manager may still hold.
        #expect(send(kept, "x", 1, Int32(MSG_NOSIGNAL)) < 0)
        #expect(try ServiceManager.takeDescriptors().isEmpty)
        var other: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &other) == 0)
        defer { close(other[1]) }
        DescriptorStore(service, left: [("c", other[0])]).dropRest()
        #expect(manager.receiveText() == "FDSTOREREMOVE=1\nFDNAME=c")
        #expect(fcntl(other[0], F_GETFD) < 0)
    }

    @Test("no descriptors are taken if none were passed")
    func noDescriptors() throws {
        #expect(try ServiceManager.takeDescriptors().isEmpty)
    }

    @Test("the boot id is the kernel's")
    func boot() throws {
        let stream = try #require(fopen("/proc/sys/kernel/random/boot_id", "r"))
        defer { fclose(stream) }
        var buffer = [CChar](repeating: 0, count: 64)
        _ = fgets(&buffer, 64, stream)
        let uuid = String(
            decoding: buffer.prefix(36).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        #expect(try ServiceManager.bootID() == uuid.filter { $0 != "-" })
    }

    @Test(
        "if the kernel's is not accessible, the boot id is the credential",
        arguments: [
            ("01234567-89ab-cdef-0123-456789abcdef\n", "0123456789abcdef0123456789abcdef"),
            ("01234567-89ab-cdef-0123-456789abcdeg\n", nil),
            ("01234567-89ab", nil),
            ("", nil),
        ] as [(String, String?)])
    func credential(_ text: String, _ expected: String?) {
        directory.write(text, to: "boot_id")
        #expect(ServiceManager.bootID(inCredentials: directory.file("")) == expected)
        #expect(ServiceManager.bootID(inCredentials: directory.file("none")) == nil)
        #expect(ServiceManager.bootID(inCredentials: nil) == nil)
    }
}
