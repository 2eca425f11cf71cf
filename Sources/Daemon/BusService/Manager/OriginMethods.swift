import Engine
import Geofence1
import Monitoring
import Systemd

// Fences of a named origin: a set that one program owns.
extension ManagerService {
    func originMethods() -> [BusMethod] {
        let out = [
            ("generation", "t"), ("changed", "t"), ("removed", "t"), ("warnings", "a(ss)"),
        ]
        return [
            call(
                "ApplyFencesFrom",
                in: [
                    ("origin", "s"), ("upserts", "a(sa{sv})"), ("remove_ids", "as"),
                    ("options", "a{sv}"),
                ], out: out
            ) { service, call in
                service.authorizeWriting(call, originAt: 0) { [weak service] in
                    service?.imports.whenFree(call) { [weak service] in
                        guard let service else { return }
                        call.answer { try service.applyFencesFrom(call.message) }
                    }
                }
            },
            call(
                "ImportFencesFrom",
                in: [("fd", "h"), ("format", "s"), ("origin", "s"), ("options", "a{sv}")],
                out: out
            ) { service, call in
                service.authorizeWriting(call, originAt: 2) { [weak service] in
                    do throws(BusError) { try service?.importFencesFrom(call) } catch {
                        call.fail(error)
                    }
                }
            },
        ]
    }

    private func applyFencesFrom(_ message: BusMessage) throws -> [BusValue] {
        var reader = try FenceBatch.Reader(message, most: settings.batchLimit)
        let origin = try writable(try reader.next())
        let batch = try reader.batch()
        let options = try ChangeOptions(
            try reader.next(), known: [.maxRemoved, .dryRun, .ifGeneration])
        return .outcome(
            try tracking.apply(
                upserts: batch.upserts, removing: batch.removals, of: origin,
                options.conditions, at: now))
    }

    private func importFencesFrom(_ call: BusCall) throws(BusError) {
        let arguments = try call.arguments(limits: .call)
        let origin = try writable(arguments[2])
        let options = try ChangeOptions(arguments[3], known: Set(ChangeOptions.Key.allCases))
        try beginImport(
            call, descriptor: arguments[0], format: arguments[1],
            ImportRequest(
                origin: origin, isReplacing: options.isReplacing,
                conditions: options.conditions))
    }

    /// An origin that a call may change.
    private func writable(_ value: BusValue?) throws(BusError) -> FenceOrigin {
        let origin = try FenceOrigin(bus: value)
        if case .file(let name) = origin {
            throw .invalid("the fences of the file \(name.echoed()) are the administrator's")
        }
        return origin
    }

    // MARK: Authorization

    /// Continues for callers that may manage fences, and for the owner of the bus name that belongs
    /// to the origin. The origin is read from the call only if the caller may not manage fences.
    private func authorizeWriting(
        _ call: BusCall, originAt place: Int, then: @escaping () -> Void
    ) {
        authorizer.check(call, .manageFences) { [weak self] mayManage in
            guard let self else { return }
            if mayManage { return then() }
            guard let name = Geofence1.writer(of: Self.text(at: place, of: call)) else {
                return authorizer.authorize(call, .manageFences, then: then)
            }
            authorizer.identify(call) { [weak self] _, credentials in
                self?.authorize(call, ownerOf: name, credentials, then)
            }
        }
    }

    private func authorize(
        _ call: BusCall, ownerOf name: String, _ credentials: BusCredentials,
        _ then: @escaping () -> Void
    ) {
        let place: HeldCalls.Place
        do throws(BusError) {
            place = try askingOwner.keep(call, of: credentials.uid)
        } catch { return call.fail(error) }
        owner(of: name) { [weak self] owner in
            withExtendedLifetime(place) {}
            guard let self else { return }
            if owner == call.sender { return then() }
            authorizer.authorize(call, .manageFences, then: then)
        }
    }

    /// Empty if it is missing: then the error is reported when all arguments are read.
    private static func text(at place: Int, of call: BusCall) -> String {
        guard var arguments = try? BusArguments(call.message, limits: .call) else { return "" }
        for _ in 0..<place where (try? arguments.next()) == nil { return "" }
        return (try? arguments.next())?.asString ?? ""
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
