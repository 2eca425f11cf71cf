import PostgreSQL
package import Settings

/// /etc/geofenced/board.conf.
package struct BoardSettings: Equatable, Sendable {
    /// `Database=` and `Password=`: a conninfo string.
    package var database = "dbname='fleet'"
    /// `Shards=`: those of a database of reports, conninfo strings.
    package var shards: [String] = []
    /// `Role=`: of everybody who looks; nil for that of the connection.
    package var role: String?
    /// `UserHeader=`: the header in which a reverse proxy names the role of who looks. It is believed
    /// on a UNIX socket alone.
    package var userHeader: String?
    /// `Hosts=`: what the reverse proxy calls this host, beside the names of this machine.
    package var hosts: [String] = []

    /// Where it lies unless a command line says otherwise.
    package static let path = "/etc/geofenced/board.conf"

    package init() {}

    /// Reads the file; nil if something is wrong, which is then among the problems.
    package static func read(
        _ file: ProgramSettings, credentials: Credentials
    ) -> (settings: BoardSettings?, problems: [SettingsProblem]) {
        var file = file
        var settings = BoardSettings()
        let password = file.password("Board", "Password", credentials)
        func read(_ key: String, _ address: String) -> String? {
            do throws(DatabaseError) {
                return try ConnectionText.text(of: address, password: password)
            } catch {
                file.refuse("Board", key, error.message)
                return nil
            }
        }
        settings.database =
            read("Database", file.text("Board", "Database") ?? settings.database) ?? ""
        settings.shards = file.list("Board", "Shards").compactMap { read("Shards", $0) }
        settings.role = file.text("Board", "Role")
        settings.userHeader = file.value("Board", "UserHeader") { text throws(BadValue) in
            guard isToken(text) else { throw BadValue(reason: "not the name of a header") }
            return text
        }
        settings.hosts = file.list("Board", "Hosts")
        for host in settings.hosts where !isHost(host) {
            file.refuse("Board", "Hosts", "\(host): not a name without a port")
        }
        file.finish()
        return (file.problems.isEmpty ? settings : nil, file.problems)
    }

    /// Letters, digits and hyphens, as every header that a proxy sets: not one that is looked at
    /// already.
    private static func isToken(_ text: String) -> Bool {
        let reserved = ["host", "authorization", "accept-language"]
        return text.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            && !reserved.contains(text.lowercased()) && !text.lowercased().hasPrefix("sec-fetch-")
    }

    private static func isHost(_ text: String) -> Bool {
        text.utf8.allSatisfy {
            isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte)
    }
}
