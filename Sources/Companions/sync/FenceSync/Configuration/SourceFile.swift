import Glibc
import HTTP
package import Settings

// Unsafe: system calls take a path and an array of ours, with its own count.

/// Reads sources.d/NAME.conf.
package enum SourceFile {
    /// The names of all keys.
    package static var keys: [String] { SourceTable.keys.map(\.name) }

    /// Bytes of a file.
    private static let longest = 1 << 20

    /// The settings, and everything that is wrong with the file, in the order of its lines. With a
    /// problem the settings are not to be used: half of a source is another source.
    package static func load(
        path: String, name: String
    ) -> (settings: SourceSettings, problems: [SettingsProblem]) {
        do throws(SettingsProblem) {
            return parse(try bytes(of: path), file: path, name: name)
        } catch { return (SourceSettings(name: name), [error]) }
    }

    /// The same of bytes that are in memory.
    package static func parse(
        _ bytes: [UInt8], file: String, name: String
    ) -> (settings: SourceSettings, problems: [SettingsProblem]) {
        var settings = SourceSettings(name: name)
        let ini = INI(bytes)
        var problems = ini.faults.map {
            SettingsProblem(file: file, line: $0.line, reason: $0.reason)
        }
        var lines: [String: Int] = [:]
        for entry in ini.entries {
            if entry.section.hasPrefix("X-") || entry.key.hasPrefix("X-") { continue }
            let isKnown = SourceTable.keys.contains { $0.section == entry.section }
            if entry.key.isEmpty {
                if !isKnown {
                    problems.append(
                        SettingsProblem(
                            file: file, line: entry.line,
                            reason: "unknown section [\(entry.section)]"))
                }
                continue
            }
            guard isKnown else { continue }
            let key = SourceTable.keys.first {
                $0.section == entry.section && $0.name == entry.key
            }
            guard let key else {
                problems.append(
                    SettingsProblem(
                        file: file, line: entry.line, key: entry.key,
                        reason: "unknown key in [\(entry.section)]"))
                continue
            }
            lines["\(entry.section).\(entry.key)"] = entry.line
            guard !entry.value.isEmpty else { continue }
            do throws(BadValue) {
                try key.assign(entry.value, &settings)
            } catch {
                problems.append(
                    SettingsProblem(
                        file: file, line: entry.line, key: entry.key,
                        reason: "\(entry.value): \(error.reason)"))
            }
        }
        if problems.isEmpty {
            problems = contradictions(of: settings).map { key, reason in
                SettingsProblem(
                    file: file, line: lines[key],
                    key: key.split(separator: ".").last.map(String.init), reason: reason)
            }
        }
        return (settings, problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
    }

    /// What no line alone has wrong, by `Section.Key`.
    private static func contradictions(of settings: SourceSettings) -> [(String, String)] {
        var found: [(String, String)] = []
        let auth = settings.auth
        guard let address = settings.address else { return [("Source.URL", "is missing")] }
        if settings.kind == .odata, settings.entitySet.isEmpty {
            found.append(("Source.EntitySet", "is missing"))
        }
        if settings.kind == .ogcapi, settings.collection.isEmpty {
            found.append(("Source.Collection", "is missing"))
        }
        if settings.mode == .nearby, settings.kind == .geojson {
            found.append(("Source.Mode", "a document cannot be asked for what is nearby"))
        }
        if settings.kind != .odata, !settings.filter.isEmpty {
            found.append(("Query.Filter", "is for OData only"))
        }
        let needs = [
            (auth.usesBasic && auth.user.isEmpty, "Auth.User"),
            (auth.usesBasic && auth.password.isEmpty, "Auth.Password"),
            (auth.usesBearer && auth.token.isEmpty, "Auth.Token"),
            (auth.usesOAuth2 && auth.tokenURL == nil, "Auth.TokenURL"),
            (auth.usesOAuth2 && auth.clientID.isEmpty, "Auth.ClientId"),
            (auth.usesOAuth2 && auth.clientSecret.isEmpty, "Auth.ClientSecret"),
            (auth.usesCertificate && auth.certificate.isEmpty, "Auth.Certificate"),
            (auth.usesCertificate && auth.key.isEmpty, "Auth.Key"),
        ]
        for (isMissing, key) in needs where isMissing { found.append((key, "is missing")) }
        if [auth.usesBasic, auth.usesBearer, auth.usesOAuth2].filter({ $0 }).count > 1 {
            found.append(("Auth.Type", "only one of basic, bearer and oauth2"))
        }
        // On the way anybody could read them; to this machine there is no way.
        let places =
            [("Source.URL", address)] + (auth.tokenURL.map { [("Auth.TokenURL", $0)] } ?? [])
        for (key, place) in places where auth.isSecret && !place.isEncrypted && !place.isLocal {
            found.append((key, "credentials would be sent without encryption; use https"))
        }
        return found
    }

    private static func bytes(of path: String) throws(SettingsProblem) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw unsafe SettingsProblem(file: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw SettingsProblem(file: path, reason: "no regular file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw unsafe SettingsProblem(file: path, reason: String(cString: strerror(errno)))
            }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= longest else {
                throw SettingsProblem(file: path, reason: "longer than \(longest) bytes")
            }
        }
    }
}
