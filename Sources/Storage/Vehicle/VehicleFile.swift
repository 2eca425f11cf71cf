package import Engine
import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

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
    private let directory: String
    /// A file of ours has a few hundred bytes.
    private static let limit = 4096

    /// - Parameter directory: that of the databases.
    package init(directory: String) {
        self.directory = directory
        path = "\(directory)/vehicle"
    }

    /// Nil if nothing has been set.
    /// - Throws: ``VehicleFileError`` if there is a file that cannot be read or is not one of ours.
    package func read() throws(VehicleFileError) -> StoredVehicle? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw VehicleFileError(path, errno)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.limit)
        let count = unsafe pread(file, &bytes, bytes.count, 0)
        guard count >= 0 else { throw VehicleFileError(path, errno) }
        guard let stored = StoredVehicle(json: Array(bytes.prefix(count))) else {
            throw VehicleFileError(path: path, reason: "does not describe a vehicle")
        }
        return stored
    }

    /// Replaces what is there; afterwards it is durable.
    /// - Throws: ``VehicleFileError``; then the previous content stays.
    package func write(_ stored: StoredVehicle) throws(VehicleFileError) {
        let fresh = path + ".new"
        let bytes = stored.json
        let file = unsafe open(
            fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw VehicleFileError(fresh, errno) }
        defer { close(file) }
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw VehicleFileError(fresh, errno == 0 ? ENOSPC : errno)
        }
        guard fsync(file) == 0 else { throw VehicleFileError(fresh, errno) }
        guard unsafe rename(fresh, path) == 0 else { throw VehicleFileError(path, errno) }
        do throws(FailedCall) { try DirectoryNames.sync(directory) } catch {
            throw VehicleFileError(directory, error.code)
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

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    init(_ path: String, _ number: Int32) {
        self.init(path: path, reason: unsafe String(cString: strerror(number)))
    }

    package var description: String { "\(path): \(reason)" }
}
