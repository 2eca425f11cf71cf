import FenceFiles
import Formats
import Glibc
import JSON
import Model
import Program
import Storage

extension FenceFileReader {
    /// From an operand of the command line: `-` is standard input.
    /// - Throws: ``FenceFileProblem`` if the file cannot be opened.
    convenience init(operand: String, options: Options) throws(FenceFileProblem) {
        if operand == "-" {
            self.init(descriptor: STDIN_FILENO, name: "standard input", options: options)
        } else {
            try self.init(path: operand, options: options)
        }
    }
}

extension OptionRule {
    /// Options for what a fence file may not contain.
    static let fenceFile = [
        OptionRule("radius", value: "M", "radius of points that give none, metres"),
        OptionRule("width", value: "M", "full width of lines that give none, metres"),
        OptionRule("id-property", value: "KEY", "the property or column that is the id"),
        OptionRule("title-property", value: "KEY", "the property or column that is the title"),
    ]
}

extension Invocation {
    /// How to read a fence file: what its content does not say.
    func fenceFileOptions(refusesTwins: Bool = false) throws -> FenceFileReader.Options {
        FenceFileReader.Options(
            radius: try number("radius", in: 0.001...10_000_000),
            width: try number("width", in: 0.001...10_000_000), idProperty: value("id-property"),
            titleProperty: value("title-property"), makesIDs: true, refusesTwins: refusesTwins,
            notesNearMisses: true, mayBeEmpty: has("allow-empty"))
    }
}

extension FenceFileReader.Options {
    /// Whether the daemon, which has none of these, would read something else.
    var changesReading: Bool {
        radius != nil || width != nil || idProperty != nil || titleProperty != nil
    }
}

extension FenceFileReader {
    /// Remarks about the whole file, once it has been read.
    /// - Parameter options: with which it was read.
    func remarks(_ options: Options) -> [String] {
        let nameless = madeIDCount - twinCount
        let made = [
            (nameless, "\(counted(nameless, "entry", "entries")) without an id"),
            (twinCount, "\(counted(twinCount, "entry", "entries")) with a name that came before"),
        ].filter { $0.0 > 0 }.map {
            "\($0.1): ids were made of what they say; --id-property KEY names a property to take "
                + "instead"
        }
        let untitled = options.titleProperty.flatMap { key in
            hasTitles ? nil : "no entry has a title: is there a property \(excerpt(key))?"
        }
        return made + [untitled].compactMap(\.self) + warnings + nearMissWarnings
    }
}

extension FenceFileProblem {
    /// With the option that is the way out, if there is one.
    var hinted: FenceFileProblem {
        let column = "neither JSON nor XML, and as CSV the header lacks radius;"
        guard
            reason.hasPrefix("no radius") || reason.hasSuffix(" radius") || reason.hasPrefix(column)
        else { return self }
        var hinted = self
        hinted.reason += "; --radius M gives one to all that have none"
        return hinted
    }
}

extension Failure {
    /// `what is wrong: file:line`.
    init(_ problem: FenceFileProblem) {
        var whole = problem.hinted
        let location = problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file
        // Its own description begins with it.
        whole.file = ""
        let reason = whole.description.drop { $0 != " " }.dropFirst()
        self.init(String(reason), location)
    }

    /// Every entry of a file was left out.
    static func nothingTaken(of file: String) -> Failure {
        Failure("nothing of it is taken: every entry belongs to another origin", file)
    }
}
