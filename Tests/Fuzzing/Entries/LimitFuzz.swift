import RoadGraph

/// The value of a tag that limits what may pass, of every kind, at all times and conditionally; and a
/// list with it, and as one.
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
        let quoted = bytes.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
        let row = Array("y,x,h,w\n49,8,\"".utf8) + quoted + Array("\",\n".utf8)
        return flaw(ofList: row) ?? flaw(ofList: bytes)
    }

    /// Every row of a list is taken, or named.
    private static func flaw(ofList bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(ExtractError) {
            for units in ["", "height=ft,weight=lb"] {
                var fields = try ListFields(parsing: "latitude=y,longitude=x,height=h,weight=w")
                try fields.setUnits(parsing: units)
                let list = try BridgeList(bytes: bytes, name: "x", fields)
                let named = Set(
                    list.remarks.filter { $0.outcome != .doubtful }.map(\.object))
                guard list.rowsTaken + named.count >= list.rowCount else {
                    return "a row of \(list.rowCount) is neither taken nor named: \(text)"
                }
            }
        } catch { if error.reason.isEmpty { return "an error without a reason: \(text)" } }
        return nil
    }
}
