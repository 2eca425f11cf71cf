// What the administrator has set, and whether the unit permits it.

extension DoctorStep {
    static let configuration = DoctorStep(
        "configuration", "are the settings valid?", [.settingUnreadable, .settingInvalid]
    ) { evidence in
        let settings = evidence.settings
        var found: [Finding] = []
        if let first = settings.unreadable.first {
            found.append(.found(.settingUnreadable, first + more(settings.unreadable.count - 1)))
        }
        if let first = settings.problems.first {
            found.append(.found(.settingInvalid, first + more(settings.problems.count - 1)))
        }
        return .worst(
            found,
            else: .good(
                settings.files.isEmpty
                    ? "no file: the built-in defaults" : settings.files.joined(separator: ", ")))
    }

    static let source = DoctorStep(
        "source", "where do positions come from?", [.sourceInvalid, .recording]
    ) { evidence in
        let source = evidence.source
        guard let kind = source.kind else { return .found(.sourceInvalid, source.flaw) }
        if kind == .recording { return .found(.recording, source.uri) }
        guard source.uri != source.configured else { return .good(source.uri) }
        return .good("\(source.uri); the configuration has \(source.configured)")
    }

    static let sandbox = DoctorStep(
        "sandbox", "does the unit permit that source?",
        [.unitNotReloaded, .addressForbidden, .deviceForbidden]
    ) { evidence in
        guard let unit = evidence.unit, unit.loadState == "loaded" else {
            return .unknown("geofenced.service is not known here")
        }
        if evidence.bus.pid > 0, evidence.bus.pid != unit.mainPID {
            return .unknown("geofenced runs outside of its unit, as process \(evidence.bus.pid)")
        }
        if unit.needsReload {
            return .found(.unitNotReloaded, "geofenced.service has changed on disk")
        }
        if let gpsd = evidence.gpsd {
            if gpsd.isUnresolved { return .unknown("its address is not known") }
            let forbidden = gpsd.addresses.filter { !unit.allows($0) }
            guard !forbidden.isEmpty, forbidden.count == gpsd.addresses.count else {
                return .good("\(gpsd.place) is allowed")
            }
            let why = unit.hasPrivateNetwork ? "PrivateNetwork=" : "IPAddressDeny="
            return .found(.addressForbidden, "\(why) of the unit forbids \(gpsd.place)")
        }
        if let line = evidence.line, line.path.hasPrefix("/dev/") {
            guard !unit.allowsDevice(line.path) else { return .good("\(line.path) is allowed") }
            let why = unit.hasPrivateDevices ? "PrivateDevices=" : "DeviceAllow="
            return .found(.deviceForbidden, "\(why) of the unit forbids \(line.path)")
        }
        return .good("nothing special is needed")
    }

    /// `, and 3 more`
    static func more(_ count: Int) -> String { count > 0 ? ", and \(count) more" : "" }
}

extension Cause {
    static let settingUnreadable = Cause(
        "setting-unreadable", .bad,
        "let geofenced read it: chmod a+rX PATH; systemctl restart geofenced.service")
    static let settingInvalid = Cause(
        "setting-invalid", .bad,
        "correct that line, and: geofenced --check; systemctl restart geofenced.service")
    static let sourceInvalid = Cause(
        "source-invalid", .bad, "correct URI= in section [Source], see geofenced.conf(5)")
    static let recording = Cause(
        "recording", .doubtful,
        "remove the recording from URI= or --source: it is not where the vehicle is")
    static let unitNotReloaded = Cause(
        "unit-not-reloaded", .doubtful,
        "systemctl daemon-reload; systemctl restart geofenced.service")
    static let addressForbidden = Cause(
        "address-forbidden", .bad,
        "install the drop-in 10-other-gpsd.conf, with that address in it, from "
            + "/usr/share/doc/geofenced/examples/other-gpsd")
    static let deviceForbidden = Cause(
        "device-forbidden", .bad,
        "install the drop-in 10-own-receiver.conf, with that device in it, from "
            + "/usr/share/doc/geofenced/examples/own-receiver")
}
