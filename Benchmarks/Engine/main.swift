import Glibc

// Our modules without the daemon around them, for `make bench`. Prints `name=value` lines.

let usage = """
    Usage: geofenced-bench engine STATE TRACK [passes N] [every N] [first N]
           geofenced-bench recentre STATE TRACK [every N]
           geofenced-bench nearest STATE anywhere|TRACK [count N] [limit N]
           geofenced-bench compare STATE TRACK [every N] [events FILE]
           geofenced-bench import STATE FILE [origin NAME]
           geofenced-bench receive PORT [count N]
           geofenced-bench beacons REGIONS [count N]
           geofenced-bench products DIRECTORY [count N] [seed N] [only NAME]
    """

func fail(_ text: String, status: Int32 = 1) -> Never {
    complain("geofenced-bench: \(text)")
    exit(status)
}

func complain(_ text: String) {
    var line = text + "\n"
    _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// A result, for the driver to read.
func say(_ name: String, _ value: some CustomStringConvertible) { print("\(name)=\(value)") }

/// `passes 3 every 2`, behind the operands of a command.
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

    func number(_ name: String, otherwise: Int) -> Int {
        guard let text = values[name] else { return otherwise }
        guard let number = Int(text), number > 0 else { fail(usage, status: 2) }
        return number
    }
}

let words = CommandLine.arguments
/// How many operands a command has.
let operands = [
    "engine": 2, "recentre": 2, "nearest": 2, "compare": 2, "import": 2, "receive": 1,
    "beacons": 1, "products": 1,
]
guard words.count >= 2, let count = operands[words[1]], words.count >= 2 + count else {
    fail(usage, status: 2)
}
let options = Options(words[(2 + count)...])
do {
    switch words[1] {
    case "engine": try runEngine(state: words[2], track: words[3], options)
    case "recentre": try runRecentres(state: words[2], track: words[3], options)
    case "nearest": try runNearest(state: words[2], at: words[3], options)
    case "compare": try compare(state: words[2], track: words[3], options)
    case "import": try runImport(state: words[2], file: words[3], options)
    case "products": try runProducts(state: words[2], options)
    case "beacons": runBeacons(regions: words[2], options)
    default: try receive(port: words[2], options)
    }
} catch {
    fail("\(error)")
}
