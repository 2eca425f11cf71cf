import Glibc

/// A clock of the kernel now, ns.
func clock(_ id: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(id, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// Elapsed and processor time of a piece of work, s.
struct Stopwatch {
    private let wall = clock(CLOCK_MONOTONIC)
    private let processor = clock(CLOCK_PROCESS_CPUTIME_ID)

    var seconds: Double { Double(clock(CLOCK_MONOTONIC) - wall) / 1e9 }
    var processorSeconds: Double { Double(clock(CLOCK_PROCESS_CPUTIME_ID) - processor) / 1e9 }
}

/// How long single operations took.
struct Latencies {
    private var nanoseconds: [Int64] = []

    var count: Int { nanoseconds.count }

    mutating func measure<Value>(_ work: () throws -> Value) rethrows -> Value {
        let begin = clock(CLOCK_MONOTONIC)
        defer { add(since: begin) }
        return try work()
    }

    mutating func add(since begin: Int64) { nanoseconds.append(clock(CLOCK_MONOTONIC) - begin) }

    /// `NAME_p50_us`, `_p99_us` and `_max_us`.
    func report(_ name: String) {
        let sorted = nanoseconds.sorted()
        func at(_ share: Double) -> Double {
            guard !sorted.isEmpty else { return .nan }
            let index = min(Int(Double(sorted.count) * share), sorted.count - 1)
            return Double(sorted[index]) / 1000
        }
        say("\(name)_p50_us", at(0.5))
        say("\(name)_p99_us", at(0.99))
        say("\(name)_max_us", at(1))
    }
}
