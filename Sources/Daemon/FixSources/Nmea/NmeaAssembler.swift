package import Engine
package import Time

/// Sentences → epochs → reports.
///
/// An epoch is a run of sentences with the same time of day. VTG and GSA have no time and belong to
/// the open epoch. A sentence whose time is empty (a receiver without any reception) joins the open
/// epoch unless that already has its kind.
package struct NmeaAssembler {
    private let settings: NmeaSettings
    private var framer = NmeaFramer()
    private var calendar: NmeaCalendar
    private var open: NmeaEpoch?
    /// Live only: the time of day of the epoch that was reported before it was over.
    private var given: Int64??
    private(set) var cycle = NmeaCycle()
    /// Live only: sentences for an epoch that had been reported already.
    package private(set) var late = 0

    package init(_ settings: NmeaSettings = NmeaSettings()) {
        self.settings = settings
        calendar = NmeaCalendar(settings.dates)
    }

    /// Counts of the sentences.
    package var counts: NmeaCounts { framer.counts }

    /// Takes one byte; returns the report of the epoch that ends with it. `now` is the wall clock,
    /// for a live receiver that never gives a date.
    package mutating func take(_ byte: UInt8, now: ReceiverTime? = nil) -> PositionReport? {
        guard let sentence = framer.take(byte) else { return nil }
        return take(sentence, now)
    }

    /// The stream has ended, or was cut: ends the open epoch.
    package mutating func finish(now: ReceiverTime? = nil) -> [PositionReport] {
        let last = framer.finish().flatMap { take($0, now) }
        defer { cycle.restart() }
        return [last, close(now)].compactMap(\.self)
    }

    /// Live, after all bytes that have arrived: ends the open epoch if its last sentence is the one
    /// with which the receiver's cycle has always ended.
    package mutating func finishIfComplete(now: ReceiverTime?) -> PositionReport? {
        guard open != nil, cycle.isComplete else { return nil }
        return give(now)
    }

    /// Live, when the receiver has been silent for a while: the open epoch is complete.
    package mutating func finishAfterSilence(now: ReceiverTime?) -> PositionReport? {
        give(now)
    }

    /// Whether an epoch waits for its end.
    package var isOpen: Bool { open != nil }

    private mutating func give(_ now: ReceiverTime?) -> PositionReport? {
        guard let epoch = open, epoch.timeOfDay != nil || epoch.mayHavePosition else { return nil }
        given = .some(epoch.timeOfDay)
        return close(now)
    }

    private mutating func take(_ sentence: NmeaSentence, _ now: ReceiverTime?) -> PositionReport? {
        // A ZDA dates epochs but does not start one: it has the time of sending, which is 0.05 s
        // after its epoch (Trimble R2) or 2 s ahead of it (Ashtech AC12).
        if sentence.kind == .zda {
            calendar.note(sentence.date)
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
            if sentence.kind == .vtg || sentence.kind == .gsa, !cycle.mayBegin(with: sentence.kind)
            {
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
            report = close(now)
            cycle.begin()
            open = NmeaEpoch()
        case .open:
            if open == nil {
                cycle.begin()
                open = NmeaEpoch()
            }
        }
        open?.merge(sentence, timeOfDay: timeOfDay)
        cycle.saw(sentence.kind)
        return report
    }

    private enum Place { case open, next, nowhere }

    private func place(of sentence: NmeaSentence, _ timeOfDay: Int64?) -> Place {
        guard let open else { return .open }
        if sentence.kind == .vtg || sentence.kind == .gsa { return .open }
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

    private mutating func close(_ now: ReceiverTime?) -> PositionReport? {
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
