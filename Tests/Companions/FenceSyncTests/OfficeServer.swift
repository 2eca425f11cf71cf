import Foundation
import SystemTestKit
import Testing

/// A server of fences that others wrote, and the table behind it, which a test changes.
@MainActor
final class OfficeServer {
    /// What serves, and over what.
    enum Kind: String, CaseIterable, Sendable {
        /// pyslet over SQLite.
        case odata2
        /// A server of ours over SQLite, whose filters odata-query reads.
        case odata4
        /// pygeoapi over PostGIS.
        case postgis
        /// pygeoapi over a file.
        case file
        /// nginx.
        case document
        /// MapServer over a file.
        case wfs

        /// Requests that find out what the service speaks, once.
        var inquiries: Int { self == .odata2 || self == .odata4 ? 1 : 0 }

        /// Whether it gives the set in pages.
        var hasPages: Bool { self != .document }

        fileprivate var program: String {
            self == .postgis || self == .file ? "ogcapi" : rawValue
        }
    }

    let kind: Kind
    private let directory = TemporaryDirectory()
    private var server: Subprocess?
    private let port: String
    private let host: String

    /// Starts it with an empty table.
    /// - Parameters:
    ///   - page: entries in an answer, at most.
    ///   - option: of the program.
    init(_ kind: Kind, page: Int = 10, _ option: String? = nil) throws {
        self.kind = kind
        host = option?.contains("away") == true ? "127.0.0.2" : "127.0.0.1"
        let store = kind.program == "ogcapi" ? kind.rawValue : nil
        let server = Subprocess(
            [Self.python, Self.folder + kind.program, directory.path]
                + [kind.hasPages ? "\(page)" : nil, store, option].compactMap(\.self),
            environment: Self.environment)
        self.server = server
        let portFile = directory.file("port")
        try #require(
            waitUntil(seconds: 60) {
                server.hasEnded || FileManager.default.fileExists(atPath: portFile)
            })
        try #require(!server.hasEnded, "\(server.errorsSoFar)")
        port = try String(contentsOfFile: portFile, encoding: .utf8)
    }

    isolated deinit { stop() }

    /// From now on nobody listens there.
    func stop() {
        // PostgreSQL gives back what it has of the kernel.
        server?.signal(SIGTERM)
        _ = server?.wait(seconds: 10)
        server = nil
    }

    /// Entries `w00`, `w01` and so on: each 0.01° north and 1/64° west of the one before.
    func fill(_ count: Int, _ latitude: Double = 48, _ longitude: Double = 11) throws {
        try table("fill", "\(count)", "\(latitude)", "\(longitude)")
    }

    func setRadius(_ id: String, _ radius: Int) throws { try table("set", id, "\(radius)") }

    func remove(_ id: String) throws { try table("remove", id) }

    private func table(_ arguments: String...) throws {
        let run = try #require(
            Subprocess(
                [Self.python, Self.folder + "table", directory.path, kind.rawValue] + arguments,
                environment: Self.environment
            ).wait(seconds: 60))
        try #require(run.status == 0, "\(run.errors)")
    }

    /// Of a source, in the section [Source].
    var settings: String {
        let address = "http://\(host):\(port)"
        return switch kind {
        case .odata2: "URL=\(address)/sapgeo/SAPGeoService.xsodata\nEntitySet=GeoLocation"
        case .odata4: "URL=\(address)/svc\nEntitySet=GeoLocation"
        case .postgis, .file: "Type=ogcapi\nURL=\(address)\nCollection=fence"
        case .document: "Type=geojson\nURL=\(address)/fences.geojson"
        case .wfs:
            "Type=geojson\nPaging=startindex\nPageSize=10\nURL=\(address)/?map=FENCES&SERVICE=WFS"
                + "&VERSION=2.0.0&REQUEST=GetFeature&TYPENAMES=fence&OUTPUTFORMAT=geojson"
        }
    }

    /// Of a secure ``Kind/document``: files by the names of credentials.
    var credentials: String { directory.file("credentials") }

    /// Of a secure ``Kind/document``: the address of a path.
    func secureAddress(_ path: String, host: String = "localhost") -> String {
        "https://\(host):\(port)/\(path)"
    }

    /// Requests since the last call, as their paths; waits until there are as many as expected.
    func requests(_ expected: Int) -> [String] {
        // nginx writes its log after the answer.
        waitUntil { log.count >= told + expected }
        let all = log
        defer { told = all.count }
        return Array(all[told...])
    }

    private var told = 0

    private var log: [String] {
        let text = try? String(contentsOfFile: directory.file("log"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    private static let python = Need.servers.python
    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Servers/real/"
    private static let environment: [String: String?] = ["PYTHONDONTWRITEBYTECODE": "1"]
}
