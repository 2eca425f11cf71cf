import Bytes
import Files
import Glibc

// Unsafe: unlink(2) takes a path of ours; a page of a file is mapped, and stays so.

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
        guard let file = try? OpenFile("\(directory)/in-hand", O_RDWR | O_CREAT),
            let page = try? unsafe file.map(InHand.size)
        else { return nil }
        return unsafe InHand.use(page)
    }

    /// Renames a file to `.set-aside`; false if there is none.
    static func setAside(_ path: String) -> Bool {
        (try? Directory.move(path, to: path + ".set-aside")) != nil
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
        (try? OpenFile.contents(of: "\(directory)/\(name)", limit: 1 << 20))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Nil removes the file. What cannot be written is forgotten.
    private func write(_ text: String?, to name: String) {
        let path = "\(directory)/\(name)"
        if let text {
            try? Replacement.write(Array(text.utf8), to: path)
        } else {
            unsafe unlink(path)
        }
    }
}
