import Time

// Whether the error is what it should be: section 2 of the law needs 95 %.

extension DoctorStep {
    static let coverage = DoctorStep(
        "coverage", "is a parked vehicle where its error says?", [.errorTooSmall(nil, [:])]
    ) { evidence in
        guard let coverage = evidence.coverage else {
            return .unknown(
                evidence.gpsd == nil ? "the source is not gpsd" : "there is no fix of gpsd")
        }
        guard coverage.fixes >= CoverageEvidence.fewest else {
            return .unknown("\(coverage.fixes) fixes came in \(coverage.time), too few")
        }
        guard coverage.moving * 20 <= coverage.fixes else {
            return .unknown(
                "it moves: \(coverage.moving) of \(coverage.fixes) fixes with 1.2 m/s or more")
        }
        var finding: Finding
        if coverage.share(coverage.within, of: coverage.fixes) < coverage.least {
            let least = decimal(coverage.least * 100, 0)
            finding = .found(
                .errorTooSmall(coverage, evidence.settings.errorScale),
                "\(coverage.text); \(least) % were the least")
        } else {
            // What drifts over minutes is not seen in a few: the median drifts with it.
            let isShort = coverage.seconds < 3600
            finding = .good(coverage.text + (isShort ? "; an hour or more says more" : ""))
        }
        finding.measured = coverage.numbers
        return finding
    }
}

extension CoverageEvidence {
    fileprivate var time: String { TimeSpan.seconds(seconds).text }

    /// 0…1.
    fileprivate func share(_ count: Int, of all: Int) -> Double {
        Double(count) / Double(max(1, all))
    }

    private func percent(_ count: Int, of all: Int) -> String {
        "\(count) of \(all) fixes (\(decimal(share(count, of: all) * 100, 1)) %)"
    }

    /// `234 of 600 fixes (39.0 %) within their stated error of the median, 571 of 600 …`
    fileprivate var text: String {
        let all = percent(within, of: fixes)
        guard stated > 0 else {
            return "\(all) within DefaultErrorM= of the median, none states an error, in \(time)"
        }
        var text = "\(percent(withinStated, of: stated)) within their stated error of the median"
        if let factor { text += ", \(all) with ErrorScale=\(driver):\(factor)" }
        if factor == nil, within != withinStated { text += ", \(all) within what counts" }
        return "\(text), in \(time)"
    }

    fileprivate var numbers: [(name: String, value: Double)] {
        var numbers: [(name: String, value: Double)] = [
            ("seconds", seconds), ("fixes", Double(fixes)), ("stated", Double(stated)),
            ("within_stated", Double(withinStated)), ("within", Double(within)),
            ("least", least), ("radius_95_m", radius),
        ]
        if let factor { numbers.append(("scale", factor)) }
        if let needed { numbers.append(("scale_95", needed)) }
        return numbers
    }

    /// Rounded up, within what the setting may be.
    fileprivate var scale: Double? {
        needed.map { min(10, max(0.1, ($0 * 100).rounded(.up) / 100)) }
    }
}

extension Cause {
    /// - Parameters:
    ///   - coverage: nil: it is not known by how much.
    ///   - scale: `ErrorScale=` as it is.
    fileprivate static func errorTooSmall(
        _ coverage: CoverageEvidence?, _ scale: [String: Double]
    ) -> Cause {
        let advice: String
        if let coverage, let factor = coverage.scale {
            var scale = scale
            scale[coverage.driver.isEmpty ? "DRIVER" : coverage.driver] = factor
            let text = scale.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
                .joined(separator: ",")
            advice = "write ErrorScale=\(text) into section [Fix]"
        } else if let coverage {
            let metres = decimal(coverage.radius.rounded(.up), 0)
            advice = "write DefaultErrorM=\(metres) into section [Fix]"
        } else {
            advice = "write the factor that is measured into ErrorScale= in section [Fix]"
        }
        return Cause("error-too-small", .doubtful, advice)
    }
}
