/// Why the program stops, shown as `geofenced-roads: what is wrong: where`.
struct Failure: Error, Hashable {
    /// 1: it failed; 2: wrong usage.
    let status: Int32
    let reason: String

    init(_ reason: String) { (status, self.reason) = (1, reason) }

    /// A mistake on the command line.
    static func usage(_ reason: String) -> Failure { Failure(status: 2, reason: reason) }

    private init(status: Int32, reason: String) { (self.status, self.reason) = (status, reason) }
}
