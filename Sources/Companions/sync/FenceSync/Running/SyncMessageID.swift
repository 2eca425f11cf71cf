/// MESSAGE_ID of the entries in the journal; each is explained in geofenced-sync.catalog.
package enum SyncMessageID: String, CaseIterable, Sendable {
    /// A new set is in the catalogue.
    case imported = "0d4f6b3f5c1e4a6a9d0b7d2f4a51c8e3"
    /// There is no new set, and the former one stays.
    case failed = "7be1c9a24f0d4c0f8f6f0a3d5b92e716"
    /// A set waits for a person's agreement.
    case held = "c2a97d1e83b64f1f9a4c6e05d7318bb4"
    /// The set that was given to the daemon is not there.
    case missing = "a3e9d1f07c5b4e28b6f4193c8d70e52a"
    /// Entries of a set are flawed.
    case flawed = "5f3c08d6b9a14b1e8c27e4f6a0d9317c"
}
