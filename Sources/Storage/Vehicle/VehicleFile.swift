package import Engine
import Files
import Glibc

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
}

/// A small file beside the databases that survives restarts and power cuts: written whole beside
/// its place, made durable, and renamed.
package struct VehicleFile: Sendable {
    let path: String
    /// A file of ours has a few hundred bytes.
    private static let limit = 4096

    /// - Parameter directory: that of the databases.
    package init(directory: String) {
        path = "\(directory)/vehicle"
    }

    /// Nil if nothing has been set.
    /// - Throws: ``VehicleFileError`` if there is a file that cannot be read or is not one of ours.
    package func read() throws(VehicleFileError) -> StoredVehicle? {
        let bytes: [UInt8]
        do throws(UnreadableFile) {
            bytes = try OpenFile.contents(of: path, limit: Self.limit, followsLinks: false)
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
    }
}

extension VehicleFile {
    /// Also one that was not finished.
    func remove() {
        for suffix in ["", ".new"] { unsafe unlink(path + suffix) }
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
