/// The command line of geofenced-ingest.
package struct IngestArguments: Hashable, Sendable {
    /// What is done.
    package enum Verb: String, CaseIterable, Sendable {
        /// From the brokers into the database, until it is stopped.
        case run
        /// Makes the schema, or brings it up to date, and makes tenants.
        case setup
        /// Boxes, holes and what was set aside.
        case status
        /// Which boxes have which sets of fences.
        case sets
        /// Who was where, how long.
        case report
        /// A driver drives a box from one time to another.
        case assign
    }

    /// What is done.
    package var verb = Verb.run
    /// Path of the configuration.
    package var config = "/etc/geofenced/ingest.conf"
    /// Instead of that of the configuration.
    package var database: String?
    /// Distinguishes several ingests; nil: the process.
    package var worker: String?
    /// What a report is about; the tenant is also that of `setup` and `assign`.
    package var selection = Visit.Selection()
    /// Of a report.
    package var format = Report.table
    /// For `assign`.
    package var driver: String?

    /// Why it ends without running.
    package enum EarlyExit: Error, Hashable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
    }

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-ingest [run] [--config FILE] [--worker NAME]
               geofenced-ingest setup [--tenant NAME]
               geofenced-ingest status
               geofenced-ingest sets [--tenant NAME]
               geofenced-ingest report [--tenant NAME] [--place ID] [--box NAME] [--since TIME]
                                       [--until TIME] [--format table|csv|json|html]
               geofenced-ingest assign --tenant NAME --box NAME --driver NAME --since TIME
                                       [--until TIME]

        Takes the events of a fleet from MQTT brokers into PostgreSQL, counts each once, and tells
        who was at which place how long.

          --config FILE      /etc/geofenced/ingest.conf by default
          --database STRING  a connection string of libpq, instead of that of the configuration
          --worker NAME      distinguishes several ingests at one broker
          --help             show this, and stop
          --version          show the version, and stop

        See geofenced-ingest(8).
        """

    /// - Throws: ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws(EarlyExit) {
        var rest = Array(arguments)[...]
        if let word = rest.first, !word.hasPrefix("-") {
            guard let verb = Verb(rawValue: word) else { throw .usage("no such verb: \(word)") }
            self.verb = verb
            rest.removeFirst()
        }
        while let argument = rest.popFirst() {
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = parts.first.map(String.init) ?? ""
            let attached = parts.count > 1 ? String(parts[1]) : nil
            if attached == nil {
                if option == "--help" || option == "-h" { throw .help }
                if option == "--version" { throw .version }
            }
            guard Self.options[verb, default: []].union(Self.common).contains(option) else {
                throw .usage("\(verb.rawValue) has no \(argument)")
            }
            guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
                throw .usage("option needs a value: \(option)")
            }
            try set(option, value)
        }
        if verb == .assign {
            guard selection.tenant != nil, selection.box != nil, driver != nil,
                selection.since != nil
            else { throw .usage("assign needs --tenant, --box, --driver and --since") }
        }
    }

    private static let common: Set = ["--config", "--database"]
    private static let options: [Verb: Set<String>] = [
        .run: ["--worker"], .setup: ["--tenant"], .sets: ["--tenant"],
        .report: ["--tenant", "--place", "--box", "--since", "--until", "--format"],
        .assign: ["--tenant", "--box", "--driver", "--since", "--until"],
    ]

    private mutating func set(_ option: String, _ value: String) throws(EarlyExit) {
        switch option {
        case "--config": config = value
        case "--database": database = value
        case "--worker": worker = value
        case "--tenant": selection.tenant = value
        case "--place": selection.place = value
        case "--box": selection.box = value
        case "--since": selection.since = value
        case "--until": selection.until = value
        case "--driver": driver = value
        default:
            guard let format = Report(rawValue: value) else {
                throw .usage("none of table, csv, json, html: --format \(value)")
            }
            self.format = format
        }
    }
}
