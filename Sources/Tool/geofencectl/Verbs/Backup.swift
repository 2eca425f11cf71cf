import Formats
import Glibc
import JSON
import Model
import Program
import Storage

extension Verb {
    static let backup = Verb(
        "backup", "DIRECTORY", 1...1,
        summary: "a copy of fences, events and numbers, for restore",
        details: """
            Copies fences with their origins, the event log with its numbers, the consumers, and
            what was set of the vehicle into DIRECTORY, which must not exist yet, and verifies the
            copy. The daemon may be running, but is not involved: this is for root or the owner of
            the state directory.
            """,
        options: [.stateDirectory],
        run: { try runBackup($0) { try StoreBackup.make(of: $0, to: $1) } })

    static let restore = Verb(
        "restore", "DIRECTORY", 1...1,
        summary: "fences, events and numbers as a backup has them",
        details: """
            The daemon must be stopped. The present stays and the last number remain as they
            are: no number is used twice. The vehicle is taken from the backup only where none is
            set, and its height is then not confirmed. The replaced files are kept in the state directory as
            *.before-restore. For root or the owner of that directory.
            """,
        options: [.stateDirectory],
        run: { try runBackup($0) { try StoreBackup.restore($1, into: $0) } })
}

extension OptionRule {
    static let stateDirectory = OptionRule(
        "state-dir", value: "DIR", "the daemon's state directory (/var/lib/geofenced)")
}

/// Calls `work` with the state directory and the operand.
@MainActor
private func runBackup(
    _ invocation: Invocation, _ work: (String, String) throws -> StoreBackup.Summary
) throws {
    let operand = invocation.operands[0]
    // A slash at the end would change the name of the temporary directory beside it.
    let trimmed =
        operand.utf8.count > 1 && operand.hasSuffix("/") ? String(operand.dropLast()) : operand
    let summary: StoreBackup.Summary
    do {
        summary = try work(invocation.value("state-dir") ?? "/var/lib/geofenced", trimmed)
    } catch let failure as BackupFailure {
        throw Failure(failure.reason, failure.place)
    } catch let error as StoreError {
        throw Failure(error.message, error.path)
    } catch let error as VehicleFileError {
        throw Failure(error.reason, error.path)
    }
    guard invocation.isJSON else {
        return try StandardOutput.line(
            "\(trimmed): \(counted(summary.fences, "fence")), \(counted(summary.events, "event")), "
                + "last number \(summary.lastSeq), \(counted(summary.consumers, "consumer"))"
                + (summary.vehicle == nil ? "" : ", the vehicle"))
    }
    var json = JSONWriter()
    json.beginObject()
    json.key("directory")
    json.string(trimmed)
    json.key("fences")
    json.integer(summary.fences)
    json.key("events")
    json.integer(summary.events)
    json.key("last_seq")
    json.integer(summary.lastSeq)
    json.key("consumers")
    json.integer(summary.consumers)
    json.key("vehicle")
    json.bool(summary.vehicle != nil)
    json.endObject()
    json.endLine()
    try StandardOutput.write(json.bytes)
}
