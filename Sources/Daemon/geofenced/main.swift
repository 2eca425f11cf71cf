import Configuration
import FixSources
import Formats
import Glibc
import Memory
import Program
import Service
import Settings
import Storage
import Systemd

/// `--check`: every problem with file and line.
@MainActor
func check(_ arguments: Arguments, _ loaded: LoadedSettings<Settings>) -> ExitStatus {
    var problems = loaded.problems.map { "\($0)" }
    if let source = arguments.source {
        do throws(FixSourceURIError) {
            _ = try FixSourceURI(source)
        } catch {
            problems.append("\(error)")
        }
    }
    let fences = FenceFiles(
        directory: arguments.fenceDirectory, limit: loaded.settings.importLimit
    ).check()
    problems += fences.problems
    for problem in problems { StandardError.line("geofenced: \(problem)") }
    for warning in fences.warnings { StandardError.line("geofenced: warning: \(warning)") }
    guard problems.isEmpty else { return .failed }
    let files = counted(loaded.files.count, "configuration file")
    print("\(files), \(counted(fences.fences, "fence")): good")
    return .good
}

// A message of the bus may be 32 MiB. Without this malloc(3) would learn from the first one to keep
// as much for the next: M_MMAP_THRESHOLD in mallopt(3) is dynamic until it is set.
Allocator.mapRequests(from: 1 << 20)
runService("geofenced") { (arguments: Arguments, log) in
    switch arguments.task {
    case .checkDatabase(let path): return ExitStatus(StoreCheck.run(path) { log.complain($0) })
    case .checkSets(let path):
        return ExitStatus(StoreCheck.run(path, sets: true) { log.complain($0) })
    case .copySet(let directory, let origin):
        return ExitStatus(SetCopying.run(directory, origin) { log.complain($0) })
    case nil: break
    }
    let loaded = Settings.load(config: arguments.config)
    if arguments.checksOnly { return check(arguments, loaded) }
    do {
        let service = try Service(log, endedBy: [])
        let reporting = try Reporting(log, service.loop)
        reporting.problems(loaded.problems)
        return try Daemon(arguments, loaded, service, reporting).run()
    } catch let error as FixSourceURIError {
        throw Failure.usage("\(error)")
    } catch {
        log.complain("cannot start: \(error)")
        // The service manager retries at once, for ever: limits that to a few times a minute.
        if environment("NOTIFY_SOCKET") != nil { sleep(10) }
        return .failed
    }
}
