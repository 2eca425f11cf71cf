package import Model
package import Time

/// Sentences → epochs → reports.
///
/// An epoch is a run of sentences with the same time of day. VTG and GSA have no time and belong to
/// the open epoch, but a GSA that the receiver sends in front to the next one. A sentence whose time
/// is empty (a receiver without any reception) joins the open epoch unless that already has its kind.
package struct NmeaAssembler {
    private let settings: ReceiverSettings
    private var framer = NmeaFramer()
    private var calendar: NmeaCalendar
    private var open: NmeaEpoch?
    /// Live only: the time of day of the epoch that was reported before it was over.
    private var given: Int64??
    private(set) var cycle = NmeaCycle()
    /// In front of which kinds a GSA has stood within an epoch: SiRF sends GGA, GSA and RMC, and the
    /// GGA not in every second.
    private var leading: NmeaKinds = []
    /// The GSA since the last sentence with a time: of the open epoch, or of the next.
    private var waiting: [NmeaSentence] = []
    /// One for each constellation, and more.
    private static let mostWaiting = 16
    /// Live only: sentences for an epoch that had been reported already.
    package private(set) var late = 0

    package init(_ settings: ReceiverSettings = ReceiverSettings()) {
        self.settings = settings
        calendar = NmeaCalendar(settings.dates)
    }

    /// Counts of the sentences.
    package var counts: NmeaCounts { framer.counts }

    /// Takes one byte; returns the report of the epoch that ends with it. `now` is the wall clock,
    /// for a live receiver that never gives a date.
    package mutating func feed(_ byte: UInt8, now: UTCTime? = nil) -> PositionReport? {
        guard let sentence = framer.feed(byte) else { return nil }
        return add(sentence, now)
    }

    /// The stream has ended, or was cut: ends the open epoch.
    package mutating func finish(now: UTCTime? = nil) -> [PositionReport] {
        let last = framer.finish().flatMap { add($0, now) }
        attach()
        defer {
            cycle.restart()
            waiting.removeAll()
        }
        return [last, close(now)].compactMap(\.self)
    }

    /// Live, after all bytes that have arrived: ends the open epoch if its last sentence is the one
    /// with which the receiver's cycle has always ended.
    package mutating func finishIfComplete(now: UTCTime?) -> PositionReport? {
        guard open != nil, cycle.isComplete else { return nil }
        return give(now)
    }

    /// Live, when the receiver has been silent for a while: the open epoch is complete.
    package mutating func finishAfterSilence(now: UTCTime?) -> PositionReport? {
        give(now)
    }

    /// Whether an epoch waits for its end.
    package var isOpen: Bool { open != nil }

    private mutating func give(_ now: UTCTime?) -> PositionReport? {
        guard let epoch = open, epoch.timeOfDay != nil || epoch.mayHavePosition else { return nil }
        given = .some(epoch.timeOfDay)
        attach()
        return close(now)
    }

    private mutating func add(_ sentence: NmeaSentence, _ now: UTCTime?) -> PositionReport? {
        // A ZDA dates epochs but does not start one: it has the time of sending, which is 0.05 s
        // after its epoch (Trimble R2) or 2 s ahead of it (Ashtech AC12).
        if sentence.kind == .zda {
            calendar.note(sentence.date)
            return nil
        }
        if sentence.kind == .gsa {
            takeGsa(sentence)
            return nil
        }
        if sentence.kind == .rmc { calendar.expectDates() }
        let timeOfDay = sentence.ownTimeOfDay
        if let given, open == nil {
            // A sentence of the epoch that was reported must not start another.
            if let timeOfDay, timeOfDay == given {
                late += 1
                cycle.wasWrong()
                return nil
            }
            if sentence.kind == .vtg, !cycle.mayBegin(with: .vtg) {
                late += 1
                cycle.wasWrong()
                return nil
            }
            self.given = nil
        }
        var report: PositionReport?
        switch place(of: sentence, timeOfDay) {
        case .nowhere:
            return nil
        case .next:
            if timeOfDay == nil || !leading.contains(NmeaKinds(sentence.kind)) { attach() }
            report = close(now)
            cycle.begin()
            open = NmeaEpoch()
            attach()
        case .open:
            if open == nil {
                cycle.begin()
                open = NmeaEpoch()
            }
            // What has no time proves nothing, and does not end the wait.
            if let timeOfDay {
                let isWithin = !waiting.isEmpty && open?.timeOfDay == timeOfDay
                attach()
                if isWithin { leading.insert(NmeaKinds(sentence.kind)) }
            }
        }
        open?.merge(sentence, timeOfDay: timeOfDay)
        cycle.saw(sentence.kind)
        return report
    }

    /// Of which epoch it is is known with the next sentence that has a time, or when none comes.
    private mutating func takeGsa(_ sentence: NmeaSentence) {
        if leading.isEmpty {
            if given != nil, open == nil {
                guard cycle.mayBegin(with: .gsa) else {
                    late += 1
                    cycle.wasWrong()
                    return
                }
                given = nil
            }
            if open == nil {
                cycle.begin()
                open = NmeaEpoch()
            }
            cycle.saw(.gsa)
        }
        if waiting.count == Self.mostWaiting { waiting.removeFirst() }
        waiting.append(sentence)
    }

    /// Those that wait are of the open epoch.
    private mutating func attach() {
        guard open != nil else { return }
        for sentence in waiting {
            open?.merge(sentence, timeOfDay: nil)
            // Otherwise it was seen when it came.
            if !leading.isEmpty { cycle.saw(.gsa) }
        }
        waiting.removeAll()
    }

    private enum Place { case open, next, nowhere }

    private func place(of sentence: NmeaSentence, _ timeOfDay: Int64?) -> Place {
        guard let open else { return .open }
        if sentence.kind == .vtg { return .open }
        guard let timeOfDay else {
            return open.seen.contains(NmeaKinds(sentence.kind)) ? .next : .open
        }
        guard let current = open.timeOfDay else {
            return open.mayHavePosition ? .next : .open
        }
        if timeOfDay == current { return .open }
        // Late sentences about the error of a finished epoch do not start another.
        let day = NmeaCalendar.dayLength
        let ahead = ((timeOfDay - current) % day + day) % day
        return sentence.kind == .gst && ahead > day / 2 ? .nowhere : .next
    }

    private mutating func close(_ now: UTCTime?) -> PositionReport? {
        guard let epoch = open else { return nil }
        open = nil
        guard let timeOfDay = epoch.timeOfDay else {
            guard epoch.mayHavePosition else { return nil }
            return epoch.report(at: nil, isDated: true, settings)
        }
        let time =
            epoch.isVoid
            ? calendar.clock(of: timeOfDay, date: epoch.date)
            : calendar.time(of: timeOfDay, date: epoch.date, hasFix: epoch.hasFix, now: now)
        return epoch.report(at: time, isDated: time != nil, settings)
    }
}

extension NmeaSentence {
    /// The time of day in the sentence itself.
    fileprivate var ownTimeOfDay: Int64? {
        switch kind {
        case .rmc, .gga, .gns, .gst: timeOfDay(1)
        case .gll: timeOfDay(5)
        case .vtg, .gsa, .zda: nil
        }
    }
}
