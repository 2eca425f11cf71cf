import Glibc

// Unsafe: write(2) takes the text's own bytes and their count.

/// The words after the name of the program. Swift reads them from `/proc/self/cmdline`, and has none
/// where there is no `/proc`, not even the name: then a program would run as if without options.
/// Where that is so this ends the process, with status 2 and a line on standard error.
package func commandLineWords(of program: StaticString) -> ArraySlice<String> {
    let words = CommandLine.arguments
    guard words.isEmpty else { return words.dropFirst() }
    var line = "\(program): the command line cannot be read: is /proc mounted?\n"
    _ = line.withUTF8 { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(2)
}
