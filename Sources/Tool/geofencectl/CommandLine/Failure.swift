import Files
import Glibc

/// Why the tool stops: shown as `geofencectl: what is wrong: where`.
struct Failure: Error, Hashable, CustomStringConvertible {
    /// 1: it failed; 2: wrong usage.
    var status: Int32
    /// What is wrong.
    var reason: String
    /// Empty if the reason contains it.
    var place: String

    init(_ reason: String, _ place: String = "") {
        self.init(status: 1, reason: reason, place: place)
    }

    init(_ error: Errno, _ place: String) { self.init(error.description, place) }

    /// What `body` does with the file at this path.
    static func at<Value>(
        _ path: String, _ body: () throws(Errno) -> Value
    ) throws(Failure) -> Value {
        do throws(Errno) { return try body() } catch { throw Failure(error, path) }
    }

    private init(status: Int32, reason: String, place: String) {
        self.status = status
        self.reason = reason
        self.place = place
    }

    /// A mistake on the command line.
    static func usage(_ reason: String, _ place: String) -> Failure {
        Failure(status: 2, reason: reason, place: place)
    }

    /// Stopped by a signal, with a shell's exit status.
    static func interrupted(_ signal: Int32) -> Failure {
        Failure(status: 128 + signal, reason: "interrupted", place: "")
    }

    /// The reader of its output has gone: the status a shell gives for SIGPIPE, without a message.
    static let unread = Failure(status: 128 + SIGPIPE, reason: "", place: "")

    /// Everything has been reported already.
    static let silent = Failure(status: 1, reason: "", place: "")

    var description: String { place.isEmpty ? reason : "\(reason): \(place)" }
}
