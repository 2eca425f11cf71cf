/// A language as a driver has it: with the country, which decides the voice and some units.
package struct DriverLanguage: Hashable, Sendable {
    /// What the sentences are in.
    package var language: Language
    /// In capitals, as in `US`; empty where it is not known.
    package var region = ""

    /// What is spoken where nothing else can be.
    package static let english = DriverLanguage(language: .english)

    package init(language: Language, region: String = "") {
        self.language = language
        self.region = region
    }

    /// - Parameter name: of a locale, such as `de`, `de_AT.UTF-8` or `de-AT`; nil for a language that
    ///   there are no sentences in.
    package init?(_ name: String) {
        let words = Self.withoutCharset(name).split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "_" || $0 == "-" })
        guard (1...2).contains(words.count),
            let language = Language(rawValue: words[0].lowercased())
        else { return nil }
        let region = words.count == 2 ? words[1].uppercased() : ""
        guard words.count == 1 || Self.isRegion(region) else { return nil }
        self.init(language: language, region: region)
    }

    /// `de`, `de-AT`, as in settings.
    package var tag: String {
        region.isEmpty ? language.rawValue : "\(language.rawValue)-\(region)"
    }

    /// Two letters, or three digits: ISO 3166, UN M.49.
    private static func isRegion(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 2 && bytes.allSatisfy { (0x41...0x5A).contains($0) }
            || bytes.count == 3 && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// `ca_ES.UTF-8@valencia` → `ca_ES`
    private static func withoutCharset(_ name: String) -> String {
        String(name.prefix { $0 != "." && $0 != "@" })
    }
}

/// What the system says about its language.
package struct SystemLanguage: Hashable, Sendable {
    /// What follows from it: English where nothing better does.
    package var language: DriverLanguage
    /// The name of a locale that there are no sentences for; nil if there are, or none is set.
    package var unknown: String?

    /// Those of locale(7) for messages, the strongest first.
    private static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]

    /// The files from which systemd, and Debian, set them for what is started at boot.
    package static let files = ["/etc/locale.conf", "/etc/default/locale"]

    /// From the environment, and where that says nothing, which a service's `C.UTF-8` means too, from
    /// the contents of the files, the first of which that sets a language counts.
    ///
    /// - Parameters:
    ///   - environment: the value of a variable.
    ///   - files: contents, lines of `NAME=value`.
    package init(environment: @escaping (String) -> String?, files: [String] = []) {
        let isStrong = Self.variables.dropLast().contains { environment($0)?.isEmpty == false }
        let sources = [environment] + files.map { Self.assignments(in: $0) }
        let names = sources.compactMap { source in
            Self.variables.compactMap(source).first { !$0.isEmpty }
        }
        let name = names.first { isStrong || !Self.saysNothing($0) } ?? ""
        language = DriverLanguage(name) ?? .english
        unknown = DriverLanguage(name) != nil || Self.saysNothing(name) ? nil : name
    }

    private static func saysNothing(_ name: String) -> Bool {
        ["", "C", "POSIX"].contains(String(name.prefix { $0 != "." }))
    }

    /// Of locale.conf(5): assignments, perhaps in quotes.
    private static func assignments(in text: String) -> (String) -> String? {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, !line.hasPrefix("#") else { continue }
            values[String(parts[0])] = String(parts[1].filter { !"\"' \t".contains($0) })
        }
        return { values[$0] }
    }
}
