import Glibc
import SystemTestKit

/// In the role of the service manager: starts the daemon with the descriptors that the previous one
/// has stored.
@MainActor
final class ManagerStandIn {
    private let bench: DaemonBench

    init(_ bench: DaemonBench) throws {
        self.bench = bench
        let notify = bench.directory.file("notify")
        bench.environment["NOTIFY_SOCKET"] = notify
        bench.wrapper = [
            "/usr/bin/python3", "-u", bench.directory.write(Self.script, to: "manager.py"),
        ]
    }

    func stop() { bench.daemon?.signal(SIGUSR1) }
    func resume() { bench.daemon?.signal(SIGCONT) }
    func killAndStart() { bench.daemon?.signal(SIGUSR2) }
    func terminateAndStart() { bench.daemon?.signal(SIGHUP) }

    private static let script = """
        import array, ctypes, fcntl, os, signal, socket, sys
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(os.environ["NOTIFY_SOCKET"])
        notify.settimeout(0.05)
        store, child = {}, None

        def start():
            global child
            child = os.fork()
            if child == 0:
                ctypes.CDLL(None).prctl(1, 9)  # It ends with us.
                os.setsid()  # And hears what is said to it alone.
                names = sorted(store)
                for number, name in enumerate(names):
                    os.dup2(store[name], 3 + number)
                if names:
                    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(names)),
                                      LISTEN_FDNAMES=":".join(names))
                os.execv(sys.argv[1], sys.argv[1:])

        def again(how):
            os.kill(child, how)
            os.waitpid(child, 0)
            receive()
            start()

        def receive():
            while True:
                try:
                    text, control, _, _ = notify.recvmsg(4096, socket.CMSG_SPACE(64))
                except TimeoutError:
                    return
                fields = dict(line.split("=", 1) for line in text.decode().splitlines())
                for _, _, data in control:
                    kept = array.array("i", data[:4])[0]
                    # Out of the way of those that are handed over.
                    store[fields["FDNAME"]] = fcntl.fcntl(kept, fcntl.F_DUPFD_CLOEXEC, 20)
                    os.close(kept)
                if "FDSTOREREMOVE" in fields and fields["FDNAME"] in store:
                    os.close(store.pop(fields["FDNAME"]))

        pending = []
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGCONT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(number, lambda number, frame: pending.append(number))
        start()
        while True:
            receive()
            while pending:
                number = pending.pop(0)
                if number == signal.SIGUSR1: os.kill(child, signal.SIGSTOP)
                if number == signal.SIGCONT: os.kill(child, signal.SIGCONT)
                if number == signal.SIGUSR2: again(signal.SIGKILL)
                if number == signal.SIGHUP: again(signal.SIGTERM)
                if number == signal.SIGTERM:
                    os.kill(child, signal.SIGTERM)
                    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
}
