import Geofence1
import Model
import Monitoring
import Systemd

// Fences of a named origin: a set that one program owns.
extension ManagerService {
    func originMethods() -> [BusMethod] {
        [
            method(.applyFencesFrom) { service, call, _ in
                service.apply(call, .named) { .outcome($0) }
            },
            method(.importFencesFrom) { service, call, arguments in
                do throws(BusError) { try service.importFencesFrom(call, arguments) } catch {
                    call.fail(error)
                }
            },
            answer(.getOrigin) { service, _, arguments in try service.getOrigin(arguments) },
            answer(.acceptLoss) { service, _, arguments in try service.acceptLoss(arguments) },
            answer(.acceptLogLoss) { service, _, _ in try service.acceptLogLoss() },
        ]
    }

    /// Nothing but a digest of an origin that has no fences.
    private func getOrigin(_ arguments: [BusValue]) throws -> [BusValue] {
        let origin = try FenceOrigin(bus: arguments[0])
        let summary = try monitoring.origins().first { $0.origin == origin }
        return [OriginSummary.told.options(of: summary ?? .nothing(of: origin))]
    }

    /// Of the named origin; empty for all.
    private func acceptLoss(_ arguments: [BusValue]) throws -> [BusValue] {
        let text = arguments[0].asString ?? ""
        let origin = text.isEmpty ? nil : try FenceOrigin(bus: arguments[0])
        do { try monitoring.acceptLoss(of: origin, at: now) } catch let error as NothingLost {
            throw BusError(.noSuchFence, error.description)
        }
        return []
    }

    private func acceptLogLoss() throws -> [BusValue] {
        do { try monitoring.acceptLogLoss() } catch let error as NoLogLost {
            throw BusError.invalid(error.description)
        }
        return []
    }

    private func importFencesFrom(
        _ call: BusCall, _ arguments: [BusValue]
    ) throws(BusError) {
        let origin = try FenceOrigin(writable: arguments[2])
        let options = try ChangeOptions(arguments[3], known: Set(ChangeOptions.Key.allCases))
        try beginImport(
            call, descriptor: arguments[0], format: arguments[1],
            ImportRequest(
                origin: origin, isReplacing: options.isReplacing,
                conditions: options.conditions))
    }

    // MARK: Authorization

    /// Continues for callers that have that right, and for the owner of the bus name that belongs to
    /// the origin. The origin is read from the call only if the caller does not have it.
    func authorize(
        _ call: BusCall, _ action: Geofence1.Action, orOwnerOfOriginAt place: Int,
        then: @escaping () -> Void
    ) {
        authorizer.check(call, action) { [weak self] mayCall in
            guard let self else { return }
            if mayCall { return then() }
            guard let name = Geofence1.writer(of: Self.origin(at: place, of: call)) else {
                return authorizer.authorize(call, action, then: then)
            }
            authorizer.identify(call) { [weak self] _, credentials in
                self?.authorize(call, action, ownerOf: name, credentials, then)
            }
        }
    }

    private func authorize(
        _ call: BusCall, _ action: Geofence1.Action, ownerOf name: String,
        _ credentials: BusCredentials, _ then: @escaping () -> Void
    ) {
        let place: HeldCalls.Place
        do throws(BusError) {
            place = try authorizer.askingOwner.keep(call, of: credentials.uid)
        } catch { return call.fail(error) }
        owner(of: name) { [weak self] owner in
            withExtendedLifetime(place) {}
            guard let self else { return }
            if owner == call.sender { return then() }
            authorizer.authorize(call, action, then: then)
        }
    }

    /// Empty if it is missing: then the error is reported when all arguments are read.
    private static func origin(at place: Int, of call: BusCall) -> String {
        guard var arguments = try? BusArguments(call.message, limits: .call) else { return "" }
        for _ in 0..<place where (try? arguments.next()) == nil { return "" }
        let argument = try? arguments.next()
        return argument?.asString ?? argument?.asDictionary?["origin"]?.asString ?? ""
    }
}

extension FenceOrigin {
    /// An origin that a call may change.
    init(writable value: BusValue?) throws(BusError) {
        self = try FenceOrigin(bus: value)
        if case .file(let name) = self {
            throw .invalid("the fences of the file \(name.echoed()) are the administrator's")
        }
    }
}

/// The options of a change of one origin's fences.
struct ChangeOptions {
    enum Key: String, CaseIterable {
        case replace
        case maxRemoved = "max_removed"
        case dryRun = "dry_run"
        case ifGeneration = "if_generation"
    }

    /// `replace` b: fences of the origin that are not in the file are removed.
    private(set) var isReplacing = false
    /// `max_removed` t, `dry_run` b, `if_generation` t.
    private(set) var conditions = ChangeConditions()

    /// - Throws: ``BusError`` for an option that is not among `known`, or of another type.
    init(_ value: BusValue?, known: Set<Key>) throws(BusError) {
        for (name, value) in value?.asDictionary ?? [:] {
            guard let key = Key(rawValue: name), known.contains(key) else {
                throw .invalid("option \"\(name.echoed())\" is not known")
            }
            switch key {
            case .replace: isReplacing = try Self.flag(value, key)
            case .dryRun: conditions.isDryRun = try Self.flag(value, key)
            case .maxRemoved: conditions.mostRemoved = Int(clamping: try Self.number(value, key))
            case .ifGeneration: conditions.unchangedSince = try Self.number(value, key)
            }
        }
    }

    private static func flag(_ value: BusValue, _ key: Key) throws(BusError) -> Bool {
        guard let flag = value.asBool else { throw .invalid("\(key.rawValue) is no boolean") }
        return flag
    }

    private static func number(_ value: BusValue, _ key: Key) throws(BusError) -> UInt64 {
        guard let number = value.asUInt64 else { throw .invalid("\(key.rawValue) is no number") }
        return number
    }
}

extension [BusValue] {
    /// `t generation, t changed, t removed, a(ss) warnings`
    static func outcome(_ change: CatalogueChange) -> [BusValue] {
        [
            .uint64(change.generation), .uint64(UInt64(Swift.max(0, change.changed))),
            .uint64(UInt64(Swift.max(0, change.removed))), .notes(change.warnings),
        ]
    }
}
