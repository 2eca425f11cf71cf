import Bytes
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
    private var known: [Asked: (generation: UInt64, answer: LargeAnswer, response: WebResponse)] =
        [:]
    /// Who waits for one, by its generation, too: what is new after a question began is in no answer to
    /// it.
    private var waiting: [Waiting: (question: BoardQuestion?, answers: [WebAnswer])] = [:]
    /// What all answers may need of the memory.
    let budget = AnswerBudget()

    /// What all who look with a role ask for.
    private struct Asked: Hashable {
        var role: ExactText?
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

    /// Visits of one answer, and of a file; and bytes of the names and titles of all of them.
    package var most = (shown: 5_000, file: 200_000, bytes: 16 << 20)
    /// Of an answer that has not all of them.
    private static let more: [(name: String, value: String)] = [("Geofenced-More", "yes")]
    /// Answers that are kept.
    private static let mostKnown = 64
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
        limits.connections = UInt32(BoardFeed.most + 140)
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
        guard case .success(let role) = self.role(of: request) else {
            return answer.respond(WebResponse(refusing: 401, "nobody is signed in"))
        }
        store.admit(role) { [weak self] refusal in
            guard let self else { return }
            if let refusal { return answer.respond(response(refusal)) }
            guard answer.trust(as: role ?? "") else { return answer.respond(response(.busy)) }
            self.answer(request, role, answer)
        }
    }

    private func answer(_ request: WebRequest, _ role: String?, _ answer: WebAnswer) {
        switch request.path {
        case let path where Self.shared[path] != nil:
            shared(Asked(role: role.map(ExactText.init), path: path), answer)
        case "/metrics": metrics(role, answer)
        case "/v1/live": live(request, role, answer)
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

    private func live(_ request: WebRequest, _ role: String?, _ answer: WebAnswer) {
        let role = role.map(ExactText.init)
        guard feed.hasPlace(for: role) else { return answer.respond(response(.busy)) }
        // A proxy passes on at once what is said: nginx, "proxy_buffering".
        let headers =
            WebResponse.headers("text/event-stream") + [("X-Accel-Buffering", "no")]
        guard request.method == "GET" else {
            return answer.respond(WebResponse(headers: headers))
        }
        guard let stream = answer.stream(headers: headers) else { return }
        feed.add(stream, of: role, generation)
    }

    /// Asked for once, however many look with the same role.
    private func shared(_ asked: Asked, _ answer: WebAnswer) {
        guard let sql = Self.shared[asked.path] else { return }
        if let known = known[asked], known.generation == generation, store.isConnected {
            return send(known.response, known.answer, to: [answer])
        }
        let generation = generation
        let key = Waiting(asked: asked, generation: generation)
        answer.onLeave = { [weak self, weak answer] in self?.leave(key, answer) }
        guard waiting[key] == nil else {
            waiting[key]?.answers.append(answer)
            return
        }
        waiting[key] = (nil, [answer])
        let question = json(asked.role, sql) { [weak self] response, large in
            guard let self else { return }
            let answers = waiting.removeValue(forKey: key)?.answers ?? []
            if response.status == 200 { keep(response, large, of: asked, generation) }
            send(response, large, to: answers)
        }
        waiting[key]?.question = question
    }

    /// What nobody waits for is not asked any more.
    private func leave(_ key: Waiting, _ answer: WebAnswer?) {
        waiting[key]?.answers.removeAll { $0 === answer }
        if waiting[key]?.answers.isEmpty == true {
            waiting.removeValue(forKey: key)?.question?.takeBack()
        }
    }

    private func keep(
        _ response: WebResponse, _ large: LargeAnswer, of asked: Asked, _ generation: UInt64
    ) {
        // What is older is no answer any more, and may be large.
        known = known.filter { $0.value.generation >= generation }
        if known.count >= Self.mostKnown { known = [:] }
        known[asked] = (generation, large, response)
        large.use { [weak self] in
            if self?.known[asked]?.answer === large { self?.known[asked] = nil }
        }
    }

    /// Asks for the JSON text that a question gives.
    private func json(
        _ role: ExactText?, _ sql: String, _ parameters: [String?] = [],
        reply: @escaping (WebResponse, LargeAnswer) -> Void
    ) -> BoardQuestion {
        let (large, body) = budget.begin(of: role)
        let text = BoardQuestion.Text(
            sql: Self.bounded(sql, longest), parameters: parameters, isBinary: true,
            each: { [budget] in budget.add($0.bytes, to: body) })
        let question = store.ask(as: role?.text, text) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let refusal): reply(response(refusal), large)
            case .success where body.count == 0:
                reply(WebResponse(refusing: 413, "that is too much for one answer"), large)
            case .success:
                reply(
                    WebResponse(headers: WebResponse.headers("application/json"), large: body),
                    large)
            }
        }
        large.use { [weak question] in question?.giveWay() }
        return question
    }

    /// The JSON text that a question gives, in portions of its bytes; none if it is longer than `longest`.
    private static func bounded(_ sql: String, _ longest: Int) -> String {
        // Without OFFSET the text would be made for each of them.
        """
        SELECT substr(b.json, 1 + n * \(SharedBody.least), \(SharedBody.least))
        FROM (SELECT convert_to(a.json::text, 'UTF8') AS json
            FROM (\(sql) OFFSET 0) AS a (json) OFFSET 0) AS b
        CROSS JOIN LATERAL generate_series(0, (octet_length(b.json) - 1) / \(SharedBody.least)) AS n
        WHERE octet_length(b.json) <= \(longest)
        """
    }

    /// Sends an answer to all who wait for it. When there is no more room for it, they have to leave.
    private func send(_ response: WebResponse, _ large: LargeAnswer, to answers: [WebAnswer]) {
        large.isReady = true
        for answer in answers {
            answer.onLeave = {}
            answer.respond(response)
            if response.large != nil { large.use { [weak answer] in answer?.dismiss() } }
        }
    }

    private func metrics(_ role: String?, _ answer: WebAnswer) {
        let question = store.ask(as: role, .init(sql: FleetMetrics.sql)) { [weak self] result in
            switch result {
            case .failure(let refusal): self.map { answer.respond($0.response(refusal)) }
            case .success(let rows):
                answer.respond(
                    WebResponse(
                        headers: WebResponse.headers(MetricsText.mediaType),
                        body: Array(FleetMetrics.text(rows).text.utf8)))
            }
        }
        answer.onLeave = { question.takeBack() }
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
        let isFile = format == .csv
        let most = (stays: isFile ? most.file : most.shown, bytes: most.bytes)
        let (large, body) = budget.begin(of: role.map(ExactText.init))
        if isFile { body.append(Array(Sheet.csv(titles: Visit.keys).utf8)) }
        var (stays, bytes) = (0, 0)
        let text = BoardQuestion.Text(
            // One more says that there are more.
            sql: Visit.portion(rows: most.stays + 1, bytes: most.bytes),
            parameters: selection.parameters, isLong: true,
            each: { [budget] row in
                guard let visit = Visit(row.cells) else { return }
                (stays, bytes) = (stays + 1, bytes + visit.bytes)
                guard stays <= most.stays, !isFile || bytes <= most.bytes else { return }
                let members = visit.members
                let line = isFile ? Sheet.csv(members) : Sheet.json(members)
                budget.add(Array(line.utf8), to: body)
            })
        let question = store.ask(as: role, text) { [weak self] result in
            guard let self else { return }
            if case .failure(let refusal) = result { return answer.respond(response(refusal)) }
            let isWhole = stays <= most.stays && bytes <= most.bytes
            send(
                isFile
                    ? Self.file(isWhole ? body : nil, most: most.stays)
                    : Self.lines(body, isWhole: isWhole), large, to: [answer])
        }
        answer.onLeave = { question.takeBack() }
        large.use { [weak question] in question?.giveWay() }
    }

    private static func lines(_ body: SharedBody, isWhole: Bool) -> WebResponse {
        WebResponse(
            headers: WebResponse.headers("application/jsonl") + (isWhole ? [] : more), large: body)
    }

    /// A truncated file looks complete, so nil, for too many visits, is refused.
    private static func file(_ body: SharedBody?, most: Int) -> WebResponse {
        guard let body else {
            return WebResponse(
                refusing: 413,
                "more than \(most) stays, or long names: ask for a shorter time, a place or a box")
        }
        return WebResponse(
            headers: WebResponse.headers("text/csv; charset=utf-8")
                + [("Content-Disposition", "attachment; filename=\"stays.csv\"")], large: body)
    }

    private func stay(_ role: String?, _ arguments: [String: String], _ answer: WebAnswer) {
        guard let box = arguments["box"], let place = arguments["place"],
            let from = arguments["from"]
        else {
            return answer.respond(
                WebResponse(refusing: 400, "cannot be understood: box, place, from"))
        }
        let question = json(
            role.map(ExactText.init), Evidence.sql, [box, place, from, arguments["to"]]
        ) { [weak self] in self?.send($0, $1, to: [answer]) }
        answer.onLeave = { question.takeBack() }
    }

    // MARK: Refusals

    /// What the database says in detail is for the administrator.
    private func response(_ refusal: BoardStore.Refusal) -> WebResponse {
        switch refusal {
        case .denied: return WebResponse(refusing: 403, "the role may not read")
        case .absent: return WebResponse(refusing: 503, "no database")
        case .busy:
            var busy = WebResponse(refusing: 503, "busy: too much is asked at once")
            busy.headers.append(("Retry-After", "2"))
            return busy
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
