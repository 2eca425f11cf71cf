import Files
import Ingesting
import Metrics
import PostgreSQL
import Program
import Reports
import Service
import Systemd

/// The wiring: the brokers, the database and the service manager, on one loop.
@MainActor
final class Ingest {
    private let service: Service
    private let intake: Intake

    init(
        _ settings: IngestSettings, worker: String, takesOver: Bool, _ service: Service
    ) throws {
        self.service = service
        intake = try Intake(
            settings, worker: worker, takesOver: takesOver, loop: service.loop,
            log: { [service] priority, text in service.log.write(priority, text) },
            status: { [service] in service.manager.status($0) },
            refuse: { [service] why in
                service.manager.status(why)
                service.log.write(.error, why)
                service.loop.exit(code: UInt8(ExitStatus.unusable.code))
            })
    }

    /// Until a signal ends it, which needs no more: what was not acknowledged comes again.
    func run() throws -> ExitStatus {
        service.manager.ready()
        return try service.run()
    }
}

/// What a verb other than `run` prints.
@MainActor
func answer(
    _ arguments: IngestArguments, _ areas: JurisdictionSums.Areas, _ database: Database,
    retention: Int?
) throws -> String {
    switch arguments.verb {
    case .run: return ""
    case .setup:
        let lines =
            arguments.shards.isEmpty
            ? try Questions.setUp(
                database, tenant: arguments.selection.tenant, retention: retention)
            : try Federation.setUp(database, over: arguments.shards)
        return lines.joined(separator: "\n") + "\n"
    case .status:
        return try Questions.status(of: database).map { "\($0)\n" }.joined()
    case .metrics:
        try Federation.refuse(database)
        let text = try FleetMetrics.read(from: database)
        guard let path = arguments.output else { return text.text }
        try Failure.at(path) { () throws(Errno) in try MetricsFile.write(text, to: path) }
        return ""
    case .sets:
        let lines = try Questions.sets(of: database, tenant: arguments.selection.tenant)
        return lines.map { "\($0)\n" }.joined()
    case .fences:
        try Federation.refuse(database)
        let set: PublishedSet
        do throws(PublishedSet.Flaw) { set = try PublishedSet(path: arguments.file ?? "") } catch {
            throw Failure("\(error)")
        }
        return try set.store(in: database, tenant: arguments.selection.tenant ?? "") + "\n"
    case .report:
        return try report(arguments, areas, database)
    case .assign:
        try Questions.assign(
            arguments.selection, driver: arguments.driver ?? "", in: database)
        return ""
    case .retire:
        return try Questions.retire(arguments.selection.box ?? "", in: database) + "\n"
    case .resend:
        return try Questions.resend(
            arguments.selection.box ?? "", arguments.numbers, in: database) + "\n"
    case .move:
        let other = try Database(arguments.destination ?? "", program: "geofenced-ingest")
        return try Move.run(arguments.selection.box ?? "", from: database, to: other) + "\n"
    case .archive:
        try Archive.run(
            database, before: arguments.before ?? "", to: arguments.destination ?? "."
        ) { print($0) }
        return ""
    case .restore:
        // What is back stays, whatever the next file is.
        for file in arguments.files { print(try Restore.run(file, in: database)) }
        return ""
    case .forget:
        if let driver = arguments.driver {
            try Federation.refuse(database)
            return try Questions.forget(
                driver: driver, of: arguments.selection.tenant, in: database) + "\n"
        }
        return try Questions.forget(arguments.selection.box ?? "", in: database) + "\n"
    }
}

@MainActor
private func report(
    _ arguments: IngestArguments, _ areas: JurisdictionSums.Areas, _ database: Database
) throws(DatabaseError) -> String {
    let (selection, format) = (arguments.selection, arguments.format)
    let notes = format == .html ? try Visit.notes(of: selection, from: database) : []
    func sums(_ key: StaySums.Key) throws(DatabaseError) -> Sheet {
        Sheet(sumsOf: try Visit.read(selection, from: database), by: key)
    }
    var sheet: Sheet
    switch arguments.key {
    case nil: return format.text(try Visit.read(selection, from: database), notes)
    case .place: sheet = try sums(.place)
    case .day: sheet = try sums(.day)
    case .driver: sheet = try sums(.driver)
    case .trip: sheet = Sheet(try Trip.read(selection, from: database))
    case .jurisdiction:
        sheet = try Jurisdictions.read(selection, areas, from: database).sheet
    }
    sheet.notes = notes
    return format.text(sheet)
}
