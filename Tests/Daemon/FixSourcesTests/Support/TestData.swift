import Compression
import Foundation

@testable import FixSources

/// The folder `Data` beside the tests.
let dataFolder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Data")

/// The path of a data file.
func dataPath(_ name: String) -> String { dataFolder.appending(path: name).path }

/// The bytes of a data file, uncompressed.
func data(_ name: String) throws -> [UInt8] {
    let file = try GzipFile(path: dataPath(name))
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = try file.read(into: &buffer)
        if count == 0 { return all }
        all += buffer[..<count]
    }
}

/// A folder that is deleted with its owner.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "geofence-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and gives its path.
    func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        let file = url.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }
}

/// A seeded generator, so that a failure can be repeated.
struct Splitmix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
