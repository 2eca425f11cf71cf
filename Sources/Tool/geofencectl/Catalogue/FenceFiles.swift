import Formats
import Glibc
import Storage

extension FenceFileReader {
    /// Of an operand of the command line: `-` is standard input.
    /// - Throws: ``FenceFileProblem`` where the file cannot be opened.
    convenience init(operand: String, options: Options) throws(FenceFileProblem) {
        if operand == "-" {
            self.init(descriptor: STDIN_FILENO, name: "standard input", options: options)
        } else {
            try self.init(path: operand, options: options)
        }
    }
}

extension OptionRule {
    static let waypointRadius = OptionRule(
        "radius", value: "M", "radius of GPX waypoints that give none, metres")
}

extension Invocation {
    /// How a fence file is read: what its content does not say.
    func fenceFileOptions(refusesTwins: Bool = false) throws -> FenceFileReader.Options {
        FenceFileReader.Options(
            waypointRadius: try number("radius", in: 0.001...10_000_000),
            refusesTwins: refusesTwins)
    }
}

extension Failure {
    /// `what is wrong: file:line`.
    init(_ problem: FenceFileProblem) {
        var whole = problem
        let place = problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file
        // Its own description begins with the place.
        whole.file = ""
        let reason = whole.description.drop { $0 != " " }.dropFirst()
        self.init(String(reason), place)
    }
}
