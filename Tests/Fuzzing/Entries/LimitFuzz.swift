import RoadGraph

/// The value of a tag that limits what may pass, of every kind, at all times and conditionally.
enum LimitFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        for kind in LimitKind.allCases {
            for value in [LimitValue(text, of: kind), LimitValue(conditional: text, of: kind)] {
                guard case .number(let number, let doubt) = value else { continue }
                guard kind.plausible.contains(number) else { return "\(kind) \(number): \(text)" }
                if doubt?.isEmpty == true { return "a doubt without a reason: \(text)" }
            }
            // Of two values in a list the lower one counts.
            let list = LimitValue("\(text);2", of: kind)
            if case .number(let number, _) = list, number > 2 { return "\(number): \(text);2" }
        }
        return nil
    }
}
