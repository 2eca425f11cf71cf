import Files
import Glibc

// Unsafe: open(2), fstat(2) and the terminal's settings use a path and structs of ours.

/// A receiver's descriptor: its type, and how to read it.
struct NmeaInput {
    enum Kind: Equatable {
        /// A serial line, or a pty.
        case terminal
        /// A named pipe, which a new writer may open when the last one has closed it.
        case fifo
        /// A device that is not a terminal, such as /dev/gnss0.
        case device
        /// Standard input of any type, or a socket: its end is final.
        case stream
        /// A regular file.
        case file
    }

    let descriptor: Int32
    let kind: Kind
    private let isOwned: Bool

    /// Why it cannot be opened.
    struct Failure: Error {
        let reason: String

        /// The error that the C library has just left in errno.
        fileprivate static var last: Failure {
            Failure(reason: Errno.last.description)
        }
    }

    /// Opens a path, `-` being the standard input. Does not block, nor acquire a controlling
    /// terminal.
    static func open(_ path: String, baud: Int?) -> Result<NmeaInput, Failure> {
        let isStandard = path == "-"
        let descriptor =
            unsafe isStandard
            ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(.last) }
        return kind(of: descriptor, isStandard).flatMap { kind in
            let input = NmeaInput(descriptor: descriptor, kind: kind, isOwned: !isStandard)
            if kind == .terminal, let failure = makeRaw(descriptor, baud) {
                return .failure(failure)
            }
            if isStandard {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            }
            return .success(input)
        }.mapError { failure in
            if !isStandard { Glibc.close(descriptor) }
            return failure
        }
    }

    private static func kind(of descriptor: Int32, _ isStandard: Bool) -> Result<Kind, Failure> {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return .failure(.last) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .success(.file)
        // The terminal of our parent keeps its settings.
        case S_IFCHR where isStandard: return .success(.stream)
        case S_IFCHR: return .success(isatty(descriptor) == 1 ? .terminal : .device)
        case S_IFIFO: return .success(isStandard ? .stream : .fifo)
        case S_IFSOCK: return .success(.stream)
        case S_IFDIR: return .failure(Failure(reason: Errno(EISDIR).description))
        default: return .failure(Failure(reason: "nothing that can be read from"))
        }
    }

    /// Unprocessed bytes: no echo (which a receiver would take for commands), no line editing, no
    /// signals, modem control lines ignored. The speed is left as it is unless one is given.
    private static func makeRaw(_ descriptor: Int32, _ baud: Int?) -> Failure? {
        var line = termios()
        guard unsafe tcgetattr(descriptor, &line) == 0 else { return .last }
        unsafe cfmakeraw(&line)
        line.c_cflag |= tcflag_t(CLOCAL | CREAD)
        if let baud {
            guard let speed = speeds[baud] else {
                return Failure(reason: "no serial line has \(baud) baud")
            }
            unsafe cfsetispeed(&line, speed)
            unsafe cfsetospeed(&line, speed)
        }
        return unsafe tcsetattr(descriptor, TCSANOW, &line) == 0 ? nil : .last
    }

    private static let speeds: [Int: speed_t] = [
        1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
        19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600),
        115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800),
        921_600: speed_t(B921600),
    ]

    /// The standard input is not ours to close.
    func close() { if isOwned { Glibc.close(descriptor) } }
}
