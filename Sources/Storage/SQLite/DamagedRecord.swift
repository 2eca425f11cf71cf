/// Stored bytes that no encoder of ours has written.
struct DamagedRecord: Error, CustomStringConvertible {
    var description: String { "not as it was written" }
}
