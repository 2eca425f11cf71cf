import Engine
import Glibc
import Storage

// Unsafe: system calls take a path or an array of ours, with its own count.

/// Breaks a loop of crashes. After three starts in a row that failed before a fix was judged, the
/// next leaves out what may be the cause: first an earlier process's checkpoint, then also the most
/// recently changed file of fences, then all fences.
///
/// Its marks are files in the runtime directory. The unit writes there how a process ended, which
/// only systemd knows: a process that is killed from outside, however often, starts normally.
@MainActor
final class CrashLoop {
    /// What this start leaves out; each case includes the ones before it.
    enum Measure: Int {
        case nothing, checkpoint, lastFile, fences
    }

    let measure: Measure
    /// Called when a file that was left out is read again.
    var onReadAgain: () -> Void = {}
    private let directory: String
    /// Starts before this one that failed and had not settled.
    private let failed: Int
    private var isSettled = false
    /// Files of fences that are left out, and when each was last changed, ns since 1970.
    private var leftOut: [String: Int64]

    /// The number of failures that are tolerated.
    private static let patience = 3

    /// - Parameter directory: the unit's runtime directory, which is kept during a restart.
    init(directory: String) {
        self.directory = directory
        let ended = Self.read("\(directory)/ended") ?? ""
        let before = Self.read("\(directory)/starts").map { Int($0) ?? 0 }
        // No mark: the previous one had settled, or stopped in order, or there was none.
        failed = before.map { $0 + (Self.isCrash(ended) ? 1 : 0) } ?? 0
        measure = Measure(rawValue: min(max(0, failed - Self.patience + 1), 3)) ?? .nothing
        leftOut = Self.names(Self.read("\(directory)/left-out") ?? "")
        unsafe unlink("\(directory)/ended")
        Self.write("\(failed)", to: "\(directory)/starts")
    }

    /// Takes the measure. Returns a line for each action; normally none.
    func apply(_ files: FenceFiles, checkpoint: String) -> [String] {
        guard measure != .nothing else { return [] }
        let times = "crashed \(failed) times before a fix was judged"
        var said: [String] = []
        for name in [checkpoint, "\(checkpoint)-waiting-0", "\(checkpoint)-waiting-1"]
        where unsafe rename(name, name + ".set-aside") == 0 {
            said.append("\(times): begins without \(name), set aside as \(name).set-aside")
        }
        if said.isEmpty { said.append("\(times): begins as after a power cut") }
        let present = (try? files.names()) ?? []
        var without: [String] = []
        if measure == .lastFile {
            without = present.max { files.changed($0) < files.changed($1) }.map { [$0] } ?? []
        } else if measure == .fences {
            without = present
        }
        for name in without { leftOut[name] = files.changed(name) }
        if !without.isEmpty {
            save()
            let names = without.prefix(5).joined(separator: ", ")
            let more = without.count > 5 ? " and \(without.count - 5) more" : ""
            said.append("\(times): begins without \(names)\(more) of \(files.directory)")
        }
        return said
    }

    /// Why the catalogue is quarantined, once.
    var condemnation: String? {
        failed == Self.patience + 2 ? "crashed \(failed) times with it" : nil
    }

    /// Nothing more can be left out: no need to hurry.
    var isHopeless: Bool { failed > Self.patience + 2 }

    /// Why something is left out in this run; nil if nothing is.
    var reason: String? {
        if !leftOut.isEmpty { return "left out: \(leftOut.keys.sorted().joined(separator: ", "))" }
        guard measure != .nothing, !isSettled else { return nil }
        return "crashed \(failed) times before a fix was judged"
    }

    /// A fix was judged, or it has run for long: the next start counts from the beginning.
    func settle() {
        guard !isSettled else { return }
        isSettled = true
        unsafe unlink("\(directory)/starts")
    }

    /// Whether a file of fences is not read: it has not changed since it was left out.
    func leavesOut(_ name: String, of files: FenceFiles) -> Bool {
        guard let changed = leftOut[name] else { return false }
        if files.changed(name) == changed { return true }
        leftOut[name] = nil
        save()
        onReadAgain()
        return false
    }

    private func save() {
        guard !leftOut.isEmpty else {
            unsafe unlink("\(directory)/left-out")
            return
        }
        // Names contain no slash.
        let text = leftOut.map { "\($0.value)/\($0.key)/" }.joined()
        Self.write(text, to: "\(directory)/left-out")
    }

    private static func names(_ text: String) -> [String: Int64] {
        let parts = text.split(separator: "/")
        return stride(from: 0, to: parts.count - 1, by: 2).reduce(into: [:]) {
            $0[String(parts[$1 + 1])] = Int64(parts[$1])
        }
    }

    /// `SERVICE_RESULT EXIT_STATUS`, see systemd.exec(5). A SIGKILL that is from neither the
    /// watchdog nor a lack of memory came from outside.
    private static func isCrash(_ ended: String) -> Bool {
        let words = ended.split(whereSeparator: \.isWhitespace)
        switch words.first {
        case "core-dump", "watchdog", "oom-kill", "timeout": return true
        case "signal":
            return ["SEGV", "ILL", "TRAP", "BUS", "FPE", "ABRT", "SYS", "XCPU", "XFSZ"]
                .contains(words.last)
        default: return false
        }
    }

    // MARK: Small files

    /// At most 1 MiB; nil if there is no such file.
    private static func read(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), 1 << 20))
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Renamed into place: a process that is killed meanwhile leaves the old text or the new one.
    private static func write(_ text: String, to path: String) {
        let file = unsafe open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let bytes = Array(text.utf8)
        let count = unsafe Glibc.write(file, bytes, bytes.count)
        close(file)
        if count == bytes.count { unsafe rename(path + ".new", path) }
    }
}
