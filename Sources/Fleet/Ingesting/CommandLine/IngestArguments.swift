import Program
package import Reports

/// The command line of geofenced-ingest.
package struct IngestArguments: ProgramArguments, Hashable, Sendable {
    /// What is done.
    package enum Verb: String, CaseIterable, Sendable {
        /// From the brokers into the database, until it is stopped.
        case run
        /// Makes the schema, or brings it up to date, and makes tenants.
        case setup
        /// Boxes, holes and what was set aside.
        case status
        /// Boxes by state, what waits and what is missing, for Prometheus.
        case metrics
        /// A set of fences as it is published, with its areas.
        case fences
        /// Which boxes have which sets of fences.
        case sets
        /// Who was where, how long.
        case report
        /// A driver drives a box from one time to another.
        case assign
        /// A box is out of service: what it left open ends.
        case retire
        /// Every row of a box is erased, or who a driver was.
        case forget
        /// A box sends again what is missing, or a range.
        case resend
        /// A box reports to another shard.
        case move
        /// Events of old weeks go to files.
        case archive
        /// They come back.
        case restore
    }

    /// What is done.
    package var verb = Verb.run
    /// Path of the configuration.
    package var config = "/etc/geofenced/ingest.conf"
    /// Instead of that of the configuration.
    package var database: String?
    /// Distinguishes several ingests; nil: the process.
    package var worker: String?
    /// Brokers of another database become those of this one.
    package var takesOver = false
    /// Of `setup`: the databases of the shards, for one of reports; empty for one of a fleet.
    package var shards: [String] = []
    /// What a report is about; the tenant is also that of `setup`, `assign` and a driver to forget, the
    /// box that of `retire` and `forget`, there also as `TENANT/NAME`.
    package var selection = Visit.Selection()
    /// Of a report.
    package var format = Report.table
    /// Of a report: what there is a row of; nil: each visit.
    package var key: Report.Key?
    /// Of a report by jurisdiction: the file of its areas.
    package var areas: String?
    /// For `assign`, and whom to `forget`.
    package var driver: String?
    /// For `fences`: a file of `geofenced-sync --print`.
    package var file: String?
    /// For `restore`: files that `archive` has written.
    package var files: [String] = []
    /// For `archive`: weeks that have ended before, anything that PostgreSQL reads as a date.
    package var before: String?
    /// For `metrics`: the file; nil: standard output.
    package var output: String?
    /// For `move`: the database of the shard that the box reports to now; for `archive`: the directory.
    package var destination: String?
    /// For `resend`: numbers of the current log; nil for what is missing.
    package var numbers: ClosedRange<Int64>?

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-ingest [run] [--config FILE] [--worker NAME] [--take-over]
               geofenced-ingest setup [--tenant NAME]
               geofenced-ingest setup --report-over STRING [--report-over STRING]...
               geofenced-ingest status
               geofenced-ingest metrics [--output FILE]
               geofenced-ingest sets [--tenant NAME]
               geofenced-ingest fences --tenant NAME FILE
               geofenced-ingest report [--tenant NAME] [--place ID] [--box NAME] [--since TIME]
                                       [--until TIME] [--by place|day|driver|trip]
                                       [--by jurisdiction --areas FILE]
                                       [--format table|csv|json|html]
               geofenced-ingest assign --tenant NAME --box NAME --driver NAME --since TIME
                                       [--until TIME]
               geofenced-ingest retire BOX
               geofenced-ingest forget BOX
               geofenced-ingest forget --driver NAME [--tenant NAME]
               geofenced-ingest resend BOX [FROM-TO]
               geofenced-ingest move BOX --to STRING
               geofenced-ingest archive --before DATE --to DIRECTORY
               geofenced-ingest restore FILE...

        Takes the events of a fleet from MQTT brokers into PostgreSQL, counts each once, and tells
        who was at which place how long.

          --config FILE         /etc/geofenced/ingest.conf by default
          --database STRING     a connection string of libpq, instead of that of the configuration
          --tenant NAME         only of this tenant; of setup, the one that is made
          --place ID            only at this place
          --box NAME            only of this box
          --since TIME          from when, as PostgreSQL reads a time
          --until TIME          until when
          --by WHAT             of a report: what there is a row of, instead of each visit
          --format FORMAT       of a report: table, the default, csv, json or html
          --driver NAME         who drives, or is to be forgotten
          --output FILE         of metrics: replace this file, instead of printing
          --worker NAME         distinguishes several ingests at one broker
          --take-over           brokers of another database become those of this one
          --report-over STRING  a shard of a database of reports, as a connection string
          --areas FILE          of a report by jurisdiction: its areas, as boxes have them
          --before DATE         weeks that have ended before it
          --to STRING           the database of the shard that a box reports to now, or where
                                the files of archived weeks are to lie
          --help                show this, and stop
          --version             show the version, and stop

        See geofenced-ingest(8).
        """

    /// - Throws: ``Failure``, ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws {
        var reader = OptionReader(arguments)
        var isFirst = true
        while let argument = try reader.next() {
            defer { isFirst = false }
            switch argument {
            case .operand(let word) where isFirst:
                guard let verb = Verb(rawValue: word) else {
                    throw Failure.unknown(verb: word, among: Verb.allCases.map(\.rawValue))
                }
                self.verb = verb
            case .operand(let word) where Self.ofOneBox.contains(verb) && selection.box == nil:
                selection.box = word
            case .operand(let word) where verb == .fences && file == nil: file = word
            case .operand(let word) where verb == .restore: files.append(word)
            case .operand(let word) where verb == .resend && numbers == nil:
                numbers = try Self.range(word)
            case .operand(let word): throw Failure.unexpected(word)
            case .option(let option): try set(option, &reader)
            }
        }
        if verb == .forget, let driver {
            if let box = selection.box { throw Failure.usage("a box, and --driver \(driver)", box) }
        } else if Self.ofOneBox.contains(verb), selection.box == nil {
            throw Failure.missing(argument: "BOX")
        }
        if verb == .fences {
            if file == nil { throw Failure.missing(argument: "FILE") }
            if selection.tenant == nil { throw Failure.missing(option: "--tenant") }
        }
        if (key == .jurisdiction) != (areas != nil) {
            throw areas == nil
                ? Failure.missing(option: "--areas")
                : Failure.usage("is for --by jurisdiction alone", "--areas")
        }
        if key == .jurisdiction, selection.place != nil {
            throw Failure.usage("does not go with --by jurisdiction", "--place")
        }
        if verb == .archive, before == nil { throw Failure.missing(option: "--before") }
        if [.move, .archive].contains(verb), destination == nil {
            throw Failure.missing(option: "--to")
        }
        if verb == .restore, files.isEmpty { throw Failure.missing(argument: "FILE") }
        if !shards.isEmpty, selection.tenant != nil {
            throw Failure.usage("tenants are made at their shards", "--tenant")
        }
        guard verb == .assign else { return }
        let needed = [
            ("--tenant", selection.tenant), ("--box", selection.box), ("--driver", driver),
            ("--since", selection.since),
        ]
        if let lacking = needed.first(where: { $0.1 == nil }) {
            throw Failure.missing(option: lacking.0)
        }
    }

    private static let ofOneBox: Set<Verb> = [.retire, .forget, .resend, .move]
    private static let common: Set = ["--config", "--database"]
    /// What each verb takes besides those of all of them.
    static let options: [Verb: Set<String>] = [
        .run: ["--worker", "--take-over"], .setup: ["--tenant", "--report-over"],
        .sets: ["--tenant"], .metrics: ["--output"], .fences: ["--tenant"], .move: ["--to"],
        .report: [
            "--tenant", "--place", "--box", "--since", "--until", "--format", "--by", "--areas",
        ],
        .assign: ["--tenant", "--box", "--driver", "--since", "--until"],
        .forget: ["--driver", "--tenant"], .archive: ["--before", "--to"],
    ]

    private static func range(_ text: String) throws(Failure) -> ClosedRange<Int64> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, first <= last,
            last < Int64.max
        else { throw Failure.usage("not FROM-TO, two numbers of events", text) }
        return first...last
    }

    private mutating func set(_ option: String, _ reader: inout OptionReader) throws {
        guard Self.options[verb, default: []].union(Self.common).contains(option) else {
            throw Self.options.values.contains { $0.contains(option) }
                ? Failure.notAnOption(option, of: verb.rawValue) : reader.unknownOption
        }
        switch option {
        case "--config": config = try reader.value()
        case "--database": database = try reader.value()
        case "--worker": worker = try reader.value()
        case "--take-over": takesOver = true
        case "--report-over": shards.append(try reader.value())
        case "--to": destination = try reader.value()
        case "--before": before = try reader.value()
        case "--tenant": selection.tenant = try reader.value()
        case "--place": selection.place = try reader.value()
        case "--box": selection.box = try reader.value()
        case "--since": selection.since = try reader.value()
        case "--until": selection.until = try reader.value()
        case "--by":
            key = try reader.value(
                "none of place, day, driver, jurisdiction, trip", Report.Key.init(rawValue:))
        case "--areas": areas = try reader.value()
        case "--output": output = try reader.value()
        case "--driver": driver = try reader.value()
        case "--format":
            format = try reader.value("none of table, csv, json, html", Report.init(rawValue:))
        default: throw reader.unknownOption
        }
    }
}
