import Glibc
import RoadGraph
import Settings

/// Compiles approaches as the command line says, and gives the exit status.
func run(_ arguments: [String]) -> Int32 {
    do {
        try compile(try Arguments(arguments))
        return 0
    } catch Arguments.EarlyExit.help {
        print(Arguments.help)
        return 0
    } catch Arguments.EarlyExit.version {
        print("geofenced-roads \(Version.current)")
        return 0
    } catch Arguments.EarlyExit.failure(let failure) {
        return say(failure)
    } catch let failure as Failure {
        return say(failure)
    } catch {
        return say(Failure("\(error)"))
    }
}

/// Shows why it failed.
func say(_ failure: Failure) -> Int32 {
    var errors = StandardError()
    errors.line("geofenced-roads: \(failure.reason)")
    if failure.status == 2 { errors.line("geofenced-roads --help shows the usage") }
    return failure.status
}

/// Reads, computes, and writes.
func compile(_ arguments: Arguments) throws {
    var errors = StandardError()
    // Before the long work: a directory that cannot be written to is known now.
    var output = try OutputFile(arguments.output)
    let list = try arguments.list.map {
        try BridgeList($0.path, name: $0.name, $0.fields)
    }
    let extract = try Extract.read(arguments.extracts) {
        let name = $0.path.split(separator: "/").last.map(String.init) ?? $0.path
        errors.progress(name, $0.share * 0.5)
    }
    let grid = RoadGrid(extract.network)
    let finder = HazardFinder(extract, arguments.options)
    let snapper = arguments.extracts.isEmpty ? nil : ListSnapper(extract.network, grid)
    let listed = list.map { ListSnapper.hazards($0, snapper) }
    let hazards = listed?.hazards ?? finder.hazards
    let compilation = Compilation(
        extract.network, grid, hazards, others: list == nil ? [] : finder.hazards,
        arguments.options
    ) {
        errors.progress("approaches", 0.5 + $0 * 0.5)
    }
    let crossings = BridgeCrossings(extract, grid)
    errors.clear()
    try Compilation.collection(compilation.features) { try output.write($0) }
    try output.finish()
    let summary = Summary(
        extract: extract, finder: finder, list: list, hazards: hazards,
        disagreements: listed?.disagreements ?? [], compilation: compilation, crossings: crossings,
        options: arguments.options)
    for line in summary.lines { errors.line(line) }
}

// `geofenced-roads … | head` ends with an error instead of a signal: temporary files are removed.
signal(SIGPIPE, SIG_IGN)
exit(run(Array(commandLineWords(of: "geofenced-roads"))))
