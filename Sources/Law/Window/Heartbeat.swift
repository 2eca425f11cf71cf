import Bytes
import Geodesy
import Model
import Time

/// The significant change: section 4 of the law.
struct Heartbeat: Hashable, Sendable {
    /// Where the last one was.
    var point: SurfacePoint?
    /// When it last re-centred the window.
    var lastRecenter: Uptime?
    /// It should have, and the store failed.
    var isOverdue = false

    /// Takes a judged fix; whether it is so far from the last one that this is another.
    @inline(__always)
    mutating func note(_ point: SurfacePoint, every distance: Double) -> Bool {
        if let last = self.point, last.distance(to: point) < distance { return false }
        self.point = point
        return true
    }

    /// The window has been composed again.
    mutating func recentered(for reason: WindowReason, at now: Uptime) {
        if reason == .heartbeat { lastRecenter = now }
        isOverdue = false
    }
}

extension Heartbeat: ByteCoded {
    func write(to writer: inout ByteWriter) {
        writer.write(point?.coordinate) { $0.write($1) }
        writer.write(lastRecenter) { $0.write($1) }
        writer.write(isOverdue)
    }

    init(from reader: inout ByteReader) throws {
        point = try reader.readOptional { SurfacePoint(try $0.readCoordinate()) }
        lastRecenter = try reader.readOptional { try $0.readUptime() }
        isOverdue = try reader.readBool()
    }
}
