/// What a person asks of the next look, in a file beside the status: `geofencectl sync` writes
/// it. One word or two a line.
package struct SyncRequest: Equatable, Sendable {
    /// Even if no look is due.
    package var isNow = false
    /// ``SetSum`` of the set that may be taken though many fences go.
    package var accepted: String?
    /// Nothing is to be stored.
    package var isDryRun = false
    /// No look, now or later, until another request.
    package var isPause = false

    package init() {}

    /// From the content of the file; unknown lines do nothing.
    package init(_ bytes: [UInt8]) {
        isNow = true
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "accept" where words.count == 2: accepted = String(words[1])
            case "dry-run": isDryRun = true
            case "pause": isPause = true
            default: continue
            }
        }
    }
}
