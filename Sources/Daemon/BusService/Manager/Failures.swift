import Geofence1
import Model
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

    /// A failure of the catalogue or the log, as reported to a caller.
    init(_ error: any Error) {
        switch error {
        case let error as BusError: self = error
        case let refusal as CatalogueRefusal: self = .invalid(refusal.description)
        case let refusal as RouteRefusal:
            self.init(refusal.description, exceedsLimit: refusal.exceedsLimit)
        case let refusal as DriverRefusal:
            self.init(refusal.description, exceedsLimit: refusal.exceedsLimit)
        case let refusal as ImportRefusal: self.init(.invalidArea, refusal.description)
        case let refusal as ChangeRefusal: self.init(refusal)
        default: self.init(.degraded, "\(error)")
        }
    }
}

extension BusError {
    private init(_ message: String, exceedsLimit: Bool) {
        self.init(
            name: exceedsLimit ? BusError.limitsExceeded : BusError.invalidArguments,
            message: message)
    }

    private init(_ refusal: ChangeRefusal) {
        switch refusal {
        case .tooManyFences, .tooManyBeacons, .tooManyFollowed:
            self.init(.tooManyFences, refusal.description)
        case .quotaExceeded: self.init(.quotaExceeded, refusal.description)
        case .tooManyRemoved: self.init(.tooManyRemoved, refusal.description)
        case .changedSince: self.init(.generationChanged, refusal.description)
        case .tooManyOrigins:
            self.init(name: BusError.limitsExceeded, message: refusal.description)
        }
    }
}

extension BusCall {
    /// Answers with the result of `body`, or with the error it throws.
    func answer(_ body: () throws -> [BusValue]) {
        do {
            reply(try body())
        } catch {
            fail(BusError(error as any Error))
        }
    }
}
