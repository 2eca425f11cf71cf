import JSON
import Model
import Systemd
package import Time

/// What a value that the daemon tells is on the bus and in JSON: one for each type of value.
package struct ToldForm<Value>: Sendable {
    /// On the bus what stands for no value; its type is that of every value.
    let nothing: BusValue
    /// On the bus; nil for no value, which is left out of a dictionary.
    let bus: @Sendable (Value) -> BusValue?
    /// Of nil, or of anything else, what stands for a value that a daemon does not tell.
    let value: @Sendable (BusValue?) -> Value
    let json: @Sendable (Value, inout JSONWriter) -> Void
}

extension ToldForm<String> {
    static let text = ToldForm(
        nothing: .string(""), bus: { .string($0) }, value: { $0?.asString ?? "" },
        json: { $1.string($0) })
}

extension ToldForm<String?> {
    static let word = ToldForm(
        nothing: .string(""), bus: { $0.map { .string($0) } }, value: { $0?.asString },
        json: { $1.optional($0) })
    /// The text of a JSON object.
    static let metadata = ToldForm(
        nothing: .options([]), bus: { $0.map { BusValue(metadata: $0) } },
        value: { $0.flatMap(JSONValue.init)?.text }, json: { $1.raw($0 ?? "{}") })
}

extension ToldForm<[String]> {
    static let texts = ToldForm(
        nothing: .strings([]), bus: { .strings($0) }, value: { $0?.asStrings ?? [] },
        json: { texts, json in
            json.beginArray()
            for text in texts { json.string(text) }
            json.endArray()
        })
}

extension ToldForm<Bool> {
    static let flag = ToldForm(
        nothing: .bool(false), bus: { .bool($0) }, value: { $0?.asBool ?? false },
        json: { $1.bool($0) })
}

extension ToldForm<Bool?> {
    static let optionalFlag = ToldForm(
        nothing: .bool(false), bus: { $0.map { .bool($0) } }, value: { $0?.asBool },
        json: { flag, json in if let flag { json.bool(flag) } else { json.null() } })
}

extension ToldForm<UInt32> {
    static let count = ToldForm(
        nothing: .uint32(0), bus: { .uint32($0) }, value: { $0?.asUInt32 ?? 0 },
        json: { $1.integer($0) })
}

extension ToldForm<UInt64> {
    static let count = ToldForm(
        nothing: .uint64(0), bus: { .uint64($0) }, value: { $0?.asUInt64 ?? 0 },
        json: { $1.integer($0) })
}

extension ToldForm<UInt64?> {
    static let optionalCount = ToldForm(
        nothing: .uint64(0), bus: { $0.map { .uint64($0) } }, value: { $0?.asUInt64 },
        json: { count, json in if let count { json.integer(count) } else { json.null() } })
}

extension ToldForm<Double> {
    /// - Parameter decimals: in JSON.
    static func real(decimals: Int) -> Self {
        ToldForm(
            nothing: .double(0), bus: { .double($0) }, value: { $0?.asDouble ?? 0 },
            json: { $1.number($0, decimals: decimals) })
    }
}

extension ToldForm<Double?> {
    /// - Parameters:
    ///   - decimals: in JSON.
    ///   - nothing: no value is as small as this; nil: what is not known is left out.
    static func maybe(decimals: Int, nothing: Double? = nil) -> Self {
        ToldForm(
            nothing: .double(nothing ?? 0), bus: { $0.map { .double($0) } },
            value: { $0?.asDouble.flatMap { $0 > nothing ?? -.infinity ? $0 : nil } },
            json: { $1.optional($0, decimals: decimals) })
    }
}

extension ToldForm<UTCTime?> {
    /// In µs, of which each is a time.
    static let instant = ToldForm(
        nothing: .uint64(0), bus: { $0.map { .uint64($0.microseconds) } },
        value: { $0?.asUInt64.map(UTCTime.init(microseconds:)) },
        json: { $1.optional($0?.iso8601) })
    /// In µs, of which 0 is unknown.
    static let time = ToldForm(
        nothing: .uint64(0),
        bus: { $0.flatMap { $0.microseconds > 0 ? .uint64($0.microseconds) : nil } },
        value: { $0?.asUInt64.flatMap { $0 > 0 ? UTCTime(microseconds: $0) : nil } },
        json: { $1.optional($0?.iso8601) })
}

extension ToldForm<Uptime?> {
    /// In µs since the boot, of which 0 is unknown.
    static let monotonic = ToldForm(
        nothing: .uint64(0),
        bus: { $0.flatMap { $0 > .boot ? .uint64($0.microseconds) : nil } },
        value: { $0?.asUInt64.flatMap { $0 > 0 ? Uptime(microseconds: $0) : nil } },
        json: { $1.optional($0.map { ($0 - .boot).seconds }, decimals: 6) })
}

extension ToldForm<[ToldCount]> {
    static let counts = ToldForm(
        nothing: .array(of: "{st}", []),
        bus: { .array(of: "{st}", $0.map { .entry(.string($0.name), .uint64($0.count)) }) },
        value: {
            ($0?.asDictionary ?? [:]).compactMap { name, count in
                count.asUInt64.map { ToldCount(name, $0) }
            }.sorted { $0.name < $1.name }
        },
        json: { counts, json in
            json.beginObject()
            for count in counts {
                json.key(count.name)
                json.integer(count.count)
            }
            json.endObject()
        })
}

/// How many there have been of something.
package struct ToldCount: Equatable, Sendable {
    /// Of what.
    package let name: String
    /// Since the daemon began.
    package let count: UInt64

    package init(_ name: String, _ count: UInt64) {
        self.name = name
        self.count = count
    }
}

/// What a caller may do.
package struct ToldRight: Equatable, Sendable {
    /// An action of polkit, without the prefix.
    package let action: String
    /// `yes`, `no`, `auth` or `unknown`.
    package let answer: String

    package init(_ action: String, _ answer: String) {
        self.action = action
        self.answer = answer
    }
}

extension ToldForm<[ToldRight]> {
    static let rights = ToldForm(
        nothing: .array(of: "{ss}", []),
        bus: { .array(of: "{ss}", $0.map { .entry(.string($0.action), .string($0.answer)) }) },
        value: {
            ($0?.asDictionary ?? [:]).map { ToldRight($0, $1.asString ?? "") }
                .sorted { $0.action < $1.action }
        },
        json: { rights, json in
            json.beginObject()
            for right in rights {
                json.key(right.action)
                json.string(right.answer)
            }
            json.endObject()
        })
}

extension UTCTime {
    /// From microseconds since 1970; clamped to what the type can hold.
    package init(microseconds: UInt64) {
        let (nanoseconds, overflow) = Int64(clamping: microseconds)
            .multipliedReportingOverflow(by: 1000)
        self.init(nanoseconds: overflow ? .max : nanoseconds)
    }
}

extension Uptime {
    /// From microseconds since the boot; clamped to what the type can hold.
    package init(microseconds: UInt64) {
        self = .boot + (UTCTime(microseconds: microseconds) - UTCTime(nanoseconds: 0))
    }

    /// Monotonic time in the unit of the bus; 0 for times before the boot.
    package var microseconds: UInt64 { UInt64(max(0, nanoseconds)) / 1000 }
}
