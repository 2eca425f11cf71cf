import Bytes

// What a file defines and we do not make: a crafted backup, or another program, may have
// put it there. In a file of a later version that is what is not plain, see ``Schema/Object/isPlain``.

extension DatabaseFormat {
    /// What we make, of that version; of a later one, what we know of it.
    private func schema(version: Int) throws -> Schema {
        let database = try Database(path: ":memory:", .memory)
        try create(database, version: version)
        return try Schema(database)
    }

    /// Makes a file of that version safe to use, before anything in it is used. Triggers and views
    /// have no effect on our connections, and are removed all the same, for others may open the file;
    /// so are indexes of our tables. Other tables stay: they are neither read nor written.
    /// - Returns: what was found, in words.
    /// - Throws: ``UnusableFile`` if one of our tables is not there, or does something at each row
    ///   that ours does not.
    func disarm(_ database: Database, version: Int) throws -> [String] {
        if version == self.version, try schema.isAsMade(database) { return [] }
        let found = try Schema(database)
        let own = try schema(version: version)
        if let missing = own.tables.subtracting(found.tables).min() {
            throw UnusableFile(reason: "not complete (no such table: \(missing))")
        }
        if let armed = found.firstArmed(comparedTo: own) {
            throw UnusableFile(reason: "not made by geofenced (\(armed))")
        }
        let foreign = found.foreign(to: own, isNewer: version > current)
        // A disk that takes nothing now does so at the next start.
        try? remove(foreign.filter { $0.type != "table" }, from: database)
        return foreign.map(\.description)
    }

    /// Removes from a copy of a file what we do not make.
    func purify(_ database: Database) throws {
        let version = Int(try database.pragma("user_version"))
        let foreign = try Schema(database).foreign(
            to: try schema(version: version), isNewer: version > current)
        try remove(foreign, from: database)
    }

    /// What a file of that version defines otherwise than we do, in words; nil if
    /// nothing. A later version may define more that is plain.
    func difference(in database: Database, version: Int) throws -> String? {
        let found = try Schema(database)
        let own = try schema(version: version)
        if version > current {
            let missing = own.tables.subtracting(found.tables).min().map { "no table \"\($0)\"" }
            return missing ?? found.firstArmed(comparedTo: own)?.description
                ?? found.foreign(to: own, isNewer: true).first?.description
        }
        if let foreign = found.beyond(own).first { return foreign.description }
        return own.beyond(found).first.map { "no \($0)" }
    }

    private func remove(_ objects: [Schema.Object], from database: Database) throws {
        guard !objects.isEmpty else { return }
        try database.transaction {
            // A virtual table before those in which it keeps its content: it removes these itself.
            for order in ["trigger", "view", "index", "virtual", "table"] {
                for object in objects where object.order == order {
                    let type = order == "virtual" ? "table" : order
                    try database.script("DROP \(type) IF EXISTS \(object.name.quoted(by: "\""))")
                }
            }
        }
    }
}

extension Schema {
    /// What `own` does not have: neither tables of `own` that have been altered, nor the indexes of
    /// other tables, which come and go with them.
    /// - Parameter isNewer: of a later version, which may have more that is plain.
    fileprivate func foreign(to own: Schema, isNewer: Bool) -> [Object] {
        beyond(own).filter { object in
            if isNewer, object.isPlain { return false }
            return switch object.type {
            case "table": !own.tables.contains(object.name)
            case "index": own.tables.contains(object.table)
            default: true
            }
        }
    }
}

extension Schema.Object {
    fileprivate var order: String {
        type == "table" && tokens.contains("virtual") ? "virtual" : type
    }
}
