import Bytes
package import HTTP
import Settings
import SharedLimits

/// A server that gets events by HTTP.
package struct WebDestination: Sendable {
    /// What becomes of an event that the server will not have.
    package enum Rejection: String, CaseIterable, Sendable {
        /// It is tried again, and nothing after it is sent.
        case hold
        /// It is left out, with an entry of the journal.
        case skip
    }

    /// What is posted there.
    package enum Service: Sendable {
        /// Batches of CloudEvents, signed with these credentials: two while a secret is changed.
        case hook(BoxName, secrets: [String])
        /// One entity after another.
        case table(EntityTable)
        /// One event after another, in the query of the address.
        case query
    }

    /// Of the hook, or the root of the OData service.
    package var address: WebAddress
    /// What is posted there.
    package var service: Service
    /// Whether a hook gets arrays of events.
    package var isBatched = true
    /// Events of one request at most.
    var most: Int { isBatched ? SharedLimits.events : 1 }
    /// Who we are.
    package var authentication: HTTPAuthentication
    /// What becomes of an event that the server will not have.
    package var rejection: Rejection
    /// For one request, s.
    package var timeoutSeconds: Int
    /// After so long without anything to do the program ends, and the bus starts it for the next
    /// event, s; nil: it stays.
    package var idleSeconds: Double?

    /// What no line alone has wrong.
    func check(_ file: inout ProgramSettings) {
        authentication.check(&file, destination: address, in: ("Uplink", "URL"))
    }

    /// Nil without an address, which is then a problem of the file.
    static func readHook(
        _ file: inout ProgramSettings, _ box: BoxName
    ) -> (destination: WebDestination, format: EventFormat)? {
        let isBatched = file.flag("Uplink", "Batch", true)
        var template: QueryTemplate?
        if let text = file.text("Uplink", "Query") {
            // There may be a key of the service in it: it is not repeated.
            do throws(BadValue) { template = try QueryTemplate(text) } catch {
                file.refuse("Uplink", "Query", error.reason)
            }
        }
        var secrets: [String] = []
        for word in file.list("Uplink", "Secret") {
            do throws(BadValue) { secrets.append(try Credentials.name(word)) } catch {
                file.refuse("Uplink", "Secret", error.reason)
            }
        }
        if template != nil, !secrets.isEmpty {
            file.refuse("Uplink", "Secret", "a query is not signed")
        }
        var hook = read(&file, template == nil ? .hook(box, secrets: secrets) : .query)
        hook?.isBatched = isBatched && template == nil
        return hook.map { ($0, template.map { .query($0, box) } ?? .cloudEvents(box)) }
    }

    /// Nil without an address, which is then a problem of the file.
    static func readTable(
        _ file: inout ProgramSettings, _ box: BoxName
    ) -> (destination: WebDestination, table: EntityTable)? {
        let table = EntityTable(from: &file, box)
        return read(&file, .table(table)).map { ($0, table) }
    }

    private static func read(
        _ file: inout ProgramSettings, _ service: Service
    ) -> WebDestination? {
        let before = file.problems.count
        let address = file.value("Uplink", "URL", WebAddress.setting)
        if address == nil, file.problems.count == before {
            file.refuse("Uplink", "URL", "is missing")
        }
        let rejection = file.choice("Uplink", "OnReject", Rejection.hold)
        let idle = file.value("Uplink", "ExitIdleSec") { text throws(BadValue) in
            try SettingValue.seconds(text, in: 1...86_400)
        }
        let timeout = file.span("Uplink", "TimeoutSec", 30, in: 1...600)
        let authentication = HTTPAuthentication(from: &file)
        guard let address else { return nil }
        return WebDestination(
            address: address, service: service, authentication: authentication,
            rejection: rejection, timeoutSeconds: Int(timeout), idleSeconds: idle)
    }
}
