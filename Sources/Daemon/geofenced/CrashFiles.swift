import Bytes
import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count; a page of a file is
// mapped, and stays so.

/// The marks of ``CrashLoop``: small files in the runtime directory.
struct CrashFiles {
    let directory: String

    /// How the previous process ended, once.
    func takeEnding() -> String? {
        defer { unsafe unlink("\(directory)/ended") }
        return read("ended")
    }

    /// Starts in a row that have failed; nil if the last one had settled.
    var starts: Int? {
        get { read("starts").map { Int($0) ?? 0 } }
        nonmutating set { write(newValue.map(String.init), to: "starts") }
    }

    /// What is left out, and when that was last changed, ns since 1970: of a file.
    var leftOut: [InHand.Item: Int64] {
        get { items("left-out") }
        nonmutating set { save(newValue, to: "left-out") }
    }

    /// What was in hand at crashes, and how often.
    var suspects: [InHand.Item: Int] {
        get { items("suspects").mapValues { Int($0) } }
        nonmutating set { save(newValue.mapValues { Int64($0) }, to: "suspects") }
    }

    /// What the process before had in hand; from now on it is what this one has.
    func takeInHand() -> InHand.Item? {
        let file = unsafe open("\(directory)/in-hand", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // Allocated before it is mapped: a full tmpfs is an error here, not a SIGBUS later.
        guard posix_fallocate(file, 0, off_t(InHand.size)) == 0,
            let page = unsafe mmap(
                nil, InHand.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            unsafe page != MAP_FAILED
        else { return nil }
        return unsafe InHand.use(page)
    }

    /// Renames a file to `.set-aside`; false if there is none.
    static func setAside(_ path: String) -> Bool {
        unsafe rename(path, path + ".set-aside") == 0
    }

    /// A line for each item: a number, the kind, the name. Names have no control characters, except
    /// that a file or a message may: what has a newline is not remembered.
    private func items(_ name: String) -> [InHand.Item: Int64] {
        let lines = (read(name) ?? "").split(separator: "\n")
        return lines.reduce(into: [:]) { items, line in
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard words.count == 3, let value = Int64(words[0]),
                let kind = InHand.Kind(rawValue: String(words[1]))
            else { return }
            items[InHand.Item(kind, String(words[2]))] = value
        }
    }

    private func save(_ items: [InHand.Item: Int64], to name: String) {
        let lines = items.filter { !$0.key.name.utf8.contains(0x0A) }
            .map { "\($0.value) \($0.key.kind.rawValue) \($0.key.name)\n" }
        write(lines.isEmpty ? nil : lines.sorted().joined(), to: name)
    }

    /// At most 1 MiB; nil if there is no such file.
    private func read(_ name: String) -> String? {
        let file = unsafe open("\(directory)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), 1 << 20))
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Renamed into place: a process that is killed meanwhile leaves the old text or the new one.
    /// Nil removes the file.
    private func write(_ text: String?, to name: String) {
        let path = "\(directory)/\(name)"
        guard let text else {
            unsafe unlink(path)
            return
        }
        let file = unsafe open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let bytes = Array(text.utf8)
        let count = unsafe Glibc.write(file, bytes, bytes.count)
        close(file)
        if count == bytes.count { unsafe rename(path + ".new", path) }
    }
}
