package import BusClient
import Geofence1
import JSON
import Model
import Sentences
package import Systemd
import Time
package import WebServer

/// What the daemon says, to all who look: asked for once, however many they are, and not at all
/// while nobody looks.
@MainActor
package final class MapFeed {
    private let loop: EventLoop
    private let address: BusAddress
    private(set) var client: DaemonClient?
    private var news: [BusSlot] = []
    private var clock: TimerSource?
    private var refresh: DeferredSource?
    private var viewers: [MapViewer] = []
    /// The last answers; nil before the first, and while there is no daemon.
    private(set) var status: DaemonStatus?
    private var window: [UInt8]?
    private var beacons: [UInt8]?
    private var position: [UInt8]?
    private var lastState: [UInt8]?
    private var isAbsent = false
    /// Whether a daemon that is absent was stopped or has failed.
    private var presence: DaemonPresence?
    /// Of the log whose numbers the viewers have.
    private var logID: String?
    private var asking = Set<String>()
    /// News that came while the answer to the same question was awaited.
    private var again = false
    /// When the daemon has last answered, and the last position that it has told.
    private var answeredAt = Uptime.boot
    private var lastPosition: ToldPosition?
    /// The state was asked for in vain.
    private var lacksState = false

    /// Events in one answer that is passed on: each has the metadata of its fence, which as values
    /// needs twenty times the 64 KiB that it may have.
    static let pageLimit: UInt32 = 8
    /// A viewer with more than this untaken waits for its next page, bytes.
    private static let backlog = 8 << 10
    /// It is asked every second: with no answer for this long it does not.
    private static let silence = TimeSpan.milliseconds(1900)

    /// Of what the driver is told.
    var wording = Wording.log

    /// Connects to that bus when the first viewer appears.
    package init(_ loop: EventLoop, to address: BusAddress) throws(SystemError) {
        self.loop = loop
        self.address = address
        clock = try TimerSource(loop, accuracy: .milliseconds(50)) { [weak self] in self?.tick() }
        refresh = try DeferredSource(loop, priority: 10) { [weak self] in self?.ask() }
    }

    /// The number of those who look.
    package var viewerCount: Int { viewers.count }

    /// A connection to the daemon's bus, made when there is none.
    /// - Throws: ``ClientError`` when the bus cannot be reached.
    package func connected() throws(ClientError) -> DaemonClient {
        if let client { return client }
        var made = try DaemonClient(to: address, loop: loop) { [weak self] in
            self?.disconnected()
        }
        made.asksUser = false
        client = made
        do {
            news = try made.onChanges { [weak self] in self?.refresh?.trigger() }
            presence = try DaemonPresence(made.connection, loop: loop) { [weak self] _ in
                self?.tellAbsence()
            }
        } catch {
            client = nil
            throw .unreadable(
                reason: "cannot subscribe to the signals", subject: address.description)
        }
        return made
    }

    /// Lets polkit ask the user who has started this program, once for as long as the connection
    /// lasts.
    /// - Returns: why the user may not see the drive; nil where there is nothing against it.
    package func authorize() -> ClientError? {
        do throws(ClientError) {
            let client = try connected()
            _ = try client.call(
                .readEvents, [.uint64(0), .uint32(1)], interactive: true)
            _ = try client.call(.getPosition, interactive: true)
        } catch { return error.isDenied ? error : nil }
        return nil
    }

    /// Shows this viewer everything from now on, and the events after that number.
    package func add(_ stream: WebStream, after seq: UInt64?) {
        let viewer = MapViewer(stream, after: seq)
        viewers.append(viewer)
        stream.onEnd = { [weak self, weak viewer] in
            guard let self, let viewer else { return }
            viewers.removeAll { $0 === viewer }
            if viewers.isEmpty { rest() }
        }
        stream.onDrained = { [weak self, weak viewer] in
            viewer?.drained()
            self?.advance()
        }
        viewer.comment("geofenced-map")
        if isAbsent { viewer.send("state", absence) }
        guard viewers.count == 1 else { return greet() }
        answeredAt = EventLoop.uptime
        clock?.arm(at: EventLoop.uptime)
        refresh?.trigger()
    }

    /// Ends every stream.
    package func close() {
        for viewer in viewers { viewer.close() }
        rest()
        news = []
        presence = nil
        client = nil
    }

    // MARK: Asking

    /// Nobody looks: nothing is asked, and what was known is of no use later.
    private func rest() {
        clock?.disarm()
        (status, window, position, lastState, lastPosition) = (nil, nil, nil, nil, nil)
        isAbsent = false
        logID = nil
    }

    private func disconnected() {
        news = []
        presence = nil
        client = nil
        asking = []
        absent()
    }

    private func tick() {
        guard !viewers.isEmpty else { return }
        clock?.arm(at: EventLoop.uptime + .seconds(1))
        // How far a hazard is, is no property that is signalled.
        if status?[.ahead].isEmpty != true || lacksState { ask() }
        question(.getPosition) { [weak self] answer in self?.located(answer) }
        live()
    }

    /// A sign of life of this program, and what it knows of the daemon's: a screen that gets none
    /// shows the past. It is also the write that finds out that a client has left.
    private func live() {
        let isSilent = EventLoop.uptime - answeredAt > Self.silence
        var json = JSONWriter()
        json.beginObject()
        json.key("daemon")
        json.string(isAbsent ? "absent" : isSilent ? "silent" : "answers")
        json.key("fix_age_s")
        // A recording has a clock of its own.
        let isRecorded = status?.isRecorded ?? true
        json.optional(isRecorded ? nil : lastPosition?.age?.seconds, decimals: 1)
        json.key("resting")
        json.bool(status?[.resting] ?? false)
        json.endObject()
        // The first thing that a newcomer hears is `hello`, if the daemon says what is in it.
        for viewer in viewers where viewer.isGreeted || isAbsent || isSilent {
            viewer.send("alive", json.bytes)
        }
    }

    /// Asks the daemon once, not again before the answer; with a failed connection not at all.
    private func question(
        _ call: DaemonCall, _ arguments: [BusValue] = [],
        _ answered: @escaping @MainActor (Result<[BusValue], ClientError>) -> Void
    ) {
        guard !asking.contains(call.name), let client = try? connected() else { return }
        asking.insert(call.name)
        do throws(ClientError) {
            try client.ask(call, arguments) { [weak self] result in
                self?.asking.remove(call.name)
                answered(result)
            }
        } catch {
            asking.remove(call.name)
            answered(.failure(error))
        }
    }

    private func ask() {
        guard !viewers.isEmpty else { return }
        guard !asking.contains("properties") else { return again = true }
        let client: DaemonClient
        do throws(ClientError) { client = try connected() } catch { return absent() }
        asking.insert("properties")
        again = false
        do throws(ClientError) {
            try client.beginProperties(timeout: .seconds(5)) { [weak self] answer in
                guard let self else { return }
                asking.remove("properties")
                lacksState = false
                switch answer {
                case .success(let properties): learned(DaemonStatus(properties: properties))
                case .failure(let error) where error.isAbsence: absent()
                // A daemon that does not answer has not gone; that is told every second.
                case .failure: lacksState = true
                }
                if again { refresh?.trigger() }
            }
        } catch {
            asking.remove("properties")
            absent()
        }
    }

    // MARK: Telling

    private func learned(_ learned: DaemonStatus) {
        let before = status
        status = learned
        isAbsent = false
        answeredAt = EventLoop.uptime
        if let logID, logID != learned[.logID] {
            // Other numbers: what they have seen says nothing about this log.
            for viewer in viewers { viewer.restart() }
        }
        logID = learned[.logID]
        greet()
        var json = JSONWriter()
        learned.write(to: &json)
        if json.bytes != lastState {
            lastState = json.bytes
            tell("state", json.bytes)
        }
        if let before,
            before[.generation] != learned[.generation]
                || before.vehicle?.numbers != learned.vehicle?.numbers
        {
            tell("fences", Self.object("generation", learned[.generation]))
        }
        question(.getWindow) { [weak self] regions in
            self?.question(.getMetafence) { self?.composed(regions, $0) }
        }
        // Without beacon fences there is nothing to list, unless some were listed before.
        if beacons != nil || learned[.beaconReason] != "no-regions" {
            question(.listBeacons) { [weak self] in self?.listed($0) }
        }
        advance()
    }

    /// What newcomers have to know first.
    private func greet() {
        guard let status else { return }
        for viewer in viewers where !viewer.isGreeted {
            viewer.greet(last: status[.lastSeq])
            var hello = JSONWriter()
            hello.beginObject()
            hello.key("version")
            hello.string(status[.version])
            hello.key("log_id")
            hello.string(status[.logID])
            hello.key("generation")
            hello.integer(status[.generation])
            hello.key("last_seq")
            hello.integer(status[.lastSeq])
            hello.endObject()
            viewer.send("hello", hello.bytes)
            if let lastState { viewer.send("state", lastState) }
            if let window { viewer.send("window", window) }
            if let beacons { viewer.send("beacons", beacons) }
            if let position { viewer.send("position", position) }
        }
    }

    private func located(_ answer: Result<[BusValue], ClientError>) {
        switch answer {
        case .success: answeredAt = EventLoop.uptime
        case .failure(let error) where error.isDenied || error.is(.noFix):
            answeredAt = EventLoop.uptime
        case .failure: break
        }
        // What was on its way when the daemon went is of the past.
        guard !isAbsent, let details = try? answer.get().first?.asDictionary,
            let known = ToldPosition(bus: details)
        else { return }
        lastPosition = known
        var json = JSONWriter()
        ToldPosition.told.writeObject(known, to: &json)
        guard json.bytes != position else { return }
        position = json.bytes
        tell("position", json.bytes)
    }

    private func composed(
        _ regions: Result<[BusValue], ClientError>, _ metafence: Result<[BusValue], ClientError>
    ) {
        guard !isAbsent, let regions = try? regions.get() else { return }
        let json = MapJSON.window(
            [ToldRegion](bus: regions), (try? metafence.get()).flatMap(ToldMetafence.init(bus:)))
        guard json != window else { return }
        window = json
        tell("window", json)
    }

    private func listed(_ answer: Result<[BusValue], ClientError>) {
        guard !isAbsent, let answer = try? answer.get() else { return }
        let json = MapJSON.beacons([ToldBeacon](bus: answer))
        guard json != beacons else { return }
        beacons = json
        tell("beacons", json)
    }

    private func absent() {
        status = nil
        guard !isAbsent else { return }
        isAbsent = true
        lastState = nil
        tellAbsence()
    }

    private func tellAbsence() {
        guard isAbsent else { return }
        for viewer in viewers { viewer.send("state", absence) }
    }

    private var absence: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("state")
        json.string("absent")
        if let state = presence?.state, let word = state.word, let since = state.since {
            json.key("why")
            json.string(word)
            json.key("since")
            json.string(since.byWallClock.iso8601)
        }
        json.endObject()
        return json.bytes
    }

    /// Events for those who lack the oldest; the answer is for all who lack them.
    private func advance() {
        guard let last = status?[.lastSeq] else { return }
        let waiting = viewers.compactMap { viewer in
            viewer.takes(Self.backlog) ? viewer.cursor : nil
        }
        guard let low = waiting.min(), low < last else { return }
        question(.readEvents, [.uint64(low), .uint32(Self.pageLimit)]) { [weak self] answer in
            guard let self, let answer = try? answer.get() else { return }
            let page = EventLogPage(bus: answer, after: low)
            let told = page.told(wording)
            for viewer in viewers { viewer.pass(told, after: low, upTo: page.next, page.hasGap) }
            if page.next > low { advance() }
        }
    }

    private func tell(_ event: String, _ json: [UInt8]) {
        for viewer in viewers where viewer.isGreeted { viewer.send(event, json) }
    }

    private static func object(_ key: String, _ number: UInt64) -> [UInt8] {
        Array("{\"\(key)\":\(number)}".utf8)
    }
}
