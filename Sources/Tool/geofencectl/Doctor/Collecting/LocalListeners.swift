import Glibc

/// Who listens for connections on this machine, in its name space of networks.
enum LocalListeners {
    /// How many connections wait there to be accepted; nil if nobody listens at that port.
    static func waiting(at port: UInt16) -> Int? {
        let counts = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { waiting(at: port, in: $0) }
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }

    /// Lines such as `0: 0100007F:0B83 00000000:0000 0A 00000000:00000000 …`: number, local and
    /// remote address, state, and the lengths of its queues (proc_net_tcp of the kernel). Of a socket
    /// that listens the second one has the connections.
    private static func waiting(at port: UInt16, in path: String) -> [Int] {
        LocalFiles.lines(of: path).compactMap { line in
            let words = line.split(separator: " ")
            guard words.count > 4, words[3] == "0A",
                let text = words[1].split(separator: ":").last, UInt16(text, radix: 16) == port
            else { return nil }
            return words[4].split(separator: ":").last.flatMap { Int($0, radix: 16) }
        }
    }
}
