import Geodesy
import Model

/// Decodes the lines of gpsd: ``TpvScanner`` reads positions in gpsd's own format, and libgps,
/// which knows every version of the protocol, everything else.
package final class GpsdDecoder {
    private let libgps = LibgpsDecoder()

    package init() {}

    /// Decodes one line, live or from a log. gpsd puts the class first, so that only the few
    /// relevant objects are parsed.
    ///
    /// Text before the first brace is skipped (`gpspipe -t` puts the time there), and so is white
    /// space between the tokens, for libgps recognizes `"class":"TPV"` only as gpsd writes it. A
    /// line with a NUL is not from gpsd, and not for libgps, which takes C strings.
    package func word(_ line: Span<UInt8>) -> GpsdWord {
        if let text = TpvScanner.text(of: line) { return Self.word(text) }
        if line.begins(with: Self.anyClass), !line.begins(with: Self.tpv) { return control(line) }
        guard let brace = line.firstIndex(of: UInt8(ascii: "{")), line.firstIndex(of: 0) == nil
        else { return .other }
        let tidy = Self.withoutSpaces(line, from: brace)
        guard tidy.span.begins(with: Self.tpv) else { return control(tidy.span) }
        if let text = TpvScanner.text(of: tidy.span) { return Self.word(text) }
        guard var text = libgps.text(of: tidy) else { return .unreadable }
        text.take(rest: tidy)
        return Self.word(text)
    }

    private static func word(_ text: TpvText) -> GpsdWord {
        .report(PositionReport(text), from: text.device)
    }

    private static let anyClass = Array("{\"class\":\"".utf8)
    private static let tpv = Array("{\"class\":\"TPV\"".utf8)
    private static let controls = ["VERSION", "DEVICE", "DEVICES", "ERROR"].map {
        Array("{\"class\":\"\($0)\"".utf8)
    }

    private func control(_ line: Span<UInt8>) -> GpsdWord {
        for prefix in Self.controls where line.begins(with: prefix) {
            return GpsdWord(control: line.indices.map { line[$0] })
        }
        return .other
    }

    private static func withoutSpaces(_ line: Span<UInt8>, from start: Int) -> [UInt8] {
        var tidy: [UInt8] = []
        tidy.reserveCapacity(line.count - start)
        var isQuoted = false
        var isEscaped = false
        for index in start..<line.count {
            let byte = line[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte <= UInt8(ascii: " ") {
                continue
            }
            tidy.append(byte)
        }
        return tidy
    }
}

extension Span<UInt8> {
    func begins(with prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        for index in prefix.indices where self[index] != prefix[index] { return false }
        return true
    }
}

extension PositionReport {
    /// error e is `eph`, else √(epx² + epy²).
    init(_ tpv: TpvText) {
        var coordinate: Coordinate?
        if tpv.latitude.isFinite, tpv.longitude.isFinite {
            coordinate = Coordinate(latitude: tpv.latitude, longitude: tpv.longitude)
        }
        func stated(_ error: Double) -> Double? { error.isFinite && error > 0 ? error : nil }
        let root = (tpv.epx * tpv.epx + tpv.epy * tpv.epy).squareRoot()
        self.init(
            time: tpv.time, hasFix: tpv.mode >= 2, coordinate: coordinate,
            error: stated(tpv.eph) ?? stated(root),
            speed: tpv.speed.isFinite && tpv.speed >= 0 ? tpv.speed : nil,
            course: tpv.track.isFinite ? tpv.track : nil)
        if tpv.jam > 0 { jam = UInt8(min(tpv.jam, 255)) }
        antenna = UInt8(exactly: tpv.antenna).flatMap { AntennaFault(rawValue: $0) }
    }
}
