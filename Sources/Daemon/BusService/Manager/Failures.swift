import Engine
import Geofence1
import Monitoring
import Systemd

extension BusError {
    /// One of our own errors.
    init(_ failure: Geofence1.Failure, _ message: String) {
        self.init(name: failure.name, message: message)
    }

    static func invalid(_ message: String) -> BusError {
        BusError(name: BusError.invalidArguments, message: message)
    }

    /// What went wrong in the catalogue or the log, as a caller is told.
    init(_ error: any Error) {
        switch error {
        case let error as BusError: self = error
        case let refusal as CatalogueRefusal: self = .invalid(refusal.description)
        case let refusal as ImportRefusal: self.init(.invalidArea, refusal.description)
        case let full as TooManyFences: self.init(.tooManyFences, full.description)
        default: self.init(.degraded, "\(error)")
        }
    }
}

extension BusCall {
    /// Answers with what `body` gives, or with the error it throws.
    func answer(_ body: () throws -> [BusValue]) {
        do {
            reply(try body())
        } catch {
            fail(BusError(error as any Error))
        }
    }
}
