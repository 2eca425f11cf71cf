import RoadGraph
import SystemTestKit

/// Roads on a plane of metres around 49° N, 8° E, as an OpenStreetMap file.
struct Town {
    private var nodes: [(id: Int, east: Double, north: Double, tags: [String: String])] = []
    private var ways: [(id: Int, nodes: [Int], tags: [String: String])] = []
    private var relations: [String] = []

    /// Ids count from 1.
    mutating func node(_ east: Double, _ north: Double, _ tags: [String: String] = [:]) -> Int {
        nodes.append((nodes.count + 1, east, north, tags))
        return nodes.count
    }

    /// A way over nodes, which may be missing; ids count from 101.
    @discardableResult
    mutating func road(_ points: [Int], _ tags: [String: String] = [:]) -> Int {
        let id = 101 + ways.count
        ways.append((id, points, tags.merging(["highway": "residential"]) { own, _ in own }))
        return id
    }

    mutating func restriction(_ kind: String, from: Int, via: Int, to: Int) {
        relations.append(
            """
            <relation id="\(relations.count + 1)" version="1">
            <member type="way" ref="\(from)" role="from"/>
            <member type="node" ref="\(via)" role="via"/>
            <member type="way" ref="\(to)" role="to"/>
            <tag k="type" v="restriction"/><tag k="restriction" v="\(kind)"/>
            </relation>
            """)
    }

    private func text(_ tags: [String: String]) -> String {
        tags.sorted { $0.key < $1.key }.map { key, value in
            let escaped = value.map { $0 == "\"" ? "&quot;" : String($0) }.joined()
            return "<tag k=\"\(key)\" v=\"\(escaped)\"/>"
        }.joined()
    }

    var xml: String {
        var text = "<osm version=\"0.6\">\n"
        for node in nodes {
            let latitude = 49 + node.north / 111_200
            let longitude = 8 + node.east / 73_000
            text += """
                <node id="\(node.id)" version="1" lat="\(latitude)" lon="\(longitude)">\
                \(self.text(node.tags))</node>

                """
        }
        for way in ways {
            let refs = way.nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
            text += "<way id=\"\(way.id)\" version=\"1\">\(refs)\(self.text(way.tags))</way>\n"
        }
        return text + relations.joined(separator: "\n") + "</osm>\n"
    }

    /// Writes the file, and reads it.
    func extract() throws -> Extract {
        let directory = TemporaryDirectory()
        let path = directory.file("town.osm")
        TestData.write(Array(xml.utf8), to: path)
        return try Extract.read([path])
    }

    /// The approaches of all hazards, by the id of the hazard.
    func approaches(_ settings: TreeSettings = TreeSettings()) throws -> [String: Approach] {
        let extract = try extract()
        let grid = RoadGrid(extract.network)
        let hazards = HazardFinder(extract, HazardOptions()).hazards
        var approaches: [String: Approach] = [:]
        for kind in LimitKind.allCases {
            let own = hazards.filter { $0.limit.kind == kind }
                .sorted { $0.limit.rank < $1.limit.rank }
            var builder = ApproachBuilder(extract.network, grid, hazards: own, settings: settings)
            for hazard in own { approaches[hazard.id] = builder.approach(to: hazard) }
        }
        return approaches
    }
}
