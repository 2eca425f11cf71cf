import Geodesy
import Model
import Time

@testable import FixSources

/// A sentence with its checksum and line end.
func nmea(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n"
}

/// All reports of a text, as replay reads it.
func reports(
    _ text: String, dates: ReceiverSettings.Dates = .recorded(givesDate: true),
    now: UTCTime? = nil
) -> [PositionReport] {
    reports(Array(text.utf8), dates: dates, now: now)
}

func reports(
    _ bytes: [UInt8], dates: ReceiverSettings.Dates = .recorded(givesDate: true),
    now: UTCTime? = nil
) -> [PositionReport] {
    var settings = ReceiverSettings()
    settings.dates = dates
    var assembler = NmeaAssembler(settings)
    var found = bytes.compactMap { assembler.feed($0, now: now) }
    found += assembler.finish(now: now)
    return found
}

/// An RMC at a time of day on 2 March 2024.
func rmc(
    _ time: String, status: String = "A", latitude: String = "4901.5940", date: String = "020324"
) -> String {
    nmea("GPRMC,\(time),\(status),\(latitude),N,01203.9163,E,10.0,131.9,\(date),1.6,E,A")
}

/// A GGA at a time of day.
func gga(
    _ time: String, quality: String = "1", hdop: String = "1.2", latitude: String = "4901.5941"
) -> String {
    nmea("GPGGA,\(time),\(latitude),N,01203.9163,E,\(quality),07,\(hdop),336.7,M,46.6,M,,")
}

/// A time, as text.
func utc(_ text: String) -> UTCTime {
    guard let time = UTCTime(iso8601: text) else { fatalError("no time: \(text)") }
    return time
}
