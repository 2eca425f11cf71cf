import Bytes
import Files
import Glibc

// Unsafe: stat(2) takes a path and a structure of ours.

/// Finds the configuration files and their order, by the rules of systemd.unit(5) for `.conf.d`
/// directories.
extension LoadedSettings {
    /// Reads the configuration. Whatever is wrong with a file is listed in `problems`; nothing
    /// throws.
    ///
    /// Without `config` the main file is the first of `/etc`, `/run` and `/usr/lib` that has a
    /// file of that name; then come the `NAME.d/*.conf` of all three, by file name whatever the directory, of the same name only the one from the first of them:
    /// so a symbolic link to `/dev/null` masks. With `config` the main file is that one, which must
    /// be there, and the drop-ins are those in `config` + `.d`.
    ///
    /// - Parameters:
    ///   - name: of the main file: `geofenced/geofenced.conf`.
    ///   - root: put before the standard directories; for tests.
    package static func load(
        _ table: SettingsTable<Root>, name: String, config: String? = nil, root: String = ""
    ) -> LoadedSettings {
        var loaded = LoadedSettings(table)
        if let config {
            loaded.read(config, mayBeMissing: false)
            loaded.readDropIns(["\(config).d"])
        } else {
            let mains = ["/etc", "/run", "/usr/lib"].map { "\(root)\($0)/\(name)" }
            for main in mains {
                if loaded.read(main, mayBeMissing: true) { break }
            }
            loaded.readDropIns(mains.map { "\($0).d" })
        }
        loaded.checkRules()
        return loaded
    }
}

extension LoadedSettings {
    /// Size limit of one file, bytes: no configuration is that long, but a device may be.
    private static var longestFile: Int { 1 << 20 }
    /// Limit on the number of drop-ins in all directories together.
    private static var mostFiles: Int { 1024 }

    /// Directories, the highest priority first.
    fileprivate mutating func readDropIns(_ directories: [String]) {
        var paths: [ExactText: String] = [:]
        for directory in directories {
            for name in names(in: directory) where paths[name] == nil {
                paths[name] = "\(directory)/\(name)"
            }
        }
        guard paths.count <= Self.mostFiles else {
            return refuse(directories[0], "more than \(Self.mostFiles) files; none was read")
        }
        for (_, path) in paths.sorted(by: { $0.key < $1.key }) {
            read(path, mayBeMissing: false)
        }
    }

    /// False when the file is not there.
    @discardableResult
    fileprivate mutating func read(_ path: String, mayBeMissing: Bool) -> Bool {
        // A drop-in is masked by a link to /dev/null (1, 3).
        var status = stat()
        let isMask =
            unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
            && status.st_rdev == 0x103
        guard !isMask else { return true }
        do throws(UnreadableFile) {
            apply(try OpenFile.contents(of: path, limit: Self.longestFile), file: path)
        } catch {
            if mayBeMissing, error.isMissing { return false }
            refuse(path, error.description)
        }
        return true
    }

    private mutating func names(in directory: String) -> [String] {
        do throws(Errno) {
            return try Directory.names(in: directory, limit: Self.mostFiles + 1) {
                $0.hasSuffix(".conf") && !$0.hasPrefix(".")
            }
        } catch {
            if ![ENOENT, ENOTDIR].contains(error.code) { refuse(directory, error.description) }
            return []
        }
    }

    private mutating func refuse(_ path: String, _ reason: String) {
        problems.append(SettingsProblem(file: path, line: nil, key: nil, reason: reason))
    }
}
