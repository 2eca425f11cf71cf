import Glibc

/// A pseudo-terminal, see pty(7): what the test writes to the leader is read from the line.
package struct PseudoTerminal: Sendable {
    /// The test's end. The line hangs up when this is closed.
    package let leader: Int32
    /// The path of the line, which a program opens as a serial port.
    package let path: String

    /// Nil if it cannot be opened, with the reason in `errno`; `flags` are additional flags of
    /// open(2) for the leader.
    package init?(flags: Int32 = 0) {
        leader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | flags)
        guard leader >= 0 else { return nil }
        // grantpt(3) and others are not in the module; this is what they do on Linux, see pty(4).
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        path =
            ioctl(leader, 0x4004_5431, &isLocked) == 0  // TIOCSPTLCK
                && ioctl(leader, 0x8004_5430, &number) == 0  // TIOCGPTN
            ? "/dev/pts/\(number)" : ""
        guard access(path, R_OK | W_OK) == 0 else {
            close(leader)
            return nil
        }
    }
}
