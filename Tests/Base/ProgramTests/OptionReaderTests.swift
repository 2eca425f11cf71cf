import Program
import Testing

@Suite("A command line") struct OptionReaderTests {
    /// Reads the command line of a program with `--file FILE` and `--check`.
    private func read(_ arguments: [String]) throws -> [String] {
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
            (["--file=a=b"], ["file a=b"]), (["--file=\u{301}a"], ["file \u{301}a"]),
            (["--file", "--check"], ["file --check"]),
            (["--file", "--help"], ["file --help"]), (["-", "x"], ["operand -", "operand x"]),
            (["--check", "--", "--check", "--"], ["check", "operand --check", "operand --"]),
            ([], []),
        ])
    func arguments(_ arguments: [String], _ words: [String]) throws {
        #expect(try read(arguments) == words)
    }

    @Test(
        "Mistakes are named",
        arguments: [
            (["--file"], "option needs a value: --file"),
            (["--file="], "option needs a value: --file"),
            (["--check=1"], "option takes no value: --check"),
            (["--check=1", "--help"], "option takes no value: --check"),
            (["--help=1"], "option takes no value: --help"),
            (["--chek=1"], "unknown option: --chek"), (["-c=2"], "unknown option: -c"),
        ])
    func mistakes(_ arguments: [String], _ reason: String) {
        #expect(throws: Failure.usage(reason)) { try read(arguments) }
    }

    @Test(
        "Help and version end the reading",
        arguments: [
            (["x", "--help"], EarlyExit.help), (["-h"], .help),
            (["--version", "--file"], .version),
        ])
    func ends(_ arguments: [String], _ exit: EarlyExit) {
        #expect(throws: exit) { try read(arguments) }
    }

    @Test("A value may be empty where the program says so")
    func empty() throws {
        var reader = OptionReader(["--title="])
        #expect(try reader.next() == .option("--title"))
        #expect(try reader.value(mayBeEmpty: true).isEmpty)
    }

    @Test("An invalid value is named with its option")
    func meaning() throws {
        var reader = OptionReader(["--count=3", "--count", "many"])
        #expect(try reader.next() == .option("--count"))
        #expect(try reader.value("no number", { Int($0) }) == 3)
        #expect(try reader.next() == .option("--count"))
        #expect(throws: Failure.usage("no number", "--count many")) {
            try reader.value("no number") { Int($0) }
        }
    }

    @Test(
        "The name of an instance is the only operand",
        arguments: [
            ([], "missing argument: NAME"), (["a", "b"], "unexpected argument: b"),
            (["1"], "no name of letters, digits, - and _ that begins with a letter: 1"),
        ])
    func instance(_ operands: [String], _ reason: String) throws {
        #expect(try InstanceName.only(["a-1"]) == "a-1")
        #expect(throws: Failure.usage(reason)) { try InstanceName.only(operands) }
    }

    @Test(
        "The name of an instance fits the bus and an origin",
        arguments: [
            ("a-b_1", true), ("A", true), ("1a", false), ("", false), ("a.b", false), ("é", false),
        ])
    func names(_ name: String, _ isGood: Bool) {
        #expect(InstanceName.isValid(name) == isGood)
    }
}
