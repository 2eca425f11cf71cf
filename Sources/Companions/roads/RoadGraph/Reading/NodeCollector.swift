/// The second pass: the positions of the nodes of roads, and the nodes that restrict.
final class NodeCollector: OSMVisitor {
    struct Node {
        let id: Int64
        /// In the list of ids.
        let index: Int
        let timestamp: Int64
        let tags: Tags
    }

    private(set) var nodes: [Node] = []
    var report: (Double) -> Void = { _ in }

    override func object(_ object: Object) {
        let tags = object.tags.filter { $0.key.isLimit || $0.key == .barrier }
        guard tags.keys.contains(where: \.isLimit) || tags[.barrier] == "height_restrictor" else {
            return
        }
        nodes.append(
            Node(id: object.id, index: object.index, timestamp: object.timestamp, tags: tags))
    }

    override func progress(_ share: Double) { report(share) }
}
