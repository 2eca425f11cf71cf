import MQTT

/// `gf/1/TENANT/BOX/event`: who has sent something, as the broker's access list has checked it.
package struct BoxTopic: Hashable, Sendable {
    /// 1 to 64 of `[A-Za-z0-9_-]`.
    package var tenant: String
    /// 1 to 64 of `[A-Za-z0-9_-]`.
    package var box: String
    /// What it has sent.
    package var kind: Kind

    /// The last level of the topic.
    package enum Kind: String, Hashable, Sendable { case event, status, position }

    /// Nil for any other topic.
    package init?(_ topic: String) {
        // By bytes: what is a character costs more than all the rest.
        let levels = topic.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard levels.count == 5, levels[0] == "gf", levels[1] == "1",
            TopicLevel.isPlain(levels[2]), TopicLevel.isPlain(levels[3]),
            let kind = Kind(rawValue: String(levels[4]))
        else { return nil }
        tenant = String(levels[2])
        box = String(levels[3])
        self.kind = kind
    }

    /// Where the box learns what the database has.
    package var acknowledgements: String { "gf/1/\(tenant)/\(box)/down/ack" }

    /// Where the box learns what the database lacks. Nil unless both are names.
    package static func requests(tenant: String, box: String) -> String? {
        guard TopicLevel.isPlain(tenant), TopicLevel.isPlain(box) else { return nil }
        return "gf/1/\(tenant)/\(box)/down/resend"
    }
}
