package import Model
import Storage
import Time

/// What the administrator says of the vehicle.
package struct VehicleSettings: Hashable, Sendable {
    /// In force until something is set on the bus.
    package var standard = Vehicle()
    /// How it differs at times; each has its name in `profile`, and nil for what does not differ.
    package var profiles: [Vehicle] = []
    /// Whether a driver has to confirm the height now and then, see
    /// ``ApproachSettings/confirmationLifetime``.
    package var needsConfirmation = true

    package init() {}
}

/// What somebody wants to be set.
package struct VehicleChange: Hashable, Sendable {
    /// Begins with the standard values and those of this profile ("": the standard ones alone); nil:
    /// with what is in force.
    package var profile: String?
    /// m or t, by kind: replaces each of these.
    package var values: [Limits.Kind: Double] = [:]
    /// The driver says that the height is right.
    package var confirms = false
    /// Who says so.
    package var caller = ""

    package init() {}
}

/// Why it was not set.
package enum VehicleRefusal: Error, Hashable, CustomStringConvertible {
    case noSuchProfile(String, known: [String])
    /// A value out of range, and how.
    case value(String)
    case nothingToConfirm

    package var description: String {
        switch self {
        case .noSuchProfile(let name, let known):
            "no profile \"\(name)\"; there are: "
                + (known.isEmpty ? "none" : known.joined(separator: ", "))
        case .value(let flaw): flaw
        case .nothingToConfirm: "there is no height to confirm"
        }
    }
}

/// It was set and is in force, but will not survive a restart.
package struct VehicleNotKept: Error, CustomStringConvertible {
    let why: VehicleFileError

    package var description: String { "in force, but lost at the next start: \(why)" }
}

/// The vehicle: what the settings say, what was set on the bus, and what is in force of it.
@MainActor
final class VehicleKeeper {
    private let file: VehicleFile
    private var settings: VehicleSettings
    /// The companions that may be with it, as of the last check.
    var companions: [VehicleCompanion] = []
    /// When that was.
    var companionsLooked = Uptime.boot
    /// When the confirmation of its height ends.
    var due: Uptime?
    /// Hazards are known: sets of them, lost ones included, or one that was seen in the window.
    var hasHazards = false
    /// Nil: nothing was set on the bus.
    private(set) var stored: StoredVehicle?
    /// Why what was set before could not be read; nil if it could.
    let problem: VehicleFileError?

    init(_ file: VehicleFile, _ settings: VehicleSettings) {
        self.file = file
        self.settings = settings
        do throws(VehicleFileError) {
            stored = try file.read()
            problem = nil
            file.completeSecond()
        } catch { problem = error }
    }

    /// What the engine compares with limits. While a height is not confirmed it is the greatest
    /// since the last that was: a driver who has coupled a higher trailer is believed at once, one
    /// who has uncoupled it when he says so.
    var vehicle: Vehicle {
        var vehicle = stored?.vehicle ?? settings.standard
        if let tallest = stored?.tallest {
            vehicle.height = max(vehicle.height ?? tallest, tallest)
        }
        if !settings.needsConfirmation, vehicle.height != nil {
            vehicle.confirmedAt = vehicle.confirmedAt ?? UTCTime(nanoseconds: 0)
        }
        return vehicle
    }

    /// See ``VehicleSettings/needsConfirmation``.
    var needsConfirmation: Bool { settings.needsConfirmation }

    /// The height as it was stated, m, where a greater one is in force until it is confirmed.
    var statedHeight: Double? { stored?.tallest == nil ? nil : stored?.vehicle.height }

    /// Names of the profiles, in the order of the settings.
    var profileNames: [String] { settings.profiles.map(\.profile) }

    func apply(_ settings: VehicleSettings) { self.settings = settings }

    /// - Parameter time: UTC now.
    /// - Throws: ``VehicleRefusal``, and nothing is changed; ``VehicleNotKept``, and it is in force.
    func set(_ change: VehicleChange, at time: UTCTime) throws {
        let before = vehicle
        var fresh = stored?.vehicle ?? settings.standard
        if let name = change.profile { fresh = try profile(name) }
        for kind in Limits.Kind.allCases {
            guard let value = change.values[kind] else { continue }
            if let flaw = Vehicle.flaw(value, of: kind) { throw VehicleRefusal.value(flaw) }
            fresh[kind] = value
        }
        fresh.setBy = change.caller
        fresh.setAt = time
        var tallest: Double?
        if change.confirms {
            guard fresh.height != nil else { throw VehicleRefusal.nothingToConfirm }
            fresh.confirmedAt = time
        } else {
            let isSameHeight = fresh.height == (stored?.vehicle ?? settings.standard).height
            fresh.confirmedAt = isSameHeight ? before.confirmedAt : nil
            if let height = before.height, height > fresh.height ?? 0 { tallest = height }
        }
        let new = StoredVehicle(vehicle: fresh, tallest: tallest)
        stored = new
        do throws(VehicleFileError) { try file.write(new) } catch {
            throw VehicleNotKept(why: error)
        }
    }

    private func profile(_ name: String) throws(VehicleRefusal) -> Vehicle {
        var vehicle = settings.standard
        guard !name.isEmpty else { return vehicle }
        guard let profile = settings.profiles.first(where: { $0.profile == name }) else {
            throw .noSuchProfile(name, known: settings.profiles.map(\.profile))
        }
        vehicle.profile = name
        for kind in Limits.Kind.allCases {
            if let value = profile[kind] { vehicle[kind] = value }
        }
        return vehicle
    }
}
