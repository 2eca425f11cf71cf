import Geodesy
import Law
import Model
import Time

/// The combined content of the sentences of one epoch.
struct NmeaEpoch {
    /// Nanoseconds since midnight; nil while no sentence has given one.
    private(set) var timeOfDay: Int64?
    /// The date of its RMC, void or not.
    private(set) var date: NmeaCalendar.Moment?
    private(set) var seen: NmeaKinds = []
    /// Its RMC reports no fix: that applies to the whole epoch.
    private(set) var isVoid = false
    /// The last sentence of each kind with content.
    private var positions = (
        gga: Coordinate?.none, gns: Coordinate?.none, rmc: Coordinate?.none, gll: Coordinate?.none
    )
    private var dilutions = (gga: Double?.none, gns: Double?.none, gsa: Double?.none)
    private var isCorrected = (gga: false, gns: false)
    private var deviation: Double?
    private var motion: Motion?
    private var motionOfVtg: Motion?

    private struct Motion {
        var speed: Double?
        var course: Double?
    }

    private static let metresPerSecondPerKnot = 1852.0 / 3600

    /// One of the four kinds with a position was seen, even if it was empty.
    var mayHavePosition: Bool { !seen.isDisjoint(with: .withPosition) }

    /// Whether there is a valid position: a void RMC applies to the whole epoch.
    var hasFix: Bool { !isVoid && position != nil }

    private var position: Coordinate? {
        positions.gga ?? positions.gns ?? positions.rmc ?? positions.gll
    }

    mutating func merge(_ sentence: NmeaSentence, timeOfDay: Int64?) {
        if self.timeOfDay == nil { self.timeOfDay = timeOfDay }
        seen.insert(NmeaKinds(sentence.kind))
        switch sentence.kind {
        case .rmc: mergeRmc(sentence)
        case .gga: mergeGga(sentence)
        case .gns: mergeGns(sentence)
        case .gll: mergeGll(sentence)
        case .vtg: mergeVtg(sentence)
        case .gst: mergeGst(sentence)
        case .zda: break
        case .gsa: mergeGsa(sentence)
        }
    }

    /// The mode indicator is ignored: with the status A, gpsd 3.22 takes E (dead reckoning) and
    /// even N for a fix (tested).
    private mutating func mergeRmc(_ sentence: NmeaSentence) {
        date = sentence.date ?? date
        if sentence.isVoid {
            isVoid = true
            return
        }
        positions.rmc = sentence.coordinate(3) ?? positions.rmc
        let speed = sentence.magnitude(7).map { $0 * Self.metresPerSecondPerKnot }
        let course = sentence.magnitude(8)
        if speed != nil || course != nil { motion = Motion(speed: speed, course: course) }
    }

    /// Quality 6 (estimated), 7 (manual) and 8 (simulator; Garmin sends it in normal use) are a
    /// fix, as in gpsd 3.22 (tested).
    private mutating func mergeGga(_ sentence: NmeaSentence) {
        guard let quality = sentence.letter(6), ("1"..."9").contains(quality),
            sentence.field(6).count == 1, let position = sentence.coordinate(2)
        else { return }
        positions.gga = position
        dilutions.gga = sentence.dilution(8) ?? dilutions.gga
        isCorrected.gga = quality == "2" || quality == "4" || quality == "5"
    }

    /// One mode per constellation; N means "no fix" for that one only.
    private mutating func mergeGns(_ sentence: NmeaSentence) {
        let modes = sentence.field(6)
        guard modes.contains(where: { $0 != UInt8(ascii: "N") }),
            let position = sentence.coordinate(2)
        else { return }
        positions.gns = position
        dilutions.gns = sentence.dilution(8) ?? dilutions.gns
        let corrected: [UInt8] = [UInt8(ascii: "D"), UInt8(ascii: "R"), UInt8(ascii: "F")]
        isCorrected.gns = modes.contains(where: corrected.contains)
    }

    private mutating func mergeGll(_ sentence: NmeaSentence) {
        guard sentence.letter(6) == "A", sentence.letter(7) != "N" else { return }
        positions.gll = sentence.coordinate(1) ?? positions.gll
    }

    /// One for each constellation; one without a satellite in use says 99.99, and nothing of the fix.
    private mutating func mergeGsa(_ sentence: NmeaSentence) {
        guard let dilution = sentence.dilution(16) else { return }
        if dilution < 99 || dilutions.gsa == nil { dilutions.gsa = dilution }
    }

    private mutating func mergeVtg(_ sentence: NmeaSentence) {
        // Without its letters it is of NMEA 1, with other fields. gpsd 3.22 omits E and N.
        guard sentence.letter(9) != "N", sentence.letter(9) != "E" else { return }
        let course = sentence.letter(2) == "T" ? sentence.magnitude(1) : nil
        var speed: Double?
        if sentence.letter(6) == "N", let knots = sentence.magnitude(5) {
            speed = knots * Self.metresPerSecondPerKnot
        } else if sentence.letter(8) == "K", let kilometresPerHour = sentence.magnitude(7) {
            speed = kilometresPerHour / 3.6
        }
        if speed != nil || course != nil { motionOfVtg = Motion(speed: speed, course: course) }
    }

    private mutating func mergeGst(_ sentence: NmeaSentence) {
        guard let north = sentence.magnitude(6), let east = sentence.magnitude(7) else { return }
        deviation = (north * north + east * east).squareRoot()
    }

    /// The report of the epoch.
    func report(at time: UTCTime?, isDated: Bool, _ settings: ReceiverSettings)
        -> PositionReport
    {
        guard hasFix, isDated else {
            return PositionReport(time: time, hasFix: false, coordinate: nil)
        }
        return PositionReport(
            time: time, hasFix: true,
            coordinate: position,
            error: error(settings),
            speed: motion?.speed ?? motionOfVtg?.speed,
            course: motion?.course ?? motionOfVtg?.course)
    }

    /// m; nil if the receiver gives no error.
    private func error(_ settings: ReceiverSettings) -> Double? {
        if let deviation, deviation > 0 { return settings.errorPerDeviation * deviation }
        guard let dilution = dilutions.gga ?? dilutions.gns ?? dilutions.gsa else {
            return nil
        }
        return dilution
            * (isCorrected.gga || isCorrected.gns
                ? settings.errorPerDilutionCorrected : settings.errorPerDilution)
    }
}

/// A set of kinds of sentences.
struct NmeaKinds: OptionSet {
    let rawValue: UInt8

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ kind: NmeaSentence.Kind) { self.init(rawValue: 1 << kind.rawValue) }

    /// The four with a position.
    static let withPosition: NmeaKinds = [
        NmeaKinds(.rmc), NmeaKinds(.gga), NmeaKinds(.gns), NmeaKinds(.gll),
    ]
}
