import BusClient
import Geofence1
package import MapPage
import Metrics
import Model
import Systemd
import Time
package import WebServer

/// The live map: which request gets which answer. Nothing can be changed over HTTP.
@MainActor
package final class LiveMap {
    private let feed: MapFeed
    private let rules: AccessRules
    private let files: PageFiles
    private let tiles: TileFile?
    /// For what is worth a line in the log.
    package var log: (String) -> Void = { _ in }
    /// Viewers at once; each is a connection that stays.
    private static let mostViewers = 16
    /// Features of one answer, and events.
    private static let most = 2000
    private static let mostEvents = 1000

    /// The headers that ``answer(_:_:)`` looks at.
    package static let headers = AccessRules.headers + ["Last-Event-ID", "If-None-Match"]
    /// The arguments that it looks at.
    package static let arguments = ["within", "max", "after"]

    /// - Throws: ``MapProblem`` for a file of tiles that cannot be used.
    package init(
        _ feed: MapFeed, _ rules: AccessRules, _ settings: MapSettings,
        _ reader: PageReader = .english
    ) throws(MapProblem) {
        self.feed = feed
        self.rules = rules
        var shown = LiveTiles()
        shown.attribution = settings.attribution
        switch settings.tiles {
        case .none: tiles = nil
        case .file(let path):
            let file = try TileFile(path: path)
            shown.address = "/tiles/{z}/{x}/{y}"
            shown.isOurs = true
            shown.zooms = file.zooms
            if shown.attribution.isEmpty { shown.attribution = file.attribution }
            tiles = file
        case .server(let address):
            shown.address = address
            tiles = nil
        }
        files = PageFiles(shown, origin: settings.tiles.origin, reader)
        feed.wording = reader.wording
        if case .file(let path) = settings.tiles {
            tiles?.whenSlow = { [weak self] in
                let reason = "to find tiles takes too long: has it an index on them?"
                self?.log(MapProblem(reason, path).description)
            }
        }
    }

    /// Answers one request.
    package func answer(_ request: WebRequest, _ answer: WebAnswer) {
        if let refusal = rules.refusal(of: request) { return answer.respond(refusal) }
        if let file = files.response(request.path) { return answer.respond(file) }
        guard !rules.isProved(by: request) || answer.trust() else {
            return answer.respond(WebResponse(refusing: 503, "too many ask already"))
        }
        switch request.path {
        case "/v1/live": live(request, answer)
        case "/v1/state": state(answer)
        case "/metrics": metrics(answer)
        case "/v1/events": events(request, answer)
        case "/v1/fences": fences(request, answer)
        // By bytes: an id may begin with an accent, which is on the slash, to Swift.
        case let path where path.utf8.starts(with: "/v1/fences/".utf8):
            fence(String(path.unicodeScalars.dropFirst("/v1/fences/".utf8.count)), answer)
        case let path where path.hasPrefix("/tiles/"): tile(path, answer)
        default: answer.respond(WebResponse(refusing: 404, "nothing here"))
        }
    }

    // MARK: Each of them

    private func live(_ request: WebRequest, _ answer: WebAnswer) {
        var seq: UInt64?
        if let id = request.headers["Last-Event-ID"] {
            guard let number = UInt64(id) else { return refuse(answer, "Last-Event-ID") }
            seq = number
        }
        guard feed.viewerCount < Self.mostViewers else {
            return answer.respond(WebResponse(refusing: 503, "too many look already"))
        }
        guard request.method == "GET" else {
            return answer.respond(WebResponse(headers: WebResponse.headers("text/event-stream")))
        }
        guard let stream = answer.stream(headers: WebResponse.headers("text/event-stream")) else {
            return
        }
        feed.add(stream, after: seq)
    }

    private func state(_ answer: WebAnswer) {
        with(answer) { client throws(ClientError) in
            try client.beginProperties(timeout: .seconds(5)) { properties in
                guard let properties = Self.value(properties, answer) else { return }
                Self.ask(client, .getPosition, [], answer, orElse: []) { position in
                    let known = ToldPosition(bus: position.first?.asDictionary ?? [:])
                    let status = DaemonStatus(properties: properties, position: known)
                    Self.ask(client, .getWindow, [], answer, orElse: []) { regions in
                        let window = [ToldRegion](bus: regions)
                        answer.respond(Self.json(MapJSON.state(status, window)))
                    }
                }
            }
        }
    }

    /// Also of a daemon that does not run: that is one of them.
    private func metrics(_ answer: WebAnswer) {
        let all = SourceStatus.all(in: SourceStatus.directory)
        func respond(
            _ status: DaemonStatus?, _ consumers: [ToldConsumer]?, _ sources: [SourceStatus]
        ) {
            let text = DaemonMetrics.text(status, consumers: consumers, sources: sources)
            answer.respond(
                WebResponse(
                    headers: WebResponse.headers(MetricsText.mediaType),
                    body: Array(text.text.utf8)))
        }
        do throws(ClientError) {
            let client = try feed.connected()
            try client.beginProperties(timeout: .seconds(5)) { result in
                guard let properties = try? result.get() else {
                    guard case .failure(let error) = result, error.isAbsence else {
                        _ = Self.value(result, answer)
                        return
                    }
                    return respond(nil, nil, all)
                }
                let status = DaemonStatus(properties: properties)
                Self.ask(client, .listConsumers, [], answer, orElse: []) { reply in
                    let consumers = reply.first?.asArray?.compactMap(ToldConsumer.init(bus:))
                    do throws(ClientError) {
                        try client.beginOrigins(timeout: .seconds(5)) {
                            let told = $0.map { SourceStatus.compared(all, with: $0) }
                            respond(status, consumers, told ?? all)
                        }
                    } catch { respond(status, consumers, all) }
                }
            }
        } catch {
            guard error.isAbsence else { return Self.fail(answer, error) }
            respond(nil, nil, all)
        }
    }

    private func events(_ request: WebRequest, _ answer: WebAnswer) {
        guard let after = number(request.arguments["after"], 0),
            let most = number(request.arguments["max"], UInt64(Self.mostEvents))
        else { return refuse(answer, "after, max") }
        let limit = UInt32(clamping: max(1, min(most, UInt64(Self.mostEvents))))
        with(answer) { client in
            Self.read(
                client, answer, after: after, Int(limit), MapJSON.Events(next: after, feed.wording))
        }
    }

    /// In small pages, until these are enough, or the log is at its end.
    private static func read(
        _ client: DaemonClient, _ answer: WebAnswer, after: UInt64, _ limit: Int,
        _ events: MapJSON.Events
    ) {
        let most = UInt32(clamping: min(limit - events.count, Int(MapFeed.pageLimit)))
        ask(client, .readEvents, [.uint64(after), .uint32(most)], answer) { reply in
            var events = events
            let page = EventLogPage(bus: reply, after: after)
            events.add(page)
            guard page.next > after, events.count < limit, events.hasRoom else {
                return answer.respond(json(events.json))
            }
            read(client, answer, after: page.next, limit, events)
        }
    }

    private func fences(_ request: WebRequest, _ answer: WebAnswer) {
        guard let view = FenceView(request.arguments["within"] ?? "-180,-90,180,90"),
            let most = number(request.arguments["max"], UInt64(Self.most))
        else { return refuse(answer, "within, max") }
        let generation = feed.status?[.generation]
        // Which limits the vehicle fits is part of the answer.
        let vehicle = feed.status?.vehicle
        let tag = generation.map { "\"\($0)-\(vehicle?.numbers ?? "")\"" }
        if let tag, request.headers["If-None-Match"] == tag {
            return answer.respond(WebResponse(status: 304, headers: [("ETag", tag)]))
        }
        with(answer) { client in
            let question = FenceQuestion(
                client, view, most: Int(min(most, UInt64(Self.most))),
                generation: generation ?? 0, vehicle: vehicle
            ) { result in
                guard let body = Self.value(result, answer) else { return }
                var response = Self.json(body)
                if let tag { response.headers.append(("ETag", tag)) }
                answer.respond(response)
            }
            question.begin()
        }
    }

    private func fence(_ id: String, _ answer: WebAnswer) {
        let vehicle = feed.status?.vehicle
        with(answer) { client in
            Self.ask(client, .getFence, [.string(id)], answer) { reply in
                let details = reply.first?.asDictionary ?? [:]
                guard let fence = try? CatalogueFence(id: id, details) else {
                    return answer.respond(WebResponse(refusing: 502, "a fence of another version"))
                }
                Self.ask(client, .getStates, [.strings([id])], answer) { reply in
                    let state = reply.first?.asDictionary?[id]?.asStructure ?? []
                    let since = state.dropFirst().first?.asUInt64 ?? 0
                    answer.respond(
                        Self.json(
                            MapJSON.fence(
                                fence, vehicle, ToldPresence(bus: state.first),
                                since: since > 0 ? UTCTime(microseconds: since).iso8601 : nil)
                        ))
                }
            }
        }
    }

    private func tile(_ path: String, _ answer: WebAnswer) {
        let numbers = path.split(separator: "/").dropFirst().compactMap { Int($0) }
        guard let tiles, numbers.count == 3,
            let bytes = tiles.tile(zoom: numbers[0], column: numbers[1], row: numbers[2])
        else { return answer.respond(WebResponse(refusing: 404, "no such tile")) }
        var response = WebResponse(headers: WebResponse.headers(tiles.mediaType), body: bytes)
        // They are no secret, and hundreds of them are in each view.
        response.headers.removeAll { $0.name == "Cache-Control" }
        response.headers.append(("Cache-Control", "private, max-age=86400"))
        answer.respond(response)
    }

    // MARK: Asking the daemon

    private func with(
        _ answer: WebAnswer, _ body: (DaemonClient) throws(ClientError) -> Void
    ) {
        do throws(ClientError) { try body(feed.connected()) } catch { Self.fail(answer, error) }
    }

    /// - Parameter orElse: the answer of a caller that may not ask this; nil to pass it on.
    private static func ask(
        _ client: DaemonClient, _ call: DaemonCall, _ arguments: [BusValue],
        _ answer: WebAnswer, orElse: [BusValue]? = nil,
        then: @escaping @MainActor ([BusValue]) -> Void
    ) {
        do throws(ClientError) {
            try client.ask(call, arguments) { result in
                if case .failure(let error) = result, let orElse,
                    error.isDenied || error.is(.noFix)
                {
                    return then(orElse)
                }
                guard let values = value(result, answer) else { return }
                then(values)
            }
        } catch { fail(answer, error) }
    }

    /// The value; nil after the request was answered with its error.
    private static func value<Value>(
        _ result: Result<Value, ClientError>, _ answer: WebAnswer
    ) -> Value? {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            fail(answer, error)
            return nil
        }
    }

    private static func fail(_ answer: WebAnswer, _ error: ClientError) {
        let status: UInt32 =
            error.isDenied ? 403 : error.is(.noSuchFence) ? 404 : error.isAbsence ? 503 : 502
        answer.respond(WebResponse(refusing: status, error.reason))
    }

    private static func json(_ body: [UInt8]) -> WebResponse {
        WebResponse(headers: WebResponse.headers("application/json"), body: body)
    }

    private func refuse(_ answer: WebAnswer, _ what: String) {
        answer.respond(WebResponse(refusing: 400, "cannot be understood: \(what)"))
    }

    /// Nil for a text that is no number; the other one without a text.
    private func number(_ text: String?, _ other: UInt64) -> UInt64? {
        guard let text else { return other }
        return UInt64(text)
    }
}
