import FenceStores

/// What the runtime directory remembers of a process: the engine's state, what waits for the disk,
/// and how far the numbers had come.
struct DeliveryMemory {
    /// Announced up to this number.
    var announced: UInt64
    /// Of the last event that was committed.
    var lastSeq: UInt64
    /// What waits to be committed after that number.
    var waiting: WaitingFile.Mark
    /// ``EngineMemory/bytes``, of the moment after all that waits.
    var engine: [UInt8]
}

extension DeliveryMemory {
    private static let numbers = 8 + 8 + 8 + 1

    /// For the memory file. `bootID`: a memory is of one boot; the file may outlive it where no
    /// runtime directory was given.
    func bytes(bootID: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bootID.count + Self.numbers + engine.count)
        bytes += bootID
        for number in [announced, lastSeq, waiting.length] {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        bytes.append(waiting.file)
        bytes += engine
        return bytes
    }

    /// Nil for a memory of another boot, and for what is none.
    init?(bytes: [UInt8], bootID: [UInt8]) {
        guard bytes.starts(with: bootID), bytes.count >= bootID.count + Self.numbers else {
            return nil
        }
        let rest = bytes.dropFirst(bootID.count)
        let numbers = (0..<3).map { index in
            rest.dropFirst(8 * index).prefix(8).reversed().reduce(UInt64(0)) {
                $0 << 8 | UInt64($1)
            }
        }
        announced = numbers[0]
        lastSeq = numbers[1]
        waiting = WaitingFile.Mark(
            file: rest[rest.startIndex + Self.numbers - 1], length: numbers[2])
        engine = Array(rest.dropFirst(Self.numbers))
    }
}
