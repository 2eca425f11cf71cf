package import Time

/// How many stays or trips, how long, how far.
package struct StayTotal {
    /// How many were added.
    package private(set) var count = 0
    /// Of all that are known.
    package private(set) var length = TimeSpan.zero
    /// Of all that are known.
    package private(set) var metres = StayMetres.unknown

    package init() {}

    /// Adds one; a length that is not known adds nothing.
    package mutating func add(_ length: TimeSpan?, _ metres: StayMetres) {
        count += 1
        self.length = self.length + (length ?? .zero)
        self.metres += metres
    }

    /// Adds all of another one.
    package static func += (total: inout StayTotal, more: StayTotal) {
        total.count += more.count
        total.length = total.length + more.length
        total.metres += more.metres
    }

    /// `1 visit`, `3 visits`.
    package func text(of one: String) -> String { "\(count) \(one)\(count == 1 ? "" : "s")" }
}
