/// The command line of geofenced-map.
package struct MapArguments: Equatable, Sendable {
    /// Where it listens.
    package enum Place: Equatable, Sendable {
        /// On the socket that the service manager passes.
        case activated
        /// On a new UNIX socket at this path, which must not exist.
        case socket(String)
        /// On 127.0.0.1, port 0 for any; with a token.
        case loopback(port: UInt16)
    }

    /// `--socket`, `--loopback`, `--port`.
    package var place = Place.activated
    /// `system`, `session` or an address: the bus of the daemon.
    package var bus = "system"
    /// `--config`.
    package var config = MapSettings.path
    /// Ends after this long without a connection, s; 0: never, unless it is asked for with
    /// `--loopback`.
    package var idleSeconds = 60

    /// Why it ends without running.
    package enum EarlyExit: Error, Equatable {
        case help
        case version
        /// Wrong usage, and why.
        case usage(String)
    }

    /// The text of `--help`.
    package static let help = """
        Usage: geofenced-map [--bus BUS] [--config FILE] [--idle SECONDS]
                             [--socket PATH | --loopback [--port PORT]]

        Shows the drive that is under way, the fences, what is ahead and why it was told, in a
        browser.

          --socket PATH   listen on a UNIX socket there; without this and --loopback on the one
                          that the service manager passes
          --loopback      listen on 127.0.0.1, and say the address, which has a token in it
          --port PORT     which port; without it any that is free
          --config FILE   settings, /etc/geofenced/map.conf
          --idle SECONDS  end after this long without anybody who looks: 60; 0 for never
          --bus BUS       system (the default), session, or the address of the daemon's bus
          --help          show this, and stop
          --version       show the version, and stop

        See geofenced-map(8).
        """

    /// - Throws: ``EarlyExit``.
    package init(_ arguments: some Sequence<String>) throws(EarlyExit) {
        var rest = Array(arguments)[...]
        var port: UInt16?
        var idle: UInt16?
        while let argument = rest.popFirst() {
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = parts.first.map(String.init) ?? ""
            let attached = parts.count > 1 ? String(parts[1]) : nil
            switch option {
            case "--socket":
                try mayPlace()
                place = .socket(try Self.value(option, attached, &rest))
            case "--loopback" where attached == nil:
                try mayPlace()
                place = .loopback(port: 0)
            case "--port": port = try Self.number(option, attached, &rest)
            case "--idle": idle = try Self.number(option, attached, &rest)
            case "--config": config = try Self.value(option, attached, &rest)
            case "--bus": bus = try Self.bus(try Self.value(option, attached, &rest))
            case "--help" where attached == nil, "-h" where attached == nil: throw .help
            case "--version" where attached == nil: throw .version
            case _ where argument.hasPrefix("-"): throw .usage("unknown option: \(argument)")
            default: throw .usage("unexpected argument: \(argument)")
            }
        }
        switch (place, port) {
        case (.loopback, let port):
            place = .loopback(port: port ?? 0)
            idleSeconds = idle.map { Int($0) } ?? 0
        case (.activated, nil), (.socket, nil): idleSeconds = idle.map { Int($0) } ?? 60
        case (.activated, _?), (.socket, _?): throw .usage("only with --loopback: --port")
        }
    }

    private func mayPlace() throws(EarlyExit) {
        guard place == .activated else { throw .usage("only one of --socket and --loopback") }
    }

    private static func bus(_ text: String) throws(EarlyExit) -> String {
        guard text == "system" || text == "session" || text.contains(":") else {
            throw .usage("neither system nor session nor a bus address: --bus \(text)")
        }
        return text
    }

    private static func number(
        _ option: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(EarlyExit) -> UInt16 {
        let text = try value(option, attached, &rest)
        guard let number = UInt16(text) else {
            throw .usage("not a number from 0 to 65535: \(option) \(text)")
        }
        return number
    }

    private static func value(
        _ option: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(EarlyExit) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw .usage("option needs a value: \(option)")
        }
        return value
    }
}
