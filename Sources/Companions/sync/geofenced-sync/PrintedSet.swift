import FenceSync
import Program
import Service
import Settings
import Systemd

extension Sync {
    /// The whole set as it would be given to a daemon, with the hash by which boxes tell of it: for an
    /// office that draws it. Nothing is remembered, so that the next look is as it would have been.
    func printSet(_ settings: SourceSettings, _ paths: SyncRun.Paths) throws -> ExitStatus {
        guard settings.mode != .nearby else {
            throw Failure.usage(
                "only of a set that does not depend on where a vehicle is", "--print")
        }
        let service = try Service(log)
        service.onStop = { [stop] in stop.isRequested = true }
        do throws(SyncFailure) {
            let spool = try SpoolFile(in: paths.directory)
            let web = try WebFetcher(
                settings, Credentials(directory: environment("CREDENTIALS_DIRECTORY")),
                loop: service.loop, directory: paths.directory, stop: stop)
            var fetch = SourceFetch(settings, web, into: spool)
            let set = try fetch.run(SourceState())
            for refusal in set.refusals.examples {
                log.write(.warning, "\(settings.name): \(refusal.id): \(refusal.reason)")
            }
            for doubt in set.doubts { log.write(.warning, "\(settings.name): \(doubt)") }
            try SetPrinter.write(spool, origin: settings.origin, hash: "\(set.sum)")
            return .good
        } catch { throw Failure("\(error)", settings.name) }
    }
}
