import Files
import Glibc

// Unsafe: system calls take paths and structs of ours; what they lend is copied at once.

/// Looks at files without changing or holding any.
enum LocalFiles {
    /// Names in a directory, in order, without those that begin with a dot.
    static func names(in directory: String) -> Result<[String], Errno> {
        Result { () throws(Errno) in
            try Directory.names(in: directory, limit: mostNames) { !$0.hasPrefix(".") }
        }
    }

    private static let mostNames = 1 << 16

    /// The bytes of a small file of /proc; none if it cannot be read.
    static func bytes(of path: String) -> [UInt8] {
        (try? OpenFile(path, O_RDONLY | O_NONBLOCK).bytes(at: 0, count: 1 << 13)) ?? []
    }

    /// The lines of a file of /proc, of any length; none if it cannot be read.
    static func lines(of path: String) -> [Substring] {
        let bytes = (try? OpenFile(path, O_RDONLY).contents(limit: 1 << 22)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// What is there.
    static func status(of path: String) -> Result<stat, Errno> {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? .success(status) : .failure(.last)
    }

    /// Where links lead to; nil if nothing is there, or it cannot be followed.
    static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    static func exists(_ path: String) -> Bool { (try? status(of: path).get()) != nil }

    /// `crw-rw---- root:dialout`
    static func permissions(_ status: stat) -> String {
        let kinds: [mode_t: Character] = [
            S_IFCHR: "c", S_IFBLK: "b", S_IFDIR: "d", S_IFIFO: "p", S_IFSOCK: "s",
        ]
        var text = String(kinds[status.st_mode & S_IFMT] ?? "-")
        for bit in (0..<9).reversed() {
            text.append(status.st_mode & 1 << bit == 0 ? "-" : Array("xwr")[bit % 3])
        }
        return "\(text) \(userName(status.st_uid)):\(groupName(status.st_gid))"
    }

    static func userName(_ uid: uid_t) -> String {
        unsafe getpwuid(uid).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(uid)"
    }

    private static func groupName(_ gid: gid_t) -> String {
        unsafe getgrgid(gid).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(gid)"
    }
}

/// A user with its groups, as far as permissions are concerned.
struct ProcessUser {
    /// 0 may do everything.
    var uid: uid_t
    /// All groups.
    var groups: Set<gid_t>

    /// Why it may not read what is there: `/etc/x is drwx------ root:root`, of the first directory
    /// on the way that stops it, or of itself; nil if it may, or if nothing is there.
    func refusal(of path: String) -> String? {
        guard let status = try? LocalFiles.status(of: path).get(), !mayRead(path, status) else {
            return nil
        }
        let real = LocalFiles.realPath(path) ?? path
        for end in real.indices.dropFirst() where real[end] == "/" {
            let directory = String(real[..<end])
            guard let status = try? LocalFiles.status(of: directory).get() else { break }
            if !may(X_OK, directory, status) {
                return "\(directory) is \(LocalFiles.permissions(status))"
            }
        }
        return "\(path) is \(LocalFiles.permissions(status))"
    }

    /// Whether it may read what is there, and has this status.
    func mayRead(_ path: String, _ status: stat) -> Bool {
        may(status.st_mode & S_IFMT == S_IFDIR ? R_OK | X_OK : R_OK, path, status)
    }

    /// Root asks the kernel as that user, who may be stopped by a directory above, or have a right
    /// by acl(5); others know the permissions.
    /// - Parameter right: of access(2), whose bits are those of a permission.
    private func may(_ right: Int32, _ path: String, _ status: stat) -> Bool {
        if geteuid() == uid { return unsafe access(path, right) == 0 }
        if geteuid() == 0,
            let answer = asItself({ unsafe faccessat(AT_FDCWD, path, right, AT_EACCESS) })
        {
            return answer == 0
        }
        if uid == 0 { return true }
        let bits = mode_t(right)
        if status.st_uid == uid { return status.st_mode >> 6 & bits == bits }
        if groups.contains(status.st_gid) { return status.st_mode >> 3 & bits == bits }
        return status.st_mode & bits == bits
    }

    /// Of root: does it with the rights of that user, and takes its own again; nil where root may
    /// not do that here.
    private func asItself(_ body: () -> Int32) -> Int32? {
        let most = getgroups(0, nil)
        var own = [gid_t](repeating: 0, count: Int(max(0, most)))
        guard most >= 0, unsafe getgroups(most, &own) == most else { return nil }
        let others = Array(groups)
        guard unsafe setgroups(others.count, others) == 0 else { return nil }
        defer { _ = unsafe setgroups(own.count, own) }
        guard seteuid(uid) == 0 else { return nil }
        defer { seteuid(0) }
        return body()
    }

    init(uid: uid_t, groups: Set<gid_t>) {
        self.uid = uid
        self.groups = groups
    }

    /// As a unit would run it; nil if there is no such user.
    init?(named name: String, supplementary: [String]) {
        guard let entry = unsafe getpwnam(name) else { return nil }
        uid = unsafe entry.pointee.pw_uid
        let own = unsafe entry.pointee.pw_gid
        var list = [gid_t](repeating: 0, count: 256)
        var count = Int32(list.count)
        guard unsafe getgrouplist(name, own, &list, &count) >= 0 else { return nil }
        groups = Set(list.prefix(Int(max(0, count))))
        for group in supplementary {
            if let gid = unsafe getgrnam(group)?.pointee.gr_gid { groups.insert(gid) }
        }
    }
}
