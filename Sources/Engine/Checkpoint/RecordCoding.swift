package import Bytes
import Geodesy
import Time

// A record that waits for the disk, as bytes: it waits in a file that survives a kill.
extension EventRecord {
    /// Raised with every change of the layout; a later version is not read. Version 1 had no
    /// approaches, version 2 no evidence.
    private static let version: UInt32 = 3

    /// The record in its stored layout, which `init(bytes:)` reads.
    package var bytes: [UInt8] { ByteWriter.bytes { write(to: &$0) } }

    /// Writes ``bytes``.
    package func write(to writer: inout ByteWriter) {
        writer.write(Self.version)
        writer.write(events) { $0.write($1) }
        writer.write(opened) { $0.write($1) }
        writer.write(closed) { $0.write($1) }
        writer.write(known)
        writer.write(positionLost)
    }

    package init?(bytes: [UInt8]) {
        guard let record = bytes.withByteView({ Self(bytes: $0) }) else { return nil }
        self = record
    }

    /// Nil where the bytes are not a record of this version.
    package init?(bytes: ByteView) {
        var reader = ByteReader(bytes)
        do {
            let version = try reader.read(UInt32.self)
            guard (1...Self.version).contains(version) else { return nil }
            self.init(
                events: try reader.readList { try $0.readEvent(version) },
                opened: try reader.readList { try $0.readStay(version) },
                closed: try reader.readList { try $0.readString() }, known: try reader.read(),
                positionLost: try reader.readBool())
        } catch {
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ event: Event) {
        write(event.kind.rawValue)
        write(event.fence) { $0.write($1) }
        write(event.title)
        write(event.time)
        write(event.fixTime)
        write(event.presence) { $0.write($1.rawValue) }
        write(event.inferred)
        write(event.reason) { $0.write($1.rawValue) }
        for value in [event.distance, event.error, event.speed, event.course] {
            write(value) { $0.write($1) }
        }
        write(event.coordinate) { $0.write($1) }
        write(event.stay) { $0.write($1.nanoseconds) }
        write(event.announced)
        write(event.metadata)
        write(event.approach) { $0.write($1) }
        write(event.evidence) { $0.write($1) }
    }

    fileprivate mutating func write(_ stay: OpenStay) {
        write(stay.fence)
        write(stay.added)
        write(stay.began)
        write(stay.dwellTold)
        write(stay.stage) { $0.write($1.rawValue) }
    }
}

extension ByteReader {
    fileprivate mutating func readEvent(_ version: UInt32) throws -> Event {
        guard let kind = EventKind(rawValue: try read()) else { throw DamagedRecord() }
        return Event(
            kind: kind, fence: try readOptional { try $0.readString() }, title: try readString(),
            time: try readTime(), fixTime: try readTime(),
            presence: try readOptional { reader in
                guard let presence = Presence(rawValue: try reader.read()) else {
                    throw DamagedRecord()
                }
                return presence
            }, inferred: try readBool(), reason: try readOptional { try $0.readReason() },
            distance: try readOptional { try $0.readDouble() },
            error: try readOptional { try $0.readDouble() },
            speed: try readOptional { try $0.readDouble() },
            course: try readOptional { try $0.readDouble() },
            coordinate: try readOptional { try $0.readCoordinate() },
            stay: try readOptional { TimeSpan(nanoseconds: try $0.read()) },
            announced: try readBool(), metadata: try readString(),
            approach: version > 1 ? try readOptional { try $0.readDetails() } : nil,
            evidence: version > 2 ? try readOptional { try $0.readEvidence() } : nil)
    }

    fileprivate mutating func readStay(_ version: UInt32) throws -> OpenStay {
        OpenStay(
            fence: try readString(), added: try read(), began: try readTime(),
            dwellTold: try readBool(),
            stage: version > 1 ? try readOptional { try $0.readCase() } : nil)
    }
}
