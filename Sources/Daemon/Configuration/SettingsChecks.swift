import FixSources
import Schedules

// What is wrong with the text that a key was given, said to the administrator; nil if nothing is.
extension Settings {
    /// A URI of a source of fixes, judged without opening it.
    @Sendable static func sourceProblem(_ uri: String) -> String? {
        for scheme in ["gpsd:", "nmea:", "replay:"] where uri == scheme {
            return "no file behind \(scheme)"
        }
        if uri == "gpsd://" { return "no host behind gpsd://" }
        guard ["gpsd:", "nmea:", "replay:"].contains(where: uri.hasPrefix) else {
            return "not a source: gpsd://HOST:PORT, gpsd:PATH, nmea:PATH or replay:FILE"
        }
        do throws(FixSourceURIError) {
            _ = try FixSourceURI(uri)
            return nil
        } catch {
            return error.reason
        }
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
        let number = name.dropFirst(3).utf8
        let isName =
            name.hasPrefix("hci") && (1...5).contains(number.count)
            && number.allSatisfy { (0x30...0x39).contains($0) }
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
