/// What `fleet.maintain()` of the schema and this program have to say alike: a test compares them.
enum Upkeep {
    /// At the end of what `fleet.maintain()` answers while something is left to do.
    static let waits = "; the rest waits for who reads or writes there for long"

    /// Who makes, drops, empties or fills partitions locks this row, which nobody but the owner of the schema
    /// may lock: the key of an advisory lock is anybody's who can connect.
    static let claim = "FROM fleet.identity FOR UPDATE"
}
