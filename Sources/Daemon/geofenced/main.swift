import Engine
import FixSources
import Formats
import Geofence1
import Glibc
import Memory
import Settings
import Storage
import Systemd

// Unsafe: write(2) takes the text's own bytes and their count.

/// One line on standard error.
func complain(_ text: String) {
    // Much of it comes from files of others.
    var line = "geofenced: \(LogText.line(text))\n"
    _ = line.withUTF8 { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

@MainActor
func start() -> UInt8 {
    let words = commandLineWords(of: "geofenced")
    if words.count == 2, words.first == StoreChecks.option, let file = words.last {
        return UInt8(truncatingIfNeeded: StoreCheck.run(file, say: complain))
    }
    if words.count == 3, words.first == SetCopying.option, let origin = words.last {
        let directory = words[words.startIndex + 1]
        return UInt8(truncatingIfNeeded: SetCopying.run(directory, origin))
    }
    let arguments: Arguments
    do throws(Arguments.EarlyExit) {
        arguments = try Arguments(words)
    } catch {
        switch error {
        case .help:
            print(Arguments.help)
            return 0
        case .version:
            print("geofenced \(Version.current)")
            return 0
        case .usage(let why):
            complain("\(why); see geofenced --help")
            return 2
        }
    }
    let loaded = LoadedSettings(arguments)
    if arguments.checksOnly { return check(arguments, loaded) }
    let reporting = Reporting()
    reporting.problems(loaded.problems)
    do {
        return try Daemon(arguments, loaded, reporting: reporting).run()
    } catch let error as FixSourceURIError {
        complain("\(error)")
        return 2
    } catch {
        reporting.error("cannot start: \(error)")
        // The service manager retries at once, for ever: limits that to a few times a minute.
        if environment("NOTIFY_SOCKET") != nil { sleep(10) }
        return 1
    }
}

/// `--check`: every problem with file and line.
@MainActor
func check(_ arguments: Arguments, _ loaded: LoadedSettings) -> UInt8 {
    var problems = loaded.problems.map { "\($0)" }
    if let source = arguments.source {
        do throws(FixSourceURIError) {
            _ = try FixSourceURI(source)
        } catch {
            problems.append("\(error)")
        }
    }
    let fences = FenceFiles(
        directory: arguments.fenceDirectory, limit: loaded.settings.bus.maxImportSize
    ).check()
    problems += fences.problems
    for problem in problems { complain(problem) }
    for warning in fences.warnings { complain("warning: \(warning)") }
    guard problems.isEmpty else { return 1 }
    let files = counted(loaded.files.count, "configuration file")
    print("\(files), \(counted(fences.fences, "fence")): good")
    return 0
}

// A message of the bus may be 32 MiB. Without this malloc(3) would learn from the first one to keep
// as much for the next: M_MMAP_THRESHOLD in mallopt(3) is dynamic until it is set.
Allocator.mapRequests(from: 1 << 20)
exit(Int32(start()))
