import Files
import Glibc

// Unsafe: statvfs(3) fills a struct of ours.

/// Looks at the disk, the journal and a receiver's device, as the daemon's user would.
struct HostProbe {
    /// The user that the daemon runs as; nil if that is not known.
    let user: ProcessUser?

    func look(stateDirectory path: String) -> HostEvidence {
        var evidence = HostEvidence()
        evidence.statePath = path
        evidence.hasJournal = LocalFiles.exists("/run/systemd/journal/socket")
        evidence.keepsJournal = Self.keepsJournal
        var system = statvfs()
        switch LocalFiles.status(of: path) {
        case .failure(let reason): evidence.stateFailure = reason.description
        case .success(let status) where status.st_mode & S_IFMT != S_IFDIR:
            evidence.stateFailure = "no directory"
        case .success(let status):
            evidence.closedFile = closedFile(path, status)
            guard unsafe statvfs(path, &system) == 0 else { return evidence }
            evidence.isReadOnly = system.f_flag & UInt(ST_RDONLY) != 0
            let (free, overflow) = UInt64(system.f_bavail).multipliedReportingOverflow(
                by: UInt64(system.f_frsize))
            evidence.freeBytes = overflow ? .max : free
            evidence.freeFiles = system.f_files == 0 ? nil : UInt64(system.f_favail)
        }
        return evidence
    }

    /// The directory, or the first file in it that is not the daemon's to write.
    private func closedFile(_ path: String, _ status: stat) -> String? {
        guard let uid = user?.uid, uid != 0 else { return nil }
        let names = (try? LocalFiles.names(in: path).get()) ?? []
        let inside = names.lazy.map { "\(path)/\($0)" }.compactMap { file in
            (try? LocalFiles.status(of: file).get()).map { (file, $0) }
        }
        func flaw(_ path: String, _ status: stat) -> String? {
            guard status.st_uid == uid else {
                return "\(path) belongs to \(LocalFiles.userName(status.st_uid))"
            }
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            let needed = isDirectory ? S_IRWXU : S_IRUSR | S_IWUSR
            guard status.st_mode & needed != needed else { return nil }
            return "\(path) is \(LocalFiles.permissions(status))"
        }
        return flaw(path, status) ?? inside.compactMap { flaw($0.0, $0.1) }.first
    }

    /// With Storage=none journald has no file, neither on the disk nor in memory; without a place
    /// for one neither.
    private static var keepsJournal: Bool? {
        // Files of before stay.
        if JournalSettings.present.storage == "none" { return false }
        let machine = LocalFiles.bytes(of: "/etc/machine-id").prefix { $0 != UInt8(ascii: "\n") }
        guard machine.count == 32 else { return nil }
        var isHidden = false
        for folder in ["/run/log/journal", "/var/log/journal"] {
            let file = "\(folder)/\(String(decoding: machine, as: UTF8.self))/system.journal"
            switch LocalFiles.status(of: file) {
            case .success: return true
            case .failure(let reason): isHidden = isHidden || reason.code != ENOENT
            }
        }
        return isHidden ? nil : false
    }

    func look(atLine path: String) -> LineEvidence {
        var evidence = LineEvidence()
        evidence.path = path
        guard path != "-" else { return evidence }
        evidence.user = user.map { LocalFiles.userName($0.uid) } ?? "geofenced"
        switch LocalFiles.status(of: path) {
        case .failure(let reason): evidence.failure = reason.description
        case .success(let status) where status.st_mode & S_IFMT == S_IFDIR:
            evidence.failure = "a directory"
        case .success(let status):
            evidence.permissions = LocalFiles.permissions(status)
            evidence.isReadable = user.map { $0.mayRead(path, status) }
        }
        return evidence
    }
}
