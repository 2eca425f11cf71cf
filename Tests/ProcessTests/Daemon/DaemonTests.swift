import Testing

/// The daemon as installed: the real program, gpsd, dbus-daemon, journald, SQLite. One at a time:
/// each of them waits for programs that need the CPU.
@Suite("the daemon", .serialized)
struct DaemonTests {}
