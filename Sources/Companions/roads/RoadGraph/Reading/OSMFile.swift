import COSM
import Files
import Glibc

// Unsafe: what a callback is given lives as long as its call, and is copied; the visitor outlives
// the pass, which ends before `run` returns; the arrays of positions are as long as the list of ids.

/// What a pass over a file passes on.
class OSMVisitor {
    /// A way or a node. `nodes` of a way: ids; `index` of a node: its place in the list of ids.
    struct Object {
        let id: Int64
        let timestamp: Int64
        let version: UInt32
        let tags: Tags
        let nodes: [Int64]
        let index: Int
    }

    struct Restriction {
        let kind: String
        let except: String
        let from: Int64
        let via: Int64
        let to: Int64
    }

    func object(_ object: Object) {}
    func restriction(_ restriction: Restriction) {}
    /// Degrees.
    func box(west: Double, south: Double, east: Double, north: Double) {}
    /// Of this file, 0...1.
    func progress(_ share: Double) {}
}

/// A file of OpenStreetMap data: `.osm.pbf`, `.osm`, `.osm.gz` or `.osm.bz2`.
struct OSMFile {
    let path: String

    /// Passes on the ways that have a required tag, turn restrictions and the box.
    func readWays(_ visitor: OSMVisitor) throws(ExtractError) {
        try check()
        try unsafe run(visitor, required: TagKey.required) { pass, error, size in
            unsafe cosm_read_ways(path, pass, error, size)
        }
    }

    /// Fills in the positions (1e-7 degrees) of nodes that are `Int32.max`, and passes on those
    /// nodes that have tags.
    /// - Parameter ids: ascending, no two the same; as many as positions.
    func readNodes(
        _ ids: [Int64], longitudes: inout [Int32], latitudes: inout [Int32], _ visitor: OSMVisitor
    ) throws(ExtractError) {
        precondition(ids.count == longitudes.count && ids.count == latitudes.count)
        try unsafe run(visitor, required: 0) { pass, error, size in
            unsafe longitudes.withUnsafeMutableBufferPointer { longitudes in
                unsafe latitudes.withUnsafeMutableBufferPointer { latitudes in
                    unsafe ids.withUnsafeBufferPointer { ids in
                        unsafe cosm_read_nodes(
                            path, pass, ids.baseAddress, ids.count, longitudes.baseAddress,
                            latitudes.baseAddress, error, size)
                    }
                }
            }
        }
    }

    /// libosmium would hand an address to curl, and reads a directory as an empty file.
    private func check() throws(ExtractError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw ExtractError(path: path, reason: Errno.last.description)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ExtractError(path: path, reason: "not a regular file")
        }
        let endings = [".osm.pbf", ".pbf", ".osm", ".osm.gz", ".osm.bz2"]
        let isAddress = path.split(separator: "/", omittingEmptySubsequences: false).first?
            .hasSuffix(":")
        guard endings.contains(where: { path.hasSuffix($0) }), isAddress != true else {
            throw ExtractError(
                path: path, reason: "not a name that ends in .osm.pbf, .osm, .osm.gz or .osm.bz2")
        }
    }

    private typealias Body = (
        UnsafePointer<cosm_pass>, UnsafeMutablePointer<CChar>, Int
    ) -> Int32

    private func run(_ visitor: OSMVisitor, required: Int, _ body: Body) throws(ExtractError) {
        var error = [CChar](repeating: 0, count: 1000)
        let keys = unsafe TagKey.all.map { unsafe strdup($0.rawValue) }
        defer { for index in unsafe keys.indices { unsafe free(keys[index]) } }
        let constant = unsafe keys.map { unsafe UnsafePointer($0) }
        let status = unsafe constant.withUnsafeBufferPointer { keys in
            var pass = unsafe cosm_pass(
                context: Unmanaged.passUnretained(visitor).toOpaque(), keys: keys.baseAddress,
                key_count: keys.count, required: required, object: passObject,
                restriction: passRestriction, box: passBox, progress: passProgress)
            return withExtendedLifetime(visitor) {
                unsafe body(&pass, &error, error.count)
            }
        }
        guard status == 0 else {
            let text = error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw ExtractError(path: path, reason: String(decoding: text, as: UTF8.self))
        }
    }
}

private func visitor(_ context: UnsafeMutableRawPointer?) -> OSMVisitor? {
    unsafe context.map {
        unsafe Unmanaged<OSMVisitor>.fromOpaque($0).takeUnretainedValue()
    }
}

private func passObject(_ context: UnsafeMutableRawPointer?, _ given: UnsafePointer<cosm_object>?) {
    guard let given = unsafe given?.pointee else { return }
    var tags: Tags = [:]
    let count = unsafe given.tag_count
    for index in 0..<count {
        guard let tag = unsafe given.tags?[index], let value = unsafe tag.value else { continue }
        let text = unsafe String(cString: value)
        let number = unsafe Int(tag.key)
        let key = TagKey.all[number]
        tags[key] = text.utf8.count > 1000 ? String(text.prefix(250)) : text
    }
    let nodes = unsafe UnsafeBufferPointer(start: given.nodes, count: given.node_count)
    unsafe visitor(context)?.object(
        OSMVisitor.Object(
            id: given.id, timestamp: given.timestamp, version: given.version, tags: tags,
            nodes: Array(nodes), index: given.index))
}

private func passRestriction(
    _ context: UnsafeMutableRawPointer?, _ given: UnsafePointer<cosm_restriction>?
) {
    guard let given = unsafe given?.pointee else { return }
    unsafe visitor(context)?.restriction(
        OSMVisitor.Restriction(
            kind: String(cString: given.kind), except: String(cString: given.except),
            from: given.from, via: given.via, to: given.to))
}

private func passBox(
    _ context: UnsafeMutableRawPointer?, _ west: Double, _ south: Double, _ east: Double,
    _ north: Double
) {
    unsafe visitor(context)?.box(west: west, south: south, east: east, north: north)
}

private func passProgress(_ context: UnsafeMutableRawPointer?, _ done: UInt64, _ total: UInt64) {
    unsafe visitor(context)?.progress(total > 0 ? min(Double(done) / Double(total), 1) : 0)
}
