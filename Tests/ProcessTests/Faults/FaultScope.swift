import Foundation

/// How much of the faults is tried.
enum FaultScope {
    /// All of them, as `make test-faults` does, which takes some twenty minutes; else a sample.
    static let isWhole = ProcessInfo.processInfo.environment["FAULTS"] != nil
}
