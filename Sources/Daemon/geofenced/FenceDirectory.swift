import Bytes
import Files
import Model

/// Tells a file that was removed from a directory that is not the one it was: moved away, replaced
/// by a copy, mounted over, or empty at the start. Only a file that was seen in the very directory
/// that is there now is gone when it is missing; the fences of any other are kept.
@MainActor
final class FenceDirectory {
    /// The files, and what has become of those that have fences and are not among them.
    struct Look {
        var names: [String]
        /// Removed, and their fences go with them.
        var gone: [String] = []
        /// Missing; their fences stay.
        var kept: [String] = []
    }

    /// The last look: nil before the first; of no directory without an identity.
    private var last: (identity: Directory.Identity?, names: Set<ExactText>)?

    /// - Parameter known: the files that have fences in the catalogue.
    func look(
        at files: FenceFiles, known: [String]
    ) throws(UnreadableDirectory) -> Look {
        let (names, identity) = try files.listing()
        let present = Set(exactly: names)
        var look = Look(names: names)
        for name in known where !present.contains(name) {
            let isGone =
                if let last {
                    identity != nil && identity == last.identity && last.names.contains(name)
                } else {
                    // Removed while nobody looked; but nobody removes all of them.
                    !names.isEmpty
                }
            if isGone {
                look.gone.append(name)
            } else {
                look.kept.append(name)
            }
        }
        last = (identity, present)
        return look
    }
}
