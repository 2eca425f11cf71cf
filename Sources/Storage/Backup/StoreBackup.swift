import CSQLite
import Files
import Glibc
import Law
import Model

// Unsafe: system calls take a path and a structure of ours.

/// A copy of a store, and a store from a copy: two databases in a directory of their own, and what
/// was set of the vehicle.
///
/// A copy is made by SQLite's online backup while the daemon works: each database is copied as it
/// was at one moment, and writers are not blocked. The log is copied first, so that the catalogue
/// beside it is as new or newer, as after a power cut.
package enum StoreBackup {
    /// What a copy holds.
    package struct Summary: Hashable, Sendable {
        /// Fences in the catalogue.
        package var fences = 0
        /// Events in the log.
        package var events = 0
        /// Number of the last event; the next one gets a greater number.
        package var lastSeq: UInt64 = 0
        /// Durable consumers.
        package var consumers = 0
        /// What was set of the vehicle; nil where nothing was.
        package var vehicle: StoredVehicle?
    }

    private static let parts:
        [(name: String, format: DatabaseFormat, bounds: [BackupBounds.Bound])] = [
            ("events.sqlite", .events, BackupBounds.events),
            ("catalogue.sqlite", .catalogue, BackupBounds.catalogue),
        ]

    /// Copies the store in `state` to `target`, which must not exist, and verifies the copy by
    /// reading it. A failed copy leaves nothing behind.
    /// - Throws: ``BackupFailure``, ``StoreError``.
    package static func make(of state: String, to target: String) throws -> Summary {
        var status = stat()
        guard unsafe lstat(target, &status) != 0 else {
            throw BackupFailure("is there already", target)
        }
        let partial = target + ".partial"
        guard unsafe mkdir(partial, 0o700) == 0 else { throw BackupFailure(.last, partial) }
        do {
            for (name, format, _) in parts {
                let source = "\(state)/\(name)"
                guard unsafe access(source, R_OK) == 0 else {
                    throw BackupFailure(.last, source)
                }
                try copy(Database(path: source, .existing), to: "\(partial)/\(name)") {
                    // A backup that holds anything else is not restored.
                    try format.purify($0)
                }
            }
            if let vehicle = try VehicleFile(directory: state).read() {
                try VehicleFile(backup: partial).write(vehicle)
            }
            let summary = try verified(partial)
            try BackupFailure.at(target) { () throws(Errno) in
                try Directory.sync(partial)
                try Directory.move(partial, to: target)
                try Directory.sync(Directory.parent(of: target))
            }
            return summary
        } catch {
            for (name, _, _) in parts { StoreFiles.remove("\(partial)/\(name)") }
            VehicleFile(backup: partial).remove()
            unsafe rmdir(partial)
            throw error
        }
    }

    /// Replaces the content of the store in `state` by the copy's. Presence and numbers go on:
    /// stays that are open now stay open, no number is given twice, and no event is announced
    /// again. The previous files are kept beside it, as `….before-restore`.
    /// - Throws: ``BackupFailure``, also when another process has the store open.
    package static func restore(_ backup: String, into state: String) throws -> Summary {
        let copied = try verified(backup)
        let lock = try StoreLock(state)
        let fresh = parts.map { (name: $0.name, path: "\(state)/\($0.name).restoring") }
        do {
            for (name, path) in fresh {
                StoreFiles.remove(path)
                // As it was verified: without a write-ahead log, which no backup has.
                try copy(Database(path: "\(backup)/\(name)", .immutable), to: path)
            }
            try StorePresent(state: state, numbers: lock.numbers).carryOver(
                toLog: fresh[0].path, catalogue: fresh[1].path)
            _ = try summary(log: fresh[0].path, catalogue: fresh[1].path)
            for (_, path) in fresh { try StoreFiles.give(path, toOwnerOf: state) }
            try BackupFailure.at(state) { () throws(Errno) in try Directory.sync(state) }
        } catch {
            for (_, path) in fresh { StoreFiles.remove(path) }
            throw error
        }
        // What it says of the previous catalogue would be missed in the other one.
        ManifestFile.remove(from: state)
        SecondFile.remove(from: state)
        SetCopies(directory: state).dropAll()
        try BackupFailure.at(state) { () throws(Errno) in try Directory.sync(state) }
        for (name, path) in fresh {
            try StoreFiles.replace("\(state)/\(name)", by: path)
        }
        try noteNumbers(state, lock)
        // The engine's checkpoint belongs to the previous store.
        for name in ["memory", "memory-waiting-0", "memory-waiting-1"] {
            unsafe unlink("\(state)/\(name)")
        }
        try BackupFailure.at(state) { () throws(Errno) in try Directory.sync(state) }
        try restore(copied.vehicle, into: state)
        return try summary(state)
    }

    /// After the log is in place: what is known of numbers is never more than it has.
    private static func noteNumbers(_ state: String, _ lock: StoreLock) throws {
        let log = try Database(path: "\(state)/events.sqlite", .immutable)
        let last = try log.first("SELECT last FROM state") { $0.number(0) } ?? 0
        try lock.note(last: last, log: try EventLog.id(in: log))
    }

    /// The vehicle is set as in the copy only where nothing is set now: what is set is newer, and
    /// a lower height of another day must not replace it. Nobody has confirmed that the box is
    /// still in that vehicle.
    private static func restore(_ copied: StoredVehicle?, into state: String) throws {
        guard var stored = copied else { return }
        let file = VehicleFile(directory: state)
        // One that cannot be read says nothing either.
        if (try? file.read()).flatMap(\.self) == nil {
            stored.vehicle.confirmedAt = nil
            try file.write(stored)
        }
        // Also of those that a killed restore has left.
        for path in file.paths where unsafe access(path, F_OK) == 0 {
            try StoreFiles.give(path, toOwnerOf: state)
        }
    }

    /// Makes a durable copy of one file as it is at this moment.
    private static func copy(
        _ source: Database, to target: String, then change: (Database) throws -> Void = { _ in }
    ) throws {
        let file = try BackupFailure.at(target) { () throws(Errno) in
            try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL)
        }
        do {
            let database = try Database(path: target, .existing)
            try database.copy(source)
            try change(database)
            // Without a write-ahead log, so that the copy is a single file.
            try database.script("PRAGMA journal_mode=DELETE")
        }
        try BackupFailure.at(target) { () throws(Errno) in try file.sync() }
    }

    private static func verified(_ directory: String) throws -> Summary {
        for (name, format, bounds) in parts {
            let path = "\(directory)/\(name)"
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { throw BackupFailure(.last, path) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw BackupFailure("is no regular file", path)
            }
            let database = try Database(path: path, .immutable)
            guard try database.pragma("application_id") == Int64(format.applicationID) else {
                throw BackupFailure("is not a file of geofenced", path)
            }
            let version = Int(try database.pragma("user_version"))
            guard format.canUse(version) else {
                let age = version > format.current ? "a newer" : "an older"
                throw BackupFailure(
                    "was made by \(age) version (schema \(version), this one knows "
                        + "\(format.known))", path)
            }
            // Before anything that runs what the file defines.
            if let foreign = try format.difference(in: database, version: version) {
                throw BackupFailure("holds what geofenced has not made: \(foreign)", path)
            }
            let verdict = try database.first("PRAGMA integrity_check(1)") { $0.text(0) }
            guard verdict == "ok" else {
                throw BackupFailure("is damaged: \(verdict ?? "no verdict")", path)
            }
            if let flaw = try BackupBounds.flaw(in: database, bounds) {
                throw BackupFailure("has a number that cannot be: \(flaw)", path)
            }
        }
        let log = try Database(path: "\(directory)/events.sqlite", .immutable)
        if let driven = try? EventLog.driven(in: log), driven.metres > OdometerReading.most {
            throw BackupFailure("has a number that cannot be: the odometer", log.path)
        }
        return try summary(directory)
    }

    private static func summary(_ directory: String) throws -> Summary {
        var summary = try summary(
            log: "\(directory)/events.sqlite", catalogue: "\(directory)/catalogue.sqlite")
        summary.vehicle = try VehicleFile(directory: directory).read()
        return summary
    }

    private static func summary(log: String, catalogue: String) throws -> Summary {
        let log = try Database(path: log, .immutable)
        let catalogue = try Database(path: catalogue, .immutable)
        var summary = Summary()
        summary.fences =
            try catalogue.first("SELECT count FROM state") { Int($0.integer(0)) } ?? 0
        summary.events =
            try log.first("SELECT count(*) FROM event") { Int($0.integer(0)) } ?? 0
        summary.lastSeq = try log.first("SELECT last FROM state") { $0.number(0) } ?? 0
        // What is left of a damaged file may have none.
        summary.consumers =
            (try? log.first("SELECT count(*) FROM consumer") { Int($0.integer(0)) } ?? 0) ?? 0
        return summary
    }
}

/// Why a copy was not made, or not accepted.
package struct BackupFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package var reason: String
    /// The file concerned.
    package var place: String

    init(_ reason: String, _ place: String) {
        self.reason = reason
        self.place = place
    }

    init(_ error: Errno, _ place: String) { self.init(error.description, place) }

    /// What `body` does with the file at this path.
    static func at<Value>(
        _ path: String, _ body: () throws(Errno) -> Value
    ) throws(BackupFailure) -> Value {
        do throws(Errno) { return try body() } catch { throw BackupFailure(error, path) }
    }

    package var description: String { "\(reason): \(place)" }
}
