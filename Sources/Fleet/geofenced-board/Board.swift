import Glibc
import LiveBoard
import Program
import Service
import Systemd
import WebServer

/// The wiring: the socket, the page, the database, on one loop.
@MainActor
final class Board {
    private let service: Service
    private let server: WebServer
    private let board: LiveBoard
    private let shrinking: Shrinking
    private let address: String?
    /// The status while there is a database.
    private static let working = "showing the fleet"

    init(_ place: ListenPlace, _ settings: BoardSettings, _ service: Service) throws {
        self.service = service
        let shrinking = try Shrinking(service.loop)
        self.shrinking = shrinking
        let listener = try place.open(
            unit: "geofenced-board.socket", otherwise: "geofenced-board --loopback")
        address = listener.address
        let log: @MainActor (LogPriority, String) -> Void = { [service] in
            service.log.write($0, $1)
        }
        let store = try BoardStore(
            settings.database, shards: settings.shards, service.loop, log: log,
            absence: { [service] why in
                service.manager.status(why.map { "no database: \($0)" } ?? Self.working)
            })
        let board = try LiveBoard(store, listener.rules, settings, service.loop, log: log)
        self.board = board
        server = try WebServer(
            service.loop, listener: listener.descriptor, limits: LiveBoard.limits,
            headers: LiveBoard.headers(settings), arguments: LiveBoard.arguments
        ) { request, answer in
            shrinking.later()
            board.answer(request, answer)
        }
    }

    /// Until a signal ends it; returns the exit status.
    func run() throws -> ExitStatus {
        service.manager.ready()
        if let address { print(address) }
        // The address is read by the program that has started this one.
        fflush(nil)
        defer {
            board.close()
            server.stop()
        }
        return try service.run()
    }
}
