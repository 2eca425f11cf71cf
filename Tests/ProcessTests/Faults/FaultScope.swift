import Foundation

/// How many of the faults are tried.
enum FaultScope {
    /// All of them, as `make test-faults` does, which takes some twenty minutes; else a sample.
    static let isWhole = ProcessInfo.processInfo.environment["FAULTS"] != nil
}
