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
        var system = statvfs()
        switch LocalFiles.status(of: path) {
        case .failure(let reason): evidence.stateFailure = reason.description
        case .success(let status) where status.st_mode & S_IFMT != S_IFDIR:
            evidence.stateFailure = "no directory"
        case .success(let status):
            if let uid = user?.uid, uid != 0, status.st_uid != uid {
                evidence.strangeOwner = LocalFiles.userName(status.st_uid)
            }
            guard unsafe statvfs(path, &system) == 0 else { return evidence }
            evidence.isReadOnly = system.f_flag & UInt(ST_RDONLY) != 0
            let (free, overflow) = UInt64(system.f_bavail).multipliedReportingOverflow(
                by: UInt64(system.f_frsize))
            evidence.freeBytes = overflow ? .max : free
            evidence.freeFiles = system.f_files == 0 ? nil : UInt64(system.f_favail)
        }
        return evidence
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
            evidence.isReadable = user.map { $0.mayRead(status) }
        }
        return evidence
    }
}
