/// The gpsds that run on this machine, wherever they listen.
enum RunningGpsds {
    /// `port 4711 (process 123)`, the newest first.
    static var all: [String] {
        let names = (try? LocalFiles.names(in: "/proc").get()) ?? []
        return names.compactMap { UInt64($0) }.sorted(by: >).compactMap(text)
    }

    private static func text(_ process: UInt64) -> String? {
        let name = String(decoding: LocalFiles.bytes(of: "/proc/\(process)/comm"), as: UTF8.self)
        guard name == "gpsd\n" else { return nil }
        let line = LocalFiles.bytes(of: "/proc/\(process)/cmdline").split(separator: 0)
        let words = line.map { String(decoding: $0, as: UTF8.self) }
        let flag = words.firstIndex(of: "-S")
        let port = flag.flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
        let attached = words.first { $0.hasPrefix("-S") && $0.count > 2 }?.dropFirst(2)
        return "port \(port ?? attached.map(String.init) ?? "2947") (process \(process))"
    }
}
