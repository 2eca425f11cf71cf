import BusClient
import Program
import Systemd

extension Verb {
    static let doctor = Verb(
        "doctor", summary: "why nothing happens: from the antenna to the event, step by step",
        details: """
            Each step is good, doubtful, bad or, where another step explains why it could not be
            looked at, unknown; with what was seen, and the one thing to do. gpsd, the service
            manager and the files are asked directly, so that it is of use without the daemon,
            too. What is told is of now; the last line says what was not looked at. Nothing is
            changed. Fails if a step is bad. With --json an object for each step.

            With --measure the fixes of a vehicle that stands all that time are measured: how many
            of them lie within their error of their median. It says that an error is too small
            after minutes, and that it is not after an hour or more.
            """,
        options: [
            OptionRule("config", value: "FILE", "settings, as the daemon reads them"),
            .stateDirectory,
            OptionRule("measure", value: "TIME", "the error of a parked vehicle, such as for 1h"),
            OptionRule(
                "status-dir", value: "DIR", "where geofenced-sync writes: \(SourceStatus.directory)"
            ),
        ],
        run: runDoctor)
}

@MainActor
private func runDoctor(_ invocation: Invocation) throws {
    let bus = try invocation.bus()
    var parked: Double?
    if let text = invocation.value("measure") {
        guard let seconds = Measure.seconds(text), (1...86_400).contains(seconds) else {
            throw Failure.usage("not a time such as 10min or 1h, up to a day", "--measure \(text)")
        }
        parked = seconds
    }
    let examination = Examination(
        bus: bus, config: invocation.value("config"),
        stateDirectory: invocation.value("state-dir") ?? "/var/lib/geofenced",
        statusDirectory: invocation.value("status-dir") ?? SourceStatus.directory,
        parkedSeconds: parked)
    let report = DoctorReport(examination.evidence())
    invocation.isJSON ? try report.printJSON() : try report.print(.output)
    guard report.isSound else { throw Failure.silent }
}
