import Bytes
import Files
import Geodesy
import Glibc
import Law
import Model
import Time

// Unsafe: unlink(2) takes a path of ours.

/// How things stand, once more: beside the log, of which it outlives the loss. The line of the route, which
/// may be long and seldom changes, is in a file of its own.
///
/// Everything is a section: later versions append to these, and sections behind them.
final class SecondFile {
    /// Of a store's directory.
    static let names = ["events.second", "events.second.route"]
    private static let head = Array("geofenced second 1\n".utf8)
    /// A file of ours is far below.
    private static let mostBytes = 8 << 20

    private let path: String
    private let routePath: String
    /// The route whose line is in its file; nil if that is not known, 0 if there is none.
    private(set) var route: UInt64?

    init(directory: String) {
        path = "\(directory)/\(Self.names[0])"
        routePath = "\(directory)/\(Self.names[1])"
    }

    /// Removes both from the directory of a store.
    static func remove(from directory: String) {
        for name in names { unsafe unlink("\(directory)/\(name)") }
    }

    /// Nil if there is none that can be read.
    func read() -> LogStanding? {
        guard let bytes = Self.contents(of: path), let standing = try? Self.standing(bytes) else {
            return nil
        }
        guard let stored = standing.route?.stored else { return standing }
        let line = Self.contents(of: routePath).flatMap { Self.line($0, of: stored.number) } ?? []
        var whole = standing
        whole.route?.stored.positions = line
        // One that has ended has none.
        if line.isEmpty, stored.progress.end == nil { whole.route = nil }
        return whole
    }

    /// There is one, and it cannot be read.
    var isDamaged: Bool { read() == nil && (try? OpenFile(path, O_RDONLY | O_NOFOLLOW)) != nil }

    /// Replaces what is there, durably.
    /// - Parameter erasing: nothing of what was there is to remain on the disk, as far as it is ours to say.
    func write(_ standing: LogStanding, erasing: Bool) throws(Errno) {
        let stored = standing.route?.stored
        let number = stored.map { $0.progress.end == nil ? $0.number : 0 } ?? 0
        if route != number {
            try Self.erase(routePath)
            if let stored, number > 0 {
                try Self.write(Self.bytes(of: stored), to: routePath)
            } else {
                unsafe unlink(routePath)
            }
            route = number
        }
        if erasing { try Self.erase(path) }
        try Self.write(Self.bytes(of: standing), to: path)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
        var content = head
        content += ByteWriter.bytes { $0.write(FNV1a.mixed(FNV1a.hash64(bytes))) }
        try Replacement.write(content + bytes, to: path)
    }

    /// Zeros in its place.
    private static func erase(_ path: String) throws(Errno) {
        guard let file = try? OpenFile(path, O_WRONLY | O_NOFOLLOW) else { return }
        let size = Int(try file.status().st_size)
        try file.write([UInt8](repeating: 0, count: min(size, mostBytes)), at: 0)
        try file.sync(metadata: false)
    }

    private static func contents(of path: String) -> [UInt8]? {
        let content = try? OpenFile.contents(of: path, limit: mostBytes, followsLinks: false)
        guard let content, content.starts(with: head) else { return nil }
        let rest = content.dropFirst(head.count)
        let bytes = Array(rest.dropFirst(8))
        let sum = try? Array(rest.prefix(8)).withByteView { view in
            var reader = ByteReader(view)
            return try reader.read(UInt64.self)
        }
        return sum == FNV1a.mixed(FNV1a.hash64(bytes)) ? bytes : nil
    }

    // MARK: Bytes

    private static func bytes(of route: StoredRoute) -> [UInt8] {
        ByteWriter.bytes { writer in
            writer.write(route.number)
            writer.write(EventLog.bytes(route.positions)) { $0.write($1) }
        }
    }

    private static func line(_ bytes: [UInt8], of number: UInt64) -> [Coordinate]? {
        try? bytes.withByteView { view in
            var reader = ByteReader(view)
            guard try reader.read(UInt64.self) == number else { return nil }
            return EventLog.positions(try reader.readList { try $0.read(UInt8.self) })
        }
    }

    private static func bytes(of standing: LogStanding) -> [UInt8] {
        var record = EventRecord(
            events: [], opened: standing.stays, closed: [], known: standing.known,
            positionLost: standing.isPositionLost)
        record.fencesLost = standing.areFencesLost
        record.vehicle = standing.vehicle
        record.spent = standing.spent
        record.driven = standing.driven
        return ByteWriter.bytes { writer in
            writer.writeSection { writer in
                writer.write(standing.last)
                writer.write(standing.log ?? "")
                writer.write(standing.announced.least)
                writer.write(standing.announced.further.sorted { $0.key < $1.key }) {
                    $0.write($1.key)
                    $0.write($1.value)
                }
                writer.write(standing.earlier) {
                    $0.write($1.last)
                    $0.write($1.id)
                }
                writer.write(standing.lost.spans) {
                    $0.write($1.lowerBound)
                    $0.write($1.upperBound)
                }
            }
            writer.writeSection { record.write(to: &$0) }
            writer.writeSection { writer in
                writer.write(standing.consumers ?? []) { writer, consumer in
                    writer.writeSection { writer in
                        writer.write(consumer.name)
                        writer.write(consumer.uid)
                        writer.write(consumer.acknowledged)
                        writer.write(consumer.options)
                    }
                }
            }
            writer.writeSection { writer in
                writer.write(standing.driver) { writer, driver in
                    writer.write(driver.number)
                    writer.write(driver.id)
                    writer.write(driver.firstSet.nanoseconds)
                    writer.write(driver.since.nanoseconds)
                    writer.write(driver.source.rawValue)
                }
                writer.write(standing.position) { writer, position in
                    writer.write(position.coordinate.latitude)
                    writer.write(position.coordinate.longitude)
                    writer.write(position.time.nanoseconds)
                }
            }
            writer.writeSection { writer in
                writer.write(standing.route) { writer, route in
                    writer.write(route.stored.number)
                    writer.write(route.stored.name)
                    writer.write(route.stored.setAt.nanoseconds)
                    writer.write(route.stored.isKept)
                    writer.write(route.bootID ?? "")
                    writer.write(route.stored.progress.bytes) { $0.write($1) }
                }
            }
        }
    }

    private static func standing(_ bytes: [UInt8]) throws -> LogStanding? {
        try bytes.withByteView { view in
            var reader = ByteReader(view)
            var part = ByteReader(try reader.readSection())
            let (last, log) = (try part.read(UInt64.self), try part.readString())
            let least = try part.read(UInt64.self)
            let further = try part.readList { (try $0.readString(), try $0.read(UInt64.self)) }
            let earlier = try part.readList {
                EarlierLog(last: try $0.read(), id: try $0.readString())
            }
            let spans = try part.readList { (try $0.read(UInt64.self), try $0.read(UInt64.self)) }
            guard let record = EventRecord(bytes: try reader.readSection()), last < 1 << 60,
                spans.allSatisfy({ $0.0 > 0 && $0.0 <= $0.1 && $0.1 < 1 << 60 })
            else { return nil }
            var standing = LogStanding(
                stays: record.opened, driven: record.driven ?? OdometerReading())
            standing.last = last
            standing.log = log.isEmpty ? nil : log
            standing.announced = SinkPositions(
                least: least, further: Dictionary(further) { max($0, $1) })
            standing.earlier = earlier
            standing.lost = LostNumbers(spans.map { $0.0...$0.1 })
            standing.known = record.known
            standing.isPositionLost = record.positionLost
            standing.areFencesLost = record.fencesLost ?? false
            standing.vehicle = record.vehicle
            standing.spent = record.spent
            part = ByteReader(try reader.readSection())
            standing.consumers = try part.readList { reader in
                var part = ByteReader(try reader.readSection())
                return Consumer(
                    name: try part.readString(), uid: try part.read(),
                    acknowledged: try part.read(), options: try part.readString())
            }
            part = ByteReader(try reader.readSection())
            standing.driver = try part.readOptional { reader in
                RecordedDriver(
                    number: try reader.read(), id: try reader.readString(),
                    firstSet: UTCTime(nanoseconds: try reader.read()),
                    since: UTCTime(nanoseconds: try reader.read()),
                    source: DriverSource(rawValue: try reader.readString()) ?? .call)
            }
            standing.position = try part.readOptional { reader in
                LastPosition(
                    coordinate: Coordinate(
                        latitude: try reader.readDouble(), longitude: try reader.readDouble()),
                    time: UTCTime(nanoseconds: try reader.read()))
            }
            part = ByteReader(try reader.readSection())
            standing.route = try part.readOptional { try readRoute(&$0) } ?? nil
            return standing
        }
    }

    private static func readRoute(
        _ reader: inout ByteReader
    ) throws -> (stored: StoredRoute, bootID: String?)? {
        let (number, name) = (try reader.read(UInt64.self), try reader.readString())
        let setAt = UTCTime(nanoseconds: try reader.read())
        let (isKept, bootID) = (try reader.readBool(), try reader.readString())
        let bytes = try reader.readList { try $0.read(UInt8.self) }
        guard let progress = RouteProgress(bytes: bytes) else { return nil }
        let stored = StoredRoute(
            number: number, name: name, setAt: setAt, isKept: isKept, positions: [],
            progress: progress)
        return (stored, bootID.isEmpty ? nil : bootID)
    }
}
