/// Parts of a conninfo string, see "Connection Strings" of libpq.
package enum ConnectionText {
    /// What is put after a conninfo string for a password of any characters.
    package static func password(_ secret: String) -> String {
        " password='\(secret.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined())'"
    }
}
