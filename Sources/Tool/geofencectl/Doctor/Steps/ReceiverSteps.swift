// From the antenna to the socket of gpsd, asked without the daemon.

extension DoctorStep {
    static let gpsd = DoctorStep(
        "gpsd", "does gpsd answer?",
        [
            .gpsdUnresolved, .gpsdAbsent, .gpsdMasked, .gpsdFailing, .gpsdUnreachable,
            .gpsdFiltered, .gpsdUnanswered, .gpsdSilent, .gpsdStrange,
        ]
    ) { evidence in
        guard let gpsd = evidence.gpsd else { return .unknown("the source is not gpsd") }
        if let failure = gpsd.failure {
            let other = gpsd.elsewhere.first.map { "; a gpsd runs at \($0)" } ?? ""
            let cause = cause(of: gpsd)
            let text = "\(gpsd.place): \(failure)\(other)"
            guard cause == .gpsdUnreachable, other.isEmpty else { return .found(cause, text) }
            return unitFlaw(evidence, text) ?? .found(cause, text)
        }
        if let complaint = gpsd.complaint {
            return .found(.gpsdStrange, "gpsd at \(gpsd.place) says: \(complaint)")
        }
        guard let release = gpsd.release else {
            guard gpsd.hasSpoken else {
                let seconds = decimal(gpsd.seconds, 0)
                let text = "\(gpsd.place) answers, and says nothing for \(seconds) s"
                return unitFlaw(evidence, text) ?? .found(.gpsdSilent, text)
            }
            return .found(.gpsdStrange, "\(gpsd.place) answers, and not as gpsd does")
        }
        return .good("gpsd \(release) at \(gpsd.place)")
    }

    /// Why the gpsd of this machine does not run, by its units; nil where they do not say.
    private static func unitFlaw(_ evidence: DoctorEvidence, _ text: String) -> Finding? {
        let units = UnitState.gpsd.compactMap { evidence.others.units[$0] }
        guard evidence.gpsd?.isHere == true, units.count == UnitState.gpsd.count else { return nil }
        func finding(_ cause: Cause, _ unit: UnitState) -> Finding {
            .found(cause, "\(text); \(unit.text)")
        }
        if let service = units.last, service.loadState == "not-found" {
            return finding(.gpsdAbsent, service)
        }
        if let masked = units.first(where: { $0.loadState == "masked" }) {
            return finding(.gpsdMasked, masked)
        }
        let failing = units.last { $0.activeState == "failed" || $0.isRestarting }
        return failing.map { finding(.gpsdFailing, $0) }
    }

    private static func cause(of gpsd: GpsdEvidence) -> Cause {
        if gpsd.isUnresolved { return .gpsdUnresolved }
        // On this machine a connection cannot be lost by itself; one that is refused where somebody
        // listens neither.
        if gpsd.isHere {
            return gpsd.isUnanswered || gpsd.isListenedTo ? .gpsdFiltered : .gpsdUnreachable
        }
        return gpsd.isUnanswered ? .gpsdUnanswered : .gpsdUnreachable
    }

    static let receiver = DoctorStep(
        "receiver", "is there a receiver?",
        [
            .noReceiver, .otherReceiver, .receiverClosed, .receiverSilent, .severalReceivers,
            .receiverAbsent, .receiverDenied,
        ]
    ) { evidence in
        if let line = evidence.line { return judge(line) }
        guard let gpsd = evidence.gpsd, gpsd.release != nil else {
            return .unknown("gpsd does not answer")
        }
        let paths = gpsd.devices.map(\.path).joined(separator: ", ")
        guard !gpsd.devices.isEmpty else { return .found(.noReceiver, "gpsd has no device") }
        if let wanted = gpsd.wanted, !gpsd.devices.contains(where: { $0.path == wanted }) {
            return .found(.otherReceiver, "\(wanted) is wanted, gpsd has \(paths)")
        }
        let meant = gpsd.devices.filter { gpsd.wanted == nil || $0.path == gpsd.wanted }
        guard meant.contains(where: \.isActive) || gpsd.report != nil else {
            return .found(.receiverClosed, "gpsd has \(paths), and does not get it open")
        }
        guard gpsd.report != nil else {
            let seconds = decimal(gpsd.seconds, 0)
            return .found(.receiverSilent, "\(paths): not one report in \(seconds) s")
        }
        if gpsd.wanted == nil, meant.count(where: \.isActive) > 1 {
            let counts = evidence.daemon.map(\.receiver).flatMap { $0.isEmpty ? nil : $0 }
            return .found(
                .severalReceivers,
                "gpsd has \(paths); \(counts ?? "the first that has a fix") counts")
        }
        let drivers = meant.map(\.driver).filter { !$0.isEmpty }.joined(separator: ", ")
        return .good(drivers.isEmpty ? paths : "\(paths) (\(drivers))")
    }

    private static func judge(_ line: LineEvidence) -> Finding {
        if let failure = line.failure {
            return .found(.receiverAbsent, "\(line.path): \(failure)")
        }
        guard line.isReadable == false else { return .good("\(line.path), \(line.permissions)") }
        return .found(
            .receiverDenied, "\(line.path) is \(line.permissions), and \(line.user) may not read it"
        )
    }

    static let fix = DoctorStep("fix", "does it have a fix?", [.noFix]) { evidence in
        guard let report = evidence.gpsd?.report else {
            return .unknown("no report of gpsd was heard")
        }
        let satellites = evidence.gpsd?.satellites.map {
            ", \($0.seen) satellites in view, \($0.used) used"
        }
        let detail = satellites ?? ", satellites are not told"
        guard report.mode >= 2 else { return .found(.noFix, "mode \(report.mode)\(detail)") }
        return .good("\(report.mode)D\(detail)")
    }

    static let error = DoctorStep(
        "error", "is its error small enough?", [.errorTooLarge, .errorLarge]
    ) { evidence in
        let limit = evidence.settings.maxError
        let heard = evidence.gpsd?.report.flatMap { $0.mode >= 2 ? $0 : nil }
        guard heard != nil || evidence.daemon?.error != nil else {
            return .unknown("there is no fix")
        }
        guard let error = heard?.error ?? evidence.daemon?.error else {
            return .good("the receiver states none, DefaultErrorM= counts")
        }
        var (counts, text) = (error, "±\(EventLine.metres(error))")
        if let heard, heard.error != nil {
            let driver = evidence.gpsd?.driver(of: heard.device) ?? ""
            counts = evidence.settings.used(error, of: driver)
            if counts != error {
                let factor = evidence.settings.errorScale[driver].map {
                    " with ErrorScale=\(driver):\($0)"
                }
                text += " stated, ±\(EventLine.metres(counts)) count\(factor ?? " (MinErrorM=)")"
            }
        }
        text += ", at most \(EventLine.metres(limit)) count"
        if counts > limit { return .found(.errorTooLarge, text) }
        return counts > 0.3 * limit ? .found(.errorLarge, text) : .good(text)
    }
}

extension Cause {
    static let gpsdUnresolved = Cause(
        "gpsd-unresolved", .bad, "write an address, or a name of /etc/hosts, into URI=")
    static let gpsdAbsent = Cause(
        "gpsd-absent", .bad, "install the package gpsd, or correct URI= in section [Source]")
    static let gpsdMasked = Cause(
        "gpsd-masked", .bad,
        "systemctl unmask gpsd.socket gpsd.service; systemctl enable --now gpsd.socket")
    static let gpsdFailing = Cause(
        "gpsd-failing", .bad,
        "read why it ends: journalctl -b -u gpsd.socket -u gpsd.service -n 50")
    static let gpsdUnreachable = Cause(
        "gpsd-unreachable", .bad,
        "systemctl enable --now gpsd.socket where it is to run, or correct URI= in section [Source]"
    )
    static let gpsdFiltered = Cause(
        "gpsd-filtered", .bad,
        "let its port through: nft list ruleset; systemctl show gpsd.socket -p IPAddressDeny")
    static let gpsdUnanswered = Cause(
        "gpsd-unanswered", .bad,
        "look whether that machine is on and can be reached, and at the packet filters between")
    static let gpsdSilent = Cause(
        "gpsd-silent", .bad, "systemctl restart gpsd.service, if it is gpsd that has that port")
    static let gpsdStrange = Cause(
        "gpsd-strange", .bad, "find out what has that port: ss -ltnp")
    static let noReceiver = Cause(
        "no-receiver", .bad,
        "plug the receiver in, and name it in DEVICES= of /etc/default/gpsd")
    static let otherReceiver = Cause(
        "other-receiver", .bad, "write one of gpsd's devices into URI=, or none")
    static let receiverClosed = Cause(
        "receiver-closed", .bad,
        "look at the cable and at the device's permissions: journalctl -u gpsd")
    static let receiverSilent = Cause(
        "receiver-silent", .bad, "look what it sends, if anything: gpspipe -R; power it off and on")
    static let severalReceivers = Cause(
        "several-receivers", .doubtful,
        "write one of them into URI=, such as gpsd://localhost:2947/dev/ttyUSB0")
    static let receiverAbsent = Cause(
        "receiver-absent", .bad, "plug the receiver in, or correct URI= in section [Source]")
    static let receiverDenied = Cause(
        "receiver-denied", .bad,
        "give geofenced.service the device's group with SupplementaryGroups=, see geofenced(8)")
    static let noFix = Cause(
        "no-fix", .bad, "give the antenna an open sky for some minutes, and look at its cable")
    static let errorTooLarge = Cause(
        "error-too-large", .bad, "place the antenna better, or raise MaxErrorM= in section [Fix]")
    static let errorLarge = Cause(
        "error-large", .doubtful,
        "place the antenna better: small fences are not entered with such an error")
}
