import Bytes
import Law
import Storage

// Unsafe: an array's own bytes are copied within the call.

/// What a killed process continues from: the positions of numbers and sinks, the pending records,
/// and the engine's state after these.
struct DeliveryCheckpoint {
    /// The position of delivery.
    struct Position {
        var announced: SinkPositions
        /// The number of the last committed event.
        var lastSeq: UInt64
        /// Records to be committed after that number, oldest first; followed by
        /// ``DeliveryCheckpoint/committing``.
        var pending: PendingRecordsFile.Mark
    }

    var position: Position
    /// A commit had begun: it may or may not be in the log.
    var committing: EventRecord?
    var engine: EngineCheckpoint
}

extension DeliveryCheckpoint {
    // From version 5 of the file on, everything is a section: later versions append to these, and
    // sections behind them, and what is known of them is read.

    /// For the file. `bootID`: a checkpoint belongs to one boot; the file may outlive it if no
    /// runtime directory was configured.
    static func write(
        _ position: Position, committing: EventRecord?, _ engine: Engine, bootID: [UInt8],
        to writer: inout ByteWriter
    ) {
        unsafe bootID.withUnsafeBytes { unsafe writer.write(raw: $0) }
        writer.writeSection { $0.write(position) }
        writer.writeSection { committing?.write(to: &$0) }
        writer.writeSection { engine.writeCheckpoint(to: &$0) }
    }

    /// To be added to it: the commit has ended, and the engine has processed at most this report.
    static func writeAddition(
        _ position: Position, _ report: EngineCheckpoint.Report?, to writer: inout ByteWriter
    ) {
        writer.writeSection { $0.write(position) }
        writer.writeSection { writer in
            if let report { writer.write(report) }
        }
    }

    /// Nil for a checkpoint of another boot, and for invalid bytes.
    init?(_ content: CheckpointFile.Content, bootID: [UInt8]) {
        guard content.bytes.starts(with: bootID),
            let checkpoint = content.bytes.withByteView({
                try? Self($0.part(from: bootID.count), version: content.version)
            })
        else { return nil }
        self = checkpoint
        for addition in content.additions {
            guard addition.withByteView({ (try? add($0, version: content.version)) != nil }) else {
                return nil
            }
        }
    }

    private init(_ bytes: ByteView, version: UInt8) throws {
        var reader = ByteReader(bytes)
        position = try reader.readPosition(version: version)
        let record = try reader.readSection()
        committing = EventRecord(bytes: record)
        guard record.isEmpty == (committing == nil),
            let engine = EngineCheckpoint(
                bytes: version > 4 ? try reader.readSection() : reader.rest)
        else { throw DamagedRecord() }
        self.engine = engine
    }

    private mutating func add(_ bytes: ByteView, version: UInt8) throws {
        var reader = ByteReader(bytes)
        position = try reader.readPosition(version: version)
        committing = nil
        var report = ByteReader(version > 4 ? try reader.readSection() : reader.rest)
        if !report.isAtEnd { engine.reports.append(try report.readReport()) }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ position: DeliveryCheckpoint.Position) {
        write(position.announced.least)
        write(position.lastSeq)
        write(position.pending.file)
        write(position.pending.length)
        write(UInt32(position.announced.further.count))
        for (sink, announced) in position.announced.further {
            write(sink)
            write(announced)
        }
    }
}

extension ByteReader {
    /// - Parameter version: of ``CheckpointFile/Content``.
    fileprivate mutating func readPosition(
        version: UInt8
    ) throws -> DeliveryCheckpoint.Position {
        if version > 4 {
            var reader = ByteReader(try readSection())
            return try reader.readPositionMembers(version: version)
        }
        return try readPositionMembers(version: version)
    }

    private mutating func readPositionMembers(
        version: UInt8
    ) throws -> DeliveryCheckpoint.Position {
        let (least, lastSeq): (UInt64, UInt64) = (try read(), try read())
        let mark = PendingRecordsFile.Mark(file: try read(), length: try read())
        var further: [String: UInt64] = [:]
        if version > 3 {
            for (sink, announced) in try readList({
                (try $0.readString(), try $0.read(UInt64.self))
            }) {
                further[sink] = announced
            }
        }
        return DeliveryCheckpoint.Position(
            announced: SinkPositions(least: least, further: further), lastSeq: lastSeq,
            pending: mark)
    }
}
