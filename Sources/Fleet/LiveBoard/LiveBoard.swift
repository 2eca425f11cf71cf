import Ingesting
import MapPage
import Metrics
import PostgreSQL
import Reports
import Sentences
package import Systemd
import Time
package import WebServer

/// The board of a fleet: which request gets which answer, with the rights of which role. Nothing can
/// be changed over HTTP.
@MainActor
package final class LiveBoard {
    private let store: BoardStore
    private let rules: AccessRules
    private let settings: BoardSettings
    private let log: @MainActor (LogPriority, String) -> Void
    private let feed: BoardFeed
    private var pages = BoardPages()
    private var refresh: TimerSource?
    /// What is new of time alone, such as a box that has fallen silent.
    private var minutes: UInt64 = 0
    /// The last answers, with the generation that they are of.
    private var known: [Asked: (generation: UInt64, response: WebResponse)] = [:]
    /// Who waits for one, by its generation, too: what is new after a question began is in no answer to
    /// it.
    private var waiting: [Waiting: [WebAnswer]] = [:]

    /// What all who look with a role ask for.
    private struct Asked: Hashable {
        var role: String?
        var path: String
    }

    private struct Waiting: Hashable {
        var asked: Asked
        var generation: UInt64
    }

    /// By path.
    private static let shared = [
        "/v1/now": FleetNow.sql, "/v1/areas": FleetMap.areas, "/v1/last": FleetMap.last,
    ]

    /// Viewers at once; each is a connection that stays.
    private static let mostViewers = 200
    /// Visits of one answer, and of a file; and bytes of the names and titles of all of them.
    package var most = (shown: 5_000, file: 200_000, bytes: 16 << 20)
    /// Of an answer that has not all of them.
    private static let more: [(name: String, value: String)] = [("Geofenced-More", "yes")]
    /// Answers that are kept, and their bytes.
    private static let mostKnown = (answers: 64, bytes: 64 << 20)
    /// Bytes of the text that the database writes as an answer: a fleet of a hundred thousand vehicles, and
    /// not what one box can make of it.
    package var longest = 16 << 20

    /// The arguments that ``answer(_:_:)`` looks at.
    package static let arguments = [
        "place", "box", "since", "until", "text", "format", "from", "to",
    ]

    /// The headers that ``answer(_:_:)`` looks at.
    package static func headers(_ settings: BoardSettings) -> [String] {
        AccessRules.headers + ["Accept-Language"] + (settings.userHeader.map { [$0] } ?? [])
    }

    /// What the server admits.
    package static var limits: WebLimits {
        var limits = WebLimits()
        limits.connections = UInt32(mostViewers + 100)
        return limits
    }

    /// - Parameter rules: where it listens; on a UNIX socket a header may name the role.
    package init(
        _ store: BoardStore, _ rules: AccessRules, _ settings: BoardSettings, _ loop: EventLoop,
        log: @escaping @MainActor (LogPriority, String) -> Void
    ) throws(SystemError) {
        self.store = store
        self.rules = AccessRules(rules.place, names: settings.hosts)
        self.settings = settings
        self.log = log
        feed = try BoardFeed(loop)
        store.onChange = { [weak self] in self?.changed() }
        refresh = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in
            self?.minutes += 1
            self?.store.askSilent()
            self?.changed()
            self?.refresh?.arm(at: EventLoop.uptime + .seconds(60))
        }
        refresh?.arm(at: EventLoop.uptime + .seconds(60))
    }

    /// Ends every stream.
    package func close() { feed.close() }

    private var generation: UInt64 { store.generation + minutes }

    private func changed() { feed.tell(generation) }

    /// Answers one request.
    package func answer(_ request: WebRequest, _ answer: WebAnswer) {
        if let refusal = rules.refusal(of: request) { return answer.respond(refusal) }
        if let file = pages.response(request) { return answer.respond(file) }
        guard rules.isProved(by: request) else {
            return answer.respond(WebResponse(refusing: 404, "nothing here"))
        }
        let role: String?
        switch self.role(of: request) {
        case .success(let named): role = named
        case .failure: return answer.respond(WebResponse(refusing: 401, "nobody is signed in"))
        }
        answer.trust()
        switch request.path {
        case let path where Self.shared[path] != nil:
            shared(Asked(role: role, path: path), answer)
        case "/metrics": metrics(role, answer)
        case "/v1/live": live(request, answer)
        case "/v1/visits": visits(role, request.arguments, answer)
        case "/v1/stay": stay(role, request.arguments, answer)
        default: answer.respond(WebResponse(refusing: 404, "nothing here"))
        }
    }

    /// With whose rights: on a UNIX socket of who is signed in at the proxy before it. On the loopback
    /// every user of the machine could send the header, who has the token.
    private func role(of request: WebRequest) -> Result<String?, BoardStore.Refusal> {
        guard case .file = rules.place, let header = settings.userHeader else {
            return .success(settings.role)
        }
        guard let name = request.headers[header], !name.isEmpty,
            !request.repeated.contains(header)
        else { return .failure(.denied) }
        return .success(name)
    }

    // MARK: Each of them

    private func live(_ request: WebRequest, _ answer: WebAnswer) {
        guard feed.viewerCount < Self.mostViewers else {
            return answer.respond(WebResponse(refusing: 503, "too many look already"))
        }
        // A proxy passes on at once what is said: nginx, "proxy_buffering".
        let headers =
            WebResponse.headers("text/event-stream") + [("X-Accel-Buffering", "no")]
        guard request.method == "GET" else {
            return answer.respond(WebResponse(headers: headers))
        }
        guard let stream = answer.stream(headers: headers) else { return }
        feed.add(stream, generation)
    }

    /// Asked for once, however many look with the same role.
    private func shared(_ asked: Asked, _ answer: WebAnswer) {
        guard let sql = Self.shared[asked.path] else { return }
        if let known = known[asked], known.generation == generation, store.isConnected {
            return answer.respond(known.response)
        }
        let generation = generation
        let key = Waiting(asked: asked, generation: generation)
        waiting[key, default: []].append(answer)
        guard waiting[key]?.count == 1 else { return }
        store.ask(as: asked.role, bounded(sql)) { [weak self] result in
            guard let self else { return }
            let answers = waiting.removeValue(forKey: key) ?? []
            let response = Self.json(result, log)
            if response.status == 200 { keep(response, of: asked, generation) }
            for answer in answers { answer.respond(response) }
        }
    }

    private func keep(_ response: WebResponse, of asked: Asked, _ generation: UInt64) {
        // What is older is no answer any more, and may be large.
        known = known.filter { $0.value.generation >= generation }
        let bytes = known.values.reduce(response.body.count) { $0 + $1.response.body.count }
        if known.count >= Self.mostKnown.answers || bytes > Self.mostKnown.bytes { known = [:] }
        known[asked] = (generation, response)
    }

    /// The JSON text that a question gives, or null if it is longer than ``longest``: what comes from the
    /// database lies in memory more than once.
    private func bounded(_ sql: String) -> String {
        // Without OFFSET the text would be made twice.
        """
        SELECT CASE WHEN octet_length(a.json::text) <= \(longest) THEN a.json END
        FROM (\(sql) OFFSET 0) AS a (json)
        """
    }

    private func metrics(_ role: String?, _ answer: WebAnswer) {
        store.ask(as: role, FleetMetrics.sql) { [log] result in
            switch result {
            case .failure(let refusal): answer.respond(Self.response(refusal, log))
            case .success(let rows):
                answer.respond(
                    WebResponse(
                        headers: WebResponse.headers(MetricsText.mediaType),
                        body: Array(FleetMetrics.text(rows).text.utf8)))
            }
        }
    }

    private func visits(
        _ role: String?, _ arguments: [String: String], _ answer: WebAnswer
    ) {
        let format = arguments["format"].map { Report(rawValue: $0) } ?? .json
        guard let format, format == .json || format == .csv else {
            return answer.respond(WebResponse(refusing: 400, "cannot be understood: format"))
        }
        var selection = Visit.Selection()
        selection.place = arguments["place"]
        selection.box = arguments["box"]
        selection.since = arguments["since"]
        selection.until = arguments["until"]
        selection.text = arguments["text"]
        let (wanted, bytes) = (format == .csv ? most.file : most.shown, most.bytes)
        // One more says that there are more.
        let sql = Visit.portion(rows: wanted + 1, bytes: bytes)
        store.ask(as: role, sql, selection.parameters) { [log] result in
            switch result {
            case .failure(let refusal): answer.respond(Self.response(refusal, log))
            case .success(let rows):
                let visits = rows.values.compactMap(Visit.init)
                let isWhole =
                    visits.count <= wanted && visits.reduce(0) { $0 + $1.bytes } <= bytes
                answer.respond(
                    format == .csv
                        ? Self.file(isWhole ? visits : nil, most: wanted)
                        : Self.lines(visits.prefix(wanted), isWhole: isWhole))
            }
        }
    }

    private static func lines(_ visits: ArraySlice<Visit>, isWhole: Bool) -> WebResponse {
        WebResponse(
            headers: WebResponse.headers("application/jsonl") + (isWhole ? [] : more),
            body: Array(Report.json.text(Array(visits)).utf8))
    }

    /// A truncated file looks complete, so nil, for too many visits, is refused.
    private static func file(_ visits: [Visit]?, most: Int) -> WebResponse {
        guard let visits else {
            return WebResponse(
                refusing: 413,
                "more than \(most) stays, or long names: ask for a shorter time, a place or a box")
        }
        return WebResponse(
            headers: WebResponse.headers("text/csv; charset=utf-8")
                + [("Content-Disposition", "attachment; filename=\"stays.csv\"")],
            body: Array(Report.csv.text(visits).utf8))
    }

    private func stay(_ role: String?, _ arguments: [String: String], _ answer: WebAnswer) {
        guard let box = arguments["box"], let place = arguments["place"],
            let from = arguments["from"]
        else {
            return answer.respond(
                WebResponse(refusing: 400, "cannot be understood: box, place, from"))
        }
        store.ask(as: role, bounded(Evidence.sql), [box, place, from, arguments["to"]]) {
            [log] result in
            answer.respond(Self.json(result, log))
        }
    }

    // MARK: Answers

    /// The one text that the database has written, unless it was too long.
    private static func json(
        _ result: Result<Rows, BoardStore.Refusal>,
        _ log: @MainActor (LogPriority, String) -> Void
    ) -> WebResponse {
        switch result {
        case .failure(let refusal): return response(refusal, log)
        case .success(let rows):
            guard let text = rows.values.first?.first ?? nil else {
                return WebResponse(refusing: 413, "that is too much for one answer")
            }
            return WebResponse(
                headers: WebResponse.headers("application/json"), body: Array(text.utf8))
        }
    }

    /// What the database says in detail is for the administrator.
    private static func response(
        _ refusal: BoardStore.Refusal, _ log: @MainActor (LogPriority, String) -> Void
    ) -> WebResponse {
        switch refusal {
        case .denied: return WebResponse(refusing: 403, "the role may not read")
        case .absent: return WebResponse(refusing: 503, "no database")
        case .busy: return WebResponse(refusing: 503, "too much is asked")
        case .failed(let error) where error.isAboutData:
            return WebResponse(refusing: 400, "cannot be understood")
        case .failed(let error):
            log(.warning, "\(error)")
            // 42501, insufficient_privilege; 57014, query_canceled.
            let status: UInt32 = ["42501": 403, "57014": 504][error.state] ?? 502
            return WebResponse(refusing: status, "the database does not answer this")
        }
    }
}
