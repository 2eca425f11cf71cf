import Schedules

// What is wrong with the text that a key was given, said to the administrator; nil if nothing is.
extension SettingsTable {
    /// A URI of a source of fixes, judged without opening it.
    @Sendable static func sourceProblem(_ uri: String) -> String? {
        if uri.hasPrefix("gpsd://") {
            // The source itself checks the rest; a missing host is caught here.
            return uri.count > 7 ? nil : "no host behind gpsd://"
        }
        for scheme in ["gpsd:", "nmea:", "replay:"] where uri.hasPrefix(scheme) {
            return uri.count > scheme.count ? nil : "no file behind \(scheme)"
        }
        return "not a source: gpsd://HOST:PORT, gpsd:PATH, nmea:PATH or replay:FILE"
    }

    /// A share: a number of fences, or a percentage.
    @Sendable static func shareProblem(_ share: String) -> String? {
        let isShare = share.hasSuffix("%")
        let digits = isShare ? share.dropLast() : share[...]
        let range = isShare ? 1...100 : 1...100_000_000
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(digits), range.contains(number)
        else { return "not a number from 1 to 100000000, or a percentage such as 25%" }
        return nil
    }

    /// Drivers, each with a factor: see ``ErrorScale``.
    @Sendable static func scaleProblem(_ text: String) -> String? {
        ErrorScale.read(text) == nil
            ? "not DRIVER:FACTOR, from 0.1 to 10, with commas between" : nil
    }

    /// Names, each with how the vehicle differs: see ``VehicleProfile``.
    @Sendable static func profileProblem(_ text: String) -> String? {
        if case .failure(let problem) = VehicleProfile.list(text) { problem.reason } else { nil }
    }

    /// A time zone that this machine has; empty for its own.
    @Sendable static func zoneProblem(_ name: String) -> String? {
        if name.isEmpty { return nil }
        return flaw { () throws(ZoneFlaw) in _ = try ZoneFiles().zone(named: name) }
    }

    /// Dates, with or without a year.
    @Sendable static func holidayProblem(_ text: String) -> String? {
        flaw { () throws(HolidayFlaw) in _ = try Holidays(text) }
    }

    /// A signal on the bus; empty for none.
    @Sendable static func signalProblem(_ text: String) -> String? {
        if text.isEmpty { return nil }
        return flaw { () throws(InputFlaw) in _ = try SignalLine(text) }
    }

    /// A GPIO line; empty for none.
    @Sendable static func lineProblem(_ text: String) -> String? {
        if text.isEmpty { return nil }
        return flaw { () throws(InputFlaw) in _ = try GPIOLine(text) }
    }

    /// What reading a text throws, as a phrase; nil if it can be read.
    private static func flaw<Flaw: Error & CustomStringConvertible>(
        _ read: () throws(Flaw) -> Void
    ) -> String? {
        do throws(Flaw) {
            try read()
            return nil
        } catch {
            return error.description
        }
    }

    /// An adapter, hci and a number; empty for any.
    @Sendable static func adapterProblem(_ name: String) -> String? {
        let isName =
            name.hasPrefix("hci") && name.dropFirst(3).isShortNumber
        return isName || name.isEmpty ? nil : "not an adapter such as hci0"
    }

    /// A well-known bus or an address.
    @Sendable static func busProblem(_ bus: String) -> String? {
        // An address of the D-Bus specification is TRANSPORT:KEY=VALUE,…
        let isAddress = bus.contains(":") && bus.contains("=")
        return isAddress || ["system", "session", "none"].contains(bus)
            ? nil : "not a bus: system, session, none or an address such as unix:path=/run/bus"
    }
}
