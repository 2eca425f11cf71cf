import Engine
import Storage

// Unsafe: an array's own bytes are copied within the call.

/// What the runtime directory remembers of a process: how far the numbers had come, what waits for
/// the disk, and the engine's state of the moment after that.
struct DeliveryCheckpoint {
    /// How far delivery had come.
    struct Position {
        /// Announced up to this number.
        var announced: UInt64
        /// Of the last event that was committed.
        var lastSeq: UInt64
        /// What waits to be committed after that number, oldest first; then ``DeliveryCheckpoint/ahead``.
        var waiting: PendingRecordsFile.Mark
    }

    var position: Position
    /// What was about to be committed: it was, or it was not.
    var ahead: EventRecord?
    var engine: EngineCheckpoint
}

extension DeliveryCheckpoint {
    /// For the memory file. `bootID`: a memory is of one boot; the file may outlive it where no
    /// runtime directory was given.
    static func write(
        _ position: Position, ahead: EventRecord?, _ engine: Engine, bootID: [UInt8],
        to writer: inout ByteWriter
    ) {
        unsafe bootID.withUnsafeBytes { unsafe writer.write(raw: $0) }
        writer.write(position)
        let record = ahead?.bytes ?? []
        writer.write(UInt32(record.count))
        unsafe record.withUnsafeBytes { unsafe writer.write(raw: $0) }
        engine.writeMemory(to: &writer)
    }

    /// To be added to it: what was about to be committed has come to its end, and the engine has
    /// taken at most this report.
    static func writeAddition(
        _ position: Position, _ report: EngineCheckpoint.Report?, to writer: inout ByteWriter
    ) {
        writer.write(position)
        if let report { writer.write(report) }
    }

    /// Nil for a memory of another boot, and for what is none.
    init?(_ content: CheckpointFile.Content, bootID: [UInt8]) {
        guard content.bytes.starts(with: bootID) else { return nil }
        var reader = ByteReader(content.bytes.dropFirst(bootID.count))
        do {
            position = try reader.readPosition()
            let record = try reader.readRaw(Int(try reader.read(UInt32.self)))
            ahead = EventRecord(bytes: record)
            guard record.isEmpty == (ahead == nil),
                let engine = EngineCheckpoint(bytes: reader.remainder)
            else { return nil }
            self.engine = engine
            for addition in content.additions {
                var reader = ByteReader(addition)
                position = try reader.readPosition()
                ahead = nil
                if !reader.isAtEnd { self.engine.reports.append(try reader.readReport()) }
            }
        } catch {
            return nil
        }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ position: DeliveryCheckpoint.Position) {
        write(position.announced)
        write(position.lastSeq)
        write(position.waiting.file)
        write(position.waiting.length)
    }
}

extension ByteReader {
    fileprivate mutating func readPosition() throws -> DeliveryCheckpoint.Position {
        DeliveryCheckpoint.Position(
            announced: try read(), lastSeq: try read(),
            waiting: PendingRecordsFile.Mark(file: try read(), length: try read()))
    }
}
