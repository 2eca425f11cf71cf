import Program
import RoadGraph

/// Reads, computes, and writes.
func compile(_ arguments: Arguments) throws {
    var bar = ProgressBar()
    defer { bar.clear() }
    // Before the long work: a directory that cannot be written to is known now.
    var output = try OutputFile(arguments.output)
    let list = try arguments.list.map {
        try BridgeList($0.path, name: $0.name, $0.fields)
    }
    if let list, let question = list.question, let path = arguments.list?.path {
        for line in Summary.lines(list.remarks) { StandardError.line(line) }
        throw Failure(question, path)
    }
    if let list, list.isUnread, let path = arguments.list?.path {
        let lines = Summary.lines(list.remarks) + Summary.rows(of: list)
        for line in lines { StandardError.line(line) }
        throw Failure("no row of it has a limit that can be used; nothing is written", path)
    }
    let extract = try Extract.read(arguments.extracts) {
        let name = $0.path.split(separator: "/").last.map(String.init) ?? $0.path
        bar.show(name, $0.share * 0.5)
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
        bar.show("approaches", 0.5 + $0 * 0.5)
    }
    let crossings = BridgeCrossings(extract, grid)
    bar.clear()
    try Compilation.collection(compilation.features) { try output.write($0) }
    try output.finish()
    let summary = Summary(
        extract: extract, finder: finder, list: list, hazards: hazards,
        disagreements: listed?.disagreements ?? [], compilation: compilation, crossings: crossings,
        options: arguments.options)
    for line in summary.lines { StandardError.line(line) }
}
