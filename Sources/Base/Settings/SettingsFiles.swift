import Glibc

// Unsafe: system calls take a path and an array of ours; readdir(3)'s entry is copied at once.

/// Finds the configuration files and their order, by the rules of systemd.unit(5) for `.conf.d`
/// directories.
extension Settings {
    /// Reads the configuration. Whatever is wrong with a file is listed in `problems`; nothing
    /// throws.
    ///
    /// Without `config` the main file is the first of `/etc`, `/run` and `/usr/lib` that has a
    /// `geofenced/geofenced.conf`; then come the `geofenced/geofenced.conf.d/*.conf` of all three,
    /// by file name whatever the directory, of the same name only the one from the first of them:
    /// so a symbolic link to `/dev/null` masks. With `config` the main file is that one, which must
    /// be there, and the drop-ins are those in `config` + `.d`.
    ///
    /// - Parameter root: put before the standard directories; for tests.
    package static func load(config: String? = nil, root: String = "") -> LoadedSettings {
        var loaded = LoadedSettings()
        if let config {
            loaded.read(config, mayBeMissing: false)
            loaded.readDropIns(["\(config).d"])
        } else {
            let mains = ["/etc", "/run", "/usr/lib"].map { "\(root)\($0)/geofenced/geofenced.conf" }
            for main in mains {
                if loaded.read(main, mayBeMissing: true) { break }
            }
            loaded.readDropIns(mains.map { "\($0).d" })
        }
        loaded.checkOrder()
        return loaded
    }
}

extension LoadedSettings {
    /// Size limit of one file, bytes: no configuration is that long, but a device may be.
    private static let longestFile = 1 << 20
    /// Limit on the number of drop-ins in all directories together.
    private static let mostFiles = 1024

    /// Directories, the highest priority first.
    fileprivate mutating func readDropIns(_ directories: [String]) {
        var paths: [String: String] = [:]
        for directory in directories {
            for name in names(in: directory) where paths[name] == nil {
                paths[name] = "\(directory)/\(name)"
            }
        }
        guard paths.count <= Self.mostFiles else {
            return refuse(directories[0], "more than \(Self.mostFiles) files; none was read")
        }
        for (_, path) in paths.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            read(path, mayBeMissing: false)
        }
    }

    /// False when the file is not there.
    @discardableResult
    fileprivate mutating func read(_ path: String, mayBeMissing: Bool) -> Bool {
        // Checked before it is opened, because opening a device may have side effects; and
        // O_NONBLOCK, because the file may have been replaced by a fifo, which must not block the
        // daemon's start.
        var status = stat()
        let isThere = unsafe stat(path, &status) == 0
        let descriptor =
            unsafe isThere && Self.isReadable(status)
            ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1
        guard descriptor >= 0 else {
            let code = errno
            if mayBeMissing, code == ENOENT || code == ENOTDIR { return false }
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            let isUnfit = isThere && !Self.isReadable(status) && !isDirectory
            let reason = unsafe String(cString: strerror(isThere && isDirectory ? EISDIR : code))
            refuse(path, isUnfit ? "no regular file" : reason)
            return true
        }
        defer { close(descriptor) }
        guard unsafe fstat(descriptor, &status) == 0, Self.isReadable(status) else {
            refuse(path, "no regular file")
            return true
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                unsafe refuse(path, String(cString: strerror(errno)))
                return true
            }
            guard count > 0 else { break }
            bytes += chunk[..<count]
            guard bytes.count <= Self.longestFile else {
                refuse(path, "longer than \(Self.longestFile) bytes")
                return true
            }
        }
        apply(bytes, file: path)
        return true
    }

    /// A regular file, or /dev/null (1, 3), with which a drop-in is masked.
    private static func isReadable(_ status: stat) -> Bool {
        let kind = status.st_mode & S_IFMT
        return kind == S_IFREG || kind == S_IFCHR && status.st_rdev == 0x103
    }

    private mutating func names(in directory: String) -> [String] {
        guard let stream = unsafe opendir(directory) else {
            let code = errno
            if code != ENOENT, code != ENOTDIR {
                unsafe refuse(directory, String(cString: strerror(code)))
            }
            return []
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            // Read in place: the entry may be shorter than the declared size of d_name.
            let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
            let name = unsafe UnsafeRawPointer(entry).advanced(by: offset)
                .withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
            if name.hasSuffix(".conf"), !name.hasPrefix(".") { names.append(name) }
            if names.count > Self.mostFiles { break }
        }
        return names
    }

    private mutating func refuse(_ path: String, _ reason: String) {
        problems.append(SettingsProblem(file: path, line: nil, key: nil, reason: reason))
    }
}
