import BusClient
import Files
import Geofence1
import Metrics
import Program

extension Verb {
    static let metrics = Verb(
        "metrics", summary: "how the daemon is doing, for Prometheus",
        details: """
            In Prometheus' text format, without times; into FILE for node_exporter's collector of
            text files, which reads what ends in .prom. A daemon that does not run is geofenced_up 0.
            What is not known, or the caller may not read, is left out. Nothing of it says where the
            vehicle is.
            """,
        options: [
            OptionRule("output", value: "FILE", "replace this file, instead of printing")
        ],
        run: runMetrics)
}

@MainActor
private func runMetrics(_ invocation: Invocation) throws {
    guard !invocation.isJSON else { throw Failure.usage("is not JSON", "--json") }
    let text = try metrics(try DaemonClient(invocation))
    guard let path = invocation.value("output") else {
        return try StandardOutput.write(Array(text.text.utf8))
    }
    try Failure.at(path) { () throws(Errno) in try MetricsFile.write(text, to: path) }
}

@MainActor
private func metrics(_ client: DaemonClient) throws(ClientError) -> MetricsText {
    var daemon = client
    // What the caller may not read is left out.
    daemon.asksUser = false
    let directory = SourceStatus.directory
    do throws(ClientError) {
        let status = DaemonStatus(properties: try daemon.properties())
        return DaemonMetrics.text(
            status, consumers: try? daemon.consumers(),
            sources: SourceStatus.all(in: directory, daemon))
    } catch {
        guard error.isAbsence else { throw error }
        return DaemonMetrics.text(
            nil, consumers: nil, sources: SourceStatus.all(in: directory))
    }
}
