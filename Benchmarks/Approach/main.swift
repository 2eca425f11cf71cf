import EngineTestKit
import Geodesy
import Glibc

// Drives over the roads of an extract, and what each way of warning of low bridges makes of them,
// for `make bench-approach`.

let usage = """
    Usage: approach-bench EXTRACT APPROACHES [height M] [sigma M] [thru N] [od N] [seed N]
                          [name TEXT] [list FILE]
           approach-bench distances [sigma M] [seed N]
    """

func fail(_ text: String, status: Int32 = 1) -> Never {
    complain("approach-bench: \(text)")
    exit(status)
}

func complain(_ text: String) {
    var line = text + "\n"
    _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// `height 4.4 seed 7`, behind the files.
struct Options {
    private var values: [String: String] = [:]

    init(_ words: ArraySlice<String>) {
        var words = words
        while let name = words.popFirst() {
            guard let value = words.popFirst() else { fail(usage, status: 2) }
            values[name] = value
        }
    }

    func text(_ name: String) -> String? { values[name] }

    func number(_ name: String, otherwise: Double) -> Double {
        guard let text = values[name] else { return otherwise }
        guard let number = Double(text), number >= 0 else { fail(usage, status: 2) }
        return number
    }
}

let words = CommandLine.arguments
do {
    if words.dropFirst().first == "distances" {
        let options = Options(words[2...])
        try Distances().run(
            seed: UInt64(options.number("seed", otherwise: 1)),
            sigma: options.number("sigma", otherwise: 6))
        exit(0)
    }
    guard words.count >= 3 else { fail(usage, status: 2) }
    try Run(extract: words[1], approaches: words[2], Options(words[3...])).run()
} catch {
    fail("\(error)")
}
