import BusClient
import Program
import Service
import Settings
import Systemd
import Uplinking

/// The wiring: the daemon's bus, the destination and the service manager, on one loop.
@MainActor
final class Uplink {
    private let service: Service
    private let arguments: UplinkArguments
    private let settings: UplinkSettings
    private let shrinking: Shrinking
    private var uplink: (any EventUplink)?

    init(_ arguments: UplinkArguments, _ settings: UplinkSettings, _ service: Service) throws {
        self.arguments = arguments
        self.settings = settings
        self.service = service
        // The code for handshakes is rarely needed: OpenSSL and the libraries of libcurl are most
        // of an idle program's memory.
        shrinking = try Shrinking(service.loop)
        service.onStop = { [weak self, loop = service.loop] in
            if let uplink = self?.uplink { uplink.stop() } else { loop.exit() }
        }
    }

    /// Until a signal ends it; returns the exit status.
    func run() throws -> ExitStatus {
        // The service manager starts it again; the daemon keeps what was not acknowledged.
        let client = try DaemonClient(to: arguments.bus, loop: service.loop) {
            [service] in service.fail("the bus has gone")
        }
        let credentials = Credentials(directory: environment("CREDENTIALS_DIRECTORY"))
        do { uplink = try make(client, credentials) } catch let error as BadValue {
            // A credential that is not there: it does not get better by itself.
            service.log.complain(error.reason)
            return .unusable
        }
        // Ready to wait for the daemon and for the network, too.
        service.manager.ready()
        return try service.run()
    }

    private func make(
        _ client: DaemonClient, _ credentials: Credentials
    ) throws -> any EventUplink {
        let name = "org.geofenced.Uplink1.\(arguments.name)"
        let handlers = UplinkHandlers(
            status: { [weak self] in
                self?.service.manager.status($0)
                // As long as its state does not change, the program is idle.
                self?.shrinking.later()
            },
            log: { [service, arguments] id, text in
                service.log.write(
                    id == nil ? .notice : .warning, text, messageID: id?.rawValue,
                    fields: [("GEOFENCE_UPLINK", arguments.name)])
            },
            failed: { [service] in service.fail($0) },
            stopped: { [service] in service.loop.exit() })
        switch settings.destination {
        case .mqtt(let broker):
            return try MQTTUplink(
                client, name: name, settings, broker, credentials, version: Version.current,
                loop: service.loop, handlers)
        case .web(let web):
            return try WebUplink(
                client, name: name, settings, web, credentials, loop: service.loop, handlers)
        }
    }
}
