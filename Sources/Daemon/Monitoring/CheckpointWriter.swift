import Engine
import Storage

/// Keeps the checkpoint of delivery and engine in the runtime directory: written whole when something
/// happens, and by additions while reports change nothing but the engine.
@MainActor
final class CheckpointWriter {
    private enum Content {
        /// All that the engine has taken and all that was announced.
        case current
        /// Of an earlier moment, or nothing.
        case old
    }

    /// Nil where there is none: in a replay, and where the directory cannot be used.
    private let file: CheckpointFile?
    /// A checkpoint is of one boot; the file may outlive it where no runtime directory was given.
    private let bootID: [UInt8]
    private var content = Content.old

    init(_ file: CheckpointFile?, bootID: String?) {
        self.file = bootID == nil ? nil : file
        self.bootID = Array((bootID ?? "").utf8)
    }

    /// Where records wait that cannot be committed; nil where there is no file.
    var pendingRecords: PendingRecordsFile? { file?.pendingRecords }

    /// Nothing wants to be written.
    var isCurrent: Bool { file == nil || content == .current }

    /// What the process before this one has left.
    func read() -> DeliveryCheckpoint? {
        file?.read().flatMap { DeliveryCheckpoint($0, bootID: bootID) }
    }

    /// The engine has taken something that ``add(_:_:)`` is not told of.
    func becomeOld() { content = .old }

    enum Outcome {
        case written, tooLarge
        /// There is nowhere to write to, or nothing to write.
        case nothing
    }

    /// Writes it whole.
    @discardableResult
    func write(
        _ position: DeliveryCheckpoint.Position, _ engine: Engine, committing: EventRecord? = nil
    ) -> Outcome {
        guard let file, engine.hasCheckpoint else { return .nothing }
        let fits = file.write {
            DeliveryCheckpoint.write(
                position, committing: committing, engine, bootID: bootID, to: &$0)
        }
        content = fits ? .current : .old
        return fits ? .written : .tooLarge
    }

    /// Adds to one that is current: a commit has come to its end, or the engine has taken this
    /// report, which was uneventful. False where it has to be written whole.
    func add(
        _ position: DeliveryCheckpoint.Position, _ report: EngineCheckpoint.Report?
    ) -> Bool {
        guard let file, content == .current else { return false }
        let fits = file.add { DeliveryCheckpoint.writeAddition(position, report, to: &$0) }
        if !fits { content = .old }
        return fits
    }

    /// The engine's checkpoint for the log, where it is kept if no file has it. A replay, which is of
    /// no boot, goes on from none.
    func bytes(of engine: Engine) -> [UInt8]? { bootID.isEmpty ? nil : engine.checkpointBytes }
}
