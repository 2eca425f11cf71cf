import JSON
package import Systemd

/// What a durable consumer has asked for: which events, and whether the bus starts it for them.
package struct ConsumerOptions: Hashable, Sendable {
    /// The events that it wants.
    package var filter: EventFilter
    /// Whether the bus starts it when it does not run; otherwise it is brought events only while it
    /// has its name: option `wake` (`b`), true by default.
    package var isWoken = true

    package init(filter: EventFilter, isWoken: Bool = true) {
        self.filter = filter
        self.isWoken = isWoken
    }

    /// Removes the options it knows from `options` and reads them.
    /// - Throws: ``FenceProblem`` with the option and the reason.
    package init(taking options: inout [String: BusValue]) throws(FenceProblem) {
        if let value = options.removeValue(forKey: "wake") {
            guard let isWoken = value.asBool else { throw FenceProblem("wake must be a boolean") }
            self.isWoken = isWoken
        }
        filter = try EventFilter(taking: &options)
    }

    // MARK: As text, to be kept with the consumer

    /// A JSON object.
    package var text: String {
        let wake = isWoken ? [] : [JSONMember("wake", .bool(false))]
        return JSONValue.object(filter.members + wake).text
    }

    /// Reads ``text``; wants and gets everything if it is none.
    package init(text: String) {
        filter = EventFilter(text: text)
        isWoken = (try? JSONValue(parsing: text))?["wake"]?.bool ?? true
    }
}
