import Bytes
import Formats
import HTTP
package import Model
package import Settings

/// The query of an address, with the fields of an event in braces, as OsmAnd's protocol and many servers
/// have it: `id={box}&lat={latitude}&lon={longitude}&timestamp={time}`.
package struct QueryTemplate: Hashable, Sendable {
    /// A part of a value.
    private enum Piece: Hashable, Sendable {
        case text(String)
        /// By its place in ``EntityField/all``.
        case field(Int)
    }

    private struct Parameter: Hashable, Sendable {
        var name: String
        var pieces: [Piece]
    }

    private var parameters: [Parameter] = []

    /// Bytes of a template, and its parameters.
    private static let most = (bytes: 2048, parameters: 32)
    /// Bytes of a value, and of one where the whole query would be too long.
    private static let longest = (value: 256, shortened: 32, query: 6000)

    /// - Throws: for anything but `NAME=VALUE&…` whose fields in braces are those of an entity.
    package init(_ text: String) throws(BadValue) {
        guard text.utf8.count <= Self.most.bytes else { throw BadValue(reason: "too long") }
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count <= Self.most.parameters else {
            throw BadValue(reason: "more than \(Self.most.parameters) parameters")
        }
        for part in parts {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, !halves[0].isEmpty,
                !halves[0].contains(where: { "{} #".contains($0) })
            else { throw BadValue(reason: "a parameter that is not NAME=VALUE") }
            parameters.append(
                Parameter(name: String(halves[0]), pieces: try Self.pieces(halves[1])))
        }
    }

    private static func pieces(_ value: Substring) throws(BadValue) -> [Piece] {
        var pieces: [Piece] = []
        var rest = value
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw BadValue(reason: "a brace is not closed")
            }
            let name = String(rest[rest.index(after: open)..<close])
            guard let field = EntityField.all.firstIndex(where: { $0.queryName == name }) else {
                throw BadValue(reason: "{\(name)}: no field of an event")
            }
            pieces.append(.field(field))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    /// The query of an event, percent-encoded (RFC 3986). A parameter whose field the event has not is left
    /// out. Nil for an event without a position, where one is asked for.
    package func query(
        of event: LoggedEvent, log: String, _ box: BoxName, _ filter: UplinkFilter
    ) -> String? {
        let text = query(of: event, log: log, box, filter, longest: Self.longest.value)
        guard let text, text.utf8.count > Self.longest.query else { return text }
        return query(of: event, log: log, box, filter, longest: Self.longest.shortened)
    }

    private func query(
        of event: LoggedEvent, log: String, _ box: BoxName, _ filter: UplinkFilter, longest: Int
    ) -> String? {
        var written: [String] = []
        for parameter in parameters {
            var value: String? = ""
            for piece in parameter.pieces {
                switch piece {
                case .text(let text): value?.append(WebAddress.escape(text, keeping: "%"))
                case .field(let index):
                    let field = EntityField.all[index]
                    guard let known = field.value(in: event, log: log, box, filter) else {
                        if field.isOfPlace { return nil }
                        value = nil
                        continue
                    }
                    let bytes = known.plainText.utf8.prefix(longest)
                    value?.append(WebAddress.escape(String(decoding: bytes, as: UTF8.self)))
                }
            }
            if let value { written.append("\(parameter.name)=\(value)") }
        }
        return written.joined(separator: "&")
    }
}

extension EntityField {
    /// In a template: as in the event's JSON.
    fileprivate var queryName: String {
        switch self {
        case .tenant: "tenant"
        case .box: "box"
        case .log: "log"
        case .event(let field): field.name
        }
    }

    /// A server that wants to know where, has no use for an event that does not say it.
    fileprivate var isOfPlace: Bool { ["latitude", "longitude"].contains(queryName) }
}
