import Bytes

/// Metrics in the text format of Prometheus (version 0.0.4), without times: who collects them knows
/// when. A metric without a sample is left out, for what is not known is not zero.
package struct MetricsText {
    /// What may become of a number.
    package enum Kind: String, Sendable {
        /// It only rises; where it falls, something has begun anew.
        case counter
        case gauge
    }

    /// One number of a metric.
    package struct Sample: Sendable {
        /// In the order of output; names of `[a-z_]`, values are any text.
        package var labels: [(name: String, value: String)]
        /// In the unit of the name; one that is not finite is left out.
        package var value: Double

        package init(_ labels: [(name: String, value: String)] = [], _ value: Double) {
            self.labels = labels
            self.value = value
        }
    }

    /// What HTTP calls this format.
    package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// As it is written so far.
    package private(set) var text = ""

    /// Bytes of the value of a label; of a longer one the beginning is told.
    private static let longestValue = 256

    package init() {}

    /// A metric with its samples; nothing without a finite one.
    /// - Parameters:
    ///   - name: with its unit at the end, and `_total` if it is a counter.
    ///   - help: one line.
    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        let samples = samples.filter(\.value.isFinite)
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
            text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
            text += " \(Self.number(sample.value))\n"
        }
    }

    /// A metric of one number; nothing where that is not known.
    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double?) {
        add(name, kind, help, value.map { [Sample([], $0)] } ?? [])
    }

    /// One of several states: 1 for the present one, 0 for the others that are known.
    package mutating func add(
        _ name: String, _ help: String, state: String, of states: [String]
    ) {
        guard !state.isEmpty else { return }
        let all = states.contains(state) ? states : states + [state]
        add(name, .gauge, help, all.map { Sample([("state", $0)], $0 == state ? 1 : 0) })
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ value: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in String(decoding: value.utf8.prefix(longestValue), as: UTF8.self)
            .unicodeScalars
        {
            switch scalar {
            case "\\": escaped += #"\\"#.unicodeScalars
            case "\"": escaped += #"\""#.unicodeScalars
            case "\n": escaped += #"\n"#.unicodeScalars
            // What a terminal, or a reader of lines, could take as more than a character.
            default: escaped.append(scalar.isPrintable ? scalar : "?")
            }
        }
        return String(escaped)
    }
}
