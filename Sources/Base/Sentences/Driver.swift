import Files
import Settings

/// What a program needs of its driver, from everywhere that says something about him.
package struct Driver: Equatable, Sendable {
    /// What he understands.
    package var language: DriverLanguage
    /// Which units he wants.
    package var units: UnitChoice
    /// As in ``DriverSettings``.
    package var timeZone: String
    /// What is wrong with the settings, and a language that there are no sentences in; for the log.
    package var problems: [String]

    /// - Parameters:
    ///   - config: geofenced.conf, where it lies elsewhere.
    ///   - language: what a command line says, which is stronger than the settings.
    ///   - units: likewise.
    ///   - environment: the value of a variable.
    package init(
        config: String? = nil, language: DriverLanguage? = nil, units: UnitChoice? = nil,
        environment: @escaping (String) -> String?
    ) {
        let loaded = DriverSettings.load(config: config)
        problems = loaded.problems.map(\.description)
        self.units = units ?? loaded.settings.units
        timeZone = loaded.settings.timeZone
        if let language = language ?? loaded.settings.language {
            self.language = language
            return
        }
        let files = SystemLanguage.files.compactMap { path in
            try? String(decoding: OpenFile.contents(of: path, limit: 1 << 16), as: UTF8.self)
        }
        let system = SystemLanguage(environment: environment, files: files)
        self.language = system.language
        if let unknown = system.unknown {
            problems.append("there are no sentences in the language \(unknown): English is used")
        }
    }
}
