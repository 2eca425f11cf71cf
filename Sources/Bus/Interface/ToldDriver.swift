package import Systemd
package import Time

/// Who drives, in the answer of `GetDriver`.
package struct ToldDriver: Equatable, Sendable {
    /// As it was set.
    package var id: String
    /// Receiver UTC; nil if the daemon does not say.
    package var since: UTCTime?
    /// Who has said so: `call`, `signal`, `file` or `beacon`; nil if the daemon does not say.
    package var source: String?

    package init(id: String, since: UTCTime?, source: String?) {
        self.id = id
        self.since = since
        self.source = source
    }

    /// Nil if nobody is set.
    package init?(bus answer: [BusValue]) {
        guard let details = answer.first?.asDictionary, details["id"]?.asString != nil else {
            return nil
        }
        self.init(id: "", since: nil, source: nil)
        Self.told.read(details, into: &self)
    }

    /// Its members.
    package static let told: [ToldMember<Self>] = [
        ToldMember("id", .text, \.id), ToldMember("since", .instant, \.since),
        ToldMember("source", .word, \.source),
    ]
}
