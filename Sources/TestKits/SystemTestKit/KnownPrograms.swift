import Foundation

/// The programs that a test may run: those that have a row in `.ci/packages` for what `make test`
/// installs. What only the machine of a developer has fails there, too.
enum KnownPrograms {
    /// The package of each, in Debian.
    static let packages: [String: String] = {
        let root = #filePath.components(separatedBy: "/Sources/TestKits/")[0]
        guard let table = try? String(contentsOfFile: "\(root)/.ci/packages", encoding: .utf8)
        else { fatalError("\(root)/.ci/packages cannot be read") }
        var packages: [String: String] = [:]
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 2,
                !Set(words[1].split(separator: ",")).isDisjoint(with: ["given", "build", "test"])
            else { continue }
            for program in words[2...] { packages[program] = words[0] }
        }
        return packages
    }()

    /// What is not in the table of the programs that a command names; ours have paths.
    static func missing(in command: [String]) -> [String] {
        // These begin the command after `--`.
        let begins = ["setpriv", "nsenter", "env"].contains(command.first)
        let inner = begins ? command.drop { $0 != "--" }.dropFirst() : []
        let names = [command.first, inner.first].compactMap { $0 }
        return names.filter { name in
            let isDebian = ["/usr/", "/bin/", "/sbin/", "/lib/"].contains { name.hasPrefix($0) }
            guard isDebian || !name.contains("/") else { return false }
            return packages[name.components(separatedBy: "/").last ?? name] == nil
        }
    }
}
