import Bytes
import Formats
import Model

/// Ids for the fences of a file without ids: derived from the content of each, so that the same
/// fence has the same id in the next version of the file, at any position. Further fences with the
/// same content are distinguished by a number.
struct MadeIDs {
    private var times: [UInt64: Int] = [:]
    private(set) var count = 0

    /// `fence-` and 16 hexadecimal digits.
    mutating func id(of fence: Fence) -> String {
        // From the Feature without its id.
        var nameless = fence
        nameless.id = ""
        let digest = FNV1a.hash64(FenceFileWriter.feature(nameless))
        count += 1
        let time = times[digest, default: 0] + 1
        times[digest] = time
        let digits = String(digest, radix: 16)
        let id = "fence-" + String(repeating: "0", count: 16 - digits.count) + digits
        return time == 1 ? id : "\(id)-\(time)"
    }
}
