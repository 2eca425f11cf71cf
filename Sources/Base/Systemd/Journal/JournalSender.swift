import CSystemd
import Files
import Glibc

// Unsafe: memfd_create(2) takes a name of ours.

/// Sends entries to journald without ever blocking. sd_journal_sendv(3) blocks for ever once the
/// socket of a stopped journald is full, so its protocol is implemented here:
/// https://systemd.io/JOURNAL_NATIVE_PROTOCOL/
@MainActor
package final class JournalSender {
    /// The result of sending an entry.
    package enum Outcome: Equatable, Sendable {
        case sent
        /// journald does not read at the moment: keep the entry and try again later. The socket
        /// does not signal when (it is not connected): use a timer.
        case wouldBlock
        /// Nothing listens, or the entry could not be sent: the errno.
        case unavailable(Int32)
    }

    private let socket: DatagramSocket

    /// Does not connect yet: journald may stop and start at any time.
    package init(path: String = "/run/systemd/journal/socket") throws(SystemError) {
        socket = try DatagramSocket(path: path)
    }

    /// Sends one entry, completely or not at all; never blocks.
    package func send(_ entry: JournalEntry) -> Outcome {
        let bytes = entry.serialized
        let code = socket.send(bytes)
        // As sd_journal_sendv does: an entry too large for a datagram is sent as a file.
        guard code == EMSGSIZE || code == ENOBUFS else { return outcome(code) }
        do throws(SystemError) {
            let file = try memoryFile(holding: bytes, name: "journal-entry")
            return outcome(socket.send([], descriptors: [file.descriptor]))
        } catch {
            return .unavailable(error.errno)
        }
    }

    private func outcome(_ code: Int32) -> Outcome {
        switch code {
        case 0: .sent
        case EAGAIN, ENOBUFS: .wouldBlock
        default: .unavailable(code)
        }
    }
}

/// "A datagram with an empty payload, but with a single memfd file descriptor … fully sealed (i.e.
/// F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE and F_SEAL_SEAL)": nobody can change it under journald.
private func memoryFile(holding bytes: [UInt8], name: String) throws(SystemError) -> OpenFile {
    // MFD_CLOEXEC | MFD_ALLOW_SEALING, which Swift's Glibc module does not have.
    let descriptor = unsafe memfd_create(name, 1 | 2)
    guard descriptor >= 0 else { throw .last("making a file in memory") }
    let file = OpenFile(owning: descriptor)
    do throws(Errno) { try file.write(bytes) } catch {
        throw SystemError(operation: "writing a file in memory", errno: error.code)
    }
    // F_ADD_SEALS; the four seals above.
    guard fcntl(descriptor, 1033, Int32(1 | 2 | 4 | 8)) == 0 else {
        throw .last("sealing a file in memory")
    }
    return file
}
