import FenceStores
import Fencing

/// What the runtime directory remembers of a process: how far the numbers had come, what waits for
/// the disk, and the engine's state of the moment after that.
struct DeliveryMemory {
    /// How far delivery had come.
    struct Position {
        /// Announced up to this number.
        var announced: UInt64
        /// Of the last event that was committed.
        var lastSeq: UInt64
        /// What waits to be committed after that number, oldest first; then ``DeliveryMemory/ahead``.
        var waiting: WaitingFile.Mark
    }

    var position: Position
    /// What was about to be committed: it was, or it was not.
    var ahead: EventRecord?
    /// ``EngineMemory`` as bytes.
    var engine: ArraySlice<UInt8>
}

extension DeliveryMemory {
    /// For the memory file. `bootID`: a memory is of one boot; the file may outlive it where no
    /// runtime directory was given. `regions`: see ``Engine/writeMemory(to:reusing:)``.
    static func write(
        _ position: Position, ahead: EventRecord?, _ engine: Engine, bootID: [UInt8],
        to writer: inout ByteWriter, reusing regions: inout WrittenRegions
    ) {
        bootID.withUnsafeBytes { writer.write(raw: $0) }
        writer.write(position.announced)
        writer.write(position.lastSeq)
        writer.write(position.waiting.file)
        writer.write(position.waiting.length)
        let record = ahead?.bytes ?? []
        writer.write(UInt32(record.count))
        record.withUnsafeBytes { writer.write(raw: $0) }
        engine.writeMemory(to: &writer, reusing: &regions)
    }

    /// Nil for a memory of another boot, and for what is none.
    init?(bytes: [UInt8], bootID: [UInt8]) {
        guard bytes.starts(with: bootID) else { return nil }
        var reader = ByteReader(bytes.dropFirst(bootID.count))
        do {
            position = Position(
                announced: try reader.read(), lastSeq: try reader.read(),
                waiting: WaitingFile.Mark(file: try reader.read(), length: try reader.read()))
            let record = try reader.readRaw(Int(try reader.read(UInt32.self)))
            ahead = EventRecord(bytes: record)
            guard record.isEmpty == (ahead == nil) else { return nil }
        } catch {
            return nil
        }
        engine = reader.remainder
    }
}
