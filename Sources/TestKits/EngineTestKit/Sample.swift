/// How many of the cases are tried where there are very many of a kind: all of them with
/// optimization, and a sample in debug, where they take ten times as long.
package enum Sample {
    #if DEBUG
        /// Every so many-th case; odd, so that what alternates is met as well.
        package static let step = 3
    #else
        package static let step = 1
    #endif

    /// Those that are tried.
    package static func of<Case>(_ cases: [Case]) -> [Case] {
        stride(from: 0, to: cases.count, by: step).map { cases[$0] }
    }
}
