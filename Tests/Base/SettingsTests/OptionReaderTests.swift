import Settings
import Testing

@Suite("The command line of a companion") struct OptionReaderTests {
    typealias Exit = OptionReader.EarlyExit

    /// Reads the command line of a program with `--file FILE` and `--check`.
    private func read(_ arguments: [String]) throws(Exit) -> [String] {
        var reader = OptionReader(arguments)
        var words: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .option("--file"): words.append("file \(try reader.value())")
            case .option("--check"): words.append("check")
            case .option: throw reader.unknownOption
            case .operand(let word): words.append("operand \(word)")
            }
        }
        return words
    }

    @Test(
        "Options have their value attached or as the next word, before or after operands",
        arguments: [
            (["--file", "a", "x", "--check"], ["file a", "operand x", "check"]),
            (["--file=a=b"], ["file a=b"]), (["--file", "--check"], ["file --check"]),
            (["--file", "--help"], ["file --help"]), (["-", "x"], ["operand -", "operand x"]),
            (["--check", "--", "--check", "--"], ["check", "operand --check", "operand --"]),
            ([], []),
        ])
    func arguments(_ arguments: [String], _ words: [String]) throws {
        #expect(try read(arguments) == words)
    }

    @Test(
        "Errors are named, and help and version end the reading",
        arguments: [
            (["--file"], Exit.usage("option needs a value: --file")),
            (["--file="], .usage("option needs a value: --file")),
            (["--check=1"], .usage("unknown option: --check=1")),
            (["--check=1", "--help"], .usage("unknown option: --check=1")),
            (["--chek"], .usage("unknown option: --chek")),
            (["-c=2"], .usage("unknown option: -c=2")),
            (["--help=1"], .usage("unknown option: --help=1")),
            (["x", "--help"], .help), (["-h"], .help), (["--version", "--file"], .version),
        ])
    func ends(_ arguments: [String], _ exit: Exit) {
        #expect(throws: exit) { try read(arguments) }
    }

    @Test("An invalid value is named with its option")
    func meaning() throws {
        var reader = OptionReader(["--count=3", "--count", "many"])
        #expect(try reader.next() == .option("--count"))
        #expect(try reader.value("no number", { Int($0) }) == 3)
        #expect(try reader.next() == .option("--count"))
        #expect(throws: Exit.usage("no number: --count many")) {
            try reader.value("no number") { Int($0) }
        }
    }

    @Test(
        "The name of an instance is the only operand",
        arguments: [
            ([], "the name of a source is missing"), (["a", "b"], "unexpected argument: b"),
            (
                ["1"], "no name of letters, digits, - and _ that begins with a letter: 1"
            ),
        ])
    func instance(_ operands: [String], _ reason: String) throws {
        #expect(try OptionReader.instance(["a-1"], of: "a source") == "a-1")
        #expect(throws: Exit.usage(reason)) {
            try OptionReader.instance(operands, of: "a source")
        }
    }
}
