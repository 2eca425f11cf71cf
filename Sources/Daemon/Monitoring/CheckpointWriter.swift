import Law
import Storage

/// Keeps the checkpoint of delivery and engine in the runtime directory: written completely when
/// something happens, and by additions while reports change only the engine.
@MainActor
final class CheckpointWriter {
    private enum Content {
        /// Includes everything that the engine has processed and that was announced.
        case current
        /// Of an earlier moment, or empty.
        case old
    }

    /// Nil in a replay, and if the directory cannot be used.
    private let file: CheckpointFile?
    /// A checkpoint belongs to one boot; the file may outlive it if no runtime directory was
    /// configured.
    private let bootID: [UInt8]
    private var content = Content.old

    init(_ file: CheckpointFile?, bootID: String?) {
        self.file = bootID == nil ? nil : file
        self.bootID = Array((bootID ?? "").utf8)
    }

    /// Where records wait that cannot be committed; nil if there is no file.
    var pendingRecords: PendingRecordsFile? { file?.pendingRecords }

    /// Nothing needs to be written.
    var isCurrent: Bool { file == nil || content == .current }

    /// The checkpoint of the previous process.
    func read() -> DeliveryCheckpoint? {
        file?.read().flatMap { DeliveryCheckpoint($0, bootID: bootID) }
    }

    /// The engine has processed an input that is not passed to ``add(_:_:)``.
    func becomeOld() { content = .old }

    enum Outcome {
        case written, tooLarge
        /// There is no file, or nothing to write.
        case nothing
    }

    /// Writes it completely.
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

    /// Adds to a current checkpoint: a commit has ended, or the engine has processed this report,
    /// which was uneventful. False if it must be written completely.
    func add(
        _ position: DeliveryCheckpoint.Position, _ report: EngineCheckpoint.Report?
    ) -> Bool {
        guard let file, content == .current else { return false }
        let fits = file.add { DeliveryCheckpoint.writeAddition(position, report, to: &$0) }
        if !fits { content = .old }
        return fits
    }

    /// The engine's checkpoint for the log, where it is stored if there is no file. A replay, which
    /// belongs to no boot, has no checkpoint.
    func bytes(of engine: Engine) -> [UInt8]? { bootID.isEmpty ? nil : engine.checkpointBytes }
}
