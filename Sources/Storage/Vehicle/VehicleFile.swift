import Files
import Glibc
package import Model
import Time

// Unsafe: unlink(2) takes a path of ours.

/// What was set of the vehicle, as it is kept.
package struct StoredVehicle: Hashable, Sendable {
    /// As it was stated.
    package var vehicle: Vehicle
    /// m: the greatest height that was in force since the height was last confirmed; nil where that
    /// is the stated one.
    package var tallest: Double?

    package init(vehicle: Vehicle, tallest: Double? = nil) {
        self.vehicle = vehicle
        self.tallest = tallest
    }

    /// Whether it was set after the other one, by the clocks of then.
    fileprivate func isLater(than other: StoredVehicle) -> Bool {
        (vehicle.setAt?.nanoseconds ?? 0) > (other.vehicle.setAt?.nanoseconds ?? 0)
    }

    /// The greater of each value, which nobody has confirmed: one of the two is not the last.
    fileprivate func doubted(beside other: StoredVehicle?) -> StoredVehicle {
        var vehicle = vehicle
        for stored in [self, other].compactMap(\.self) {
            for kind in Limits.Kind.allCases {
                guard let value = stored.vehicle[kind] else { continue }
                vehicle[kind] = max(vehicle[kind] ?? value, value)
            }
            if let tallest = stored.tallest {
                vehicle.height = max(vehicle.height ?? tallest, tallest)
            }
        }
        vehicle.confirmedAt = nil
        return StoredVehicle(vehicle: vehicle)
    }
}

/// Two small files beside the databases that survive restarts and power cuts: each is written whole beside
/// its place, made durable, and renamed, one after the other. So one that was lost, or is an older one, is
/// known not to be what was set last. A backup has one of them.
package struct VehicleFile: Sendable {
    private let path: String
    private let secondPath: String?
    /// A file of ours has a few hundred bytes.
    private static let limit = 4096

    /// - Parameter directory: that of the databases.
    package init(directory: String) {
        path = "\(directory)/vehicle"
        secondPath = path + ".second"
    }

    init(backup: String) {
        path = "\(backup)/vehicle"
        secondPath = nil
    }

    var paths: [String] { [path, secondPath].compactMap(\.self) }

    /// Nil if nothing has been set. Where the file is not the last one, the greater of each value, not
    /// confirmed.
    /// - Throws: ``VehicleFileError`` if what there is cannot be read or is not of ours.
    package func read() throws(VehicleFileError) -> StoredVehicle? {
        let second = second
        let first: StoredVehicle?
        do throws(VehicleFileError) { first = try Self.read(path) } catch {
            guard let second else { throw error }
            return second.doubted(beside: nil)
        }
        guard let second, first != second else { return first }
        // An older program knows one file, and a power cut may come between the two.
        if let first, first.isLater(than: second) { return first }
        return second.doubted(beside: first)
    }

    private var second: StoredVehicle? { secondPath.flatMap { try? Self.read($0) } }

    /// The second file says what the first one does, if that is the last.
    package func completeSecond() {
        guard let secondPath, let first = (try? Self.read(path)) ?? nil,
            let present = (try? read()) ?? nil, present == first, second != first
        else { return }
        try? Replacement.write(first.json, to: secondPath)
    }

    private static func read(_ path: String) throws(VehicleFileError) -> StoredVehicle? {
        let bytes: [UInt8]
        do throws(UnreadableFile) {
            bytes = try OpenFile.contents(of: path, limit: limit, followsLinks: false)
        } catch {
            switch error {
            case .system(Errno(ENOENT)): return nil
            case .larger: bytes = []
            default: throw VehicleFileError(path: path, reason: error.description)
            }
        }
        guard let stored = StoredVehicle(json: bytes) else {
            throw VehicleFileError(path: path, reason: "does not describe a vehicle")
        }
        return stored
    }

    /// Replaces what is there; afterwards it is durable.
    /// - Throws: ``VehicleFileError``; then the previous content stays.
    package func write(_ stored: StoredVehicle) throws(VehicleFileError) {
        do throws(Errno) { try Replacement.write(stored.json, to: path) } catch {
            throw VehicleFileError(path: path, reason: error.description)
        }
        guard let secondPath else { return }
        // It is the earlier one if this fails.
        try? Replacement.write(stored.json, to: secondPath)
    }
}

extension VehicleFile {
    /// Also those that were not finished.
    func remove() {
        for path in paths {
            for suffix in ["", ".new"] { unsafe unlink(path + suffix) }
        }
    }
}

/// Why what was set of the vehicle cannot be read or kept.
package struct VehicleFileError: Error, Hashable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// A phrase.
    package let reason: String

    package var description: String { "\(path): \(reason)" }
}
