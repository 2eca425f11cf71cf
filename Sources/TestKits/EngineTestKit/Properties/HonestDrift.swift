import Glibc

/// The fixes of a receiver in a parked vehicle: anywhere within the error that it states, drifting
/// as receivers do.
struct HonestDrift {
    private enum Kind: CaseIterable { case white, walk, periodic, rim }
    private enum Error: CaseIterable { case constant, slow, jumping }

    private var random: SeededRandom
    private let kind: Kind
    private let error: Error
    private let level: Double
    private let period: Double
    private let direction: Double
    /// Within the unit disc.
    private var place = (east: 0.0, north: 0.0)
    private var stated: Double

    init(_ random: SeededRandom) {
        self.random = random
        kind = Kind.allCases[self.random.integer(0..<4)]
        error = Error.allCases[self.random.integer(0..<3)]
        level = [3, 5, 15, 40, 100][self.random.integer(0..<5)]
        period = [40, 300, 4000, 43_200][self.random.integer(0..<4)]
        direction = self.random.uniform(0...6.28)
        stated = level
    }

    var story: String { "\(kind) drift of period \(period) s, \(error) error of \(level) m" }

    mutating func step(to seconds: Double) -> (east: Double, north: Double, error: Double) {
        switch error {
        case .constant: break
        case .slow: stated = 51.5 + 48.5 * sin(seconds / (period * 3.7))
        case .jumping where random.chance(0.03):
            stated = [3, 10, 30, 60, 100][random.integer(0..<5)]
        case .jumping: break
        }
        switch kind {
        case .white:
            let (angle, radius) = (random.uniform(0...6.2832), random.unit().squareRoot())
            place = (radius * sin(angle), radius * cos(angle))
        case .walk:
            place.east += 0.05 * random.normal()
            place.north += 0.05 * random.normal()
            let length = (place.east * place.east + place.north * place.north).squareRoot()
            if length > 1 { place = (place.east / length, place.north / length) }
        case .periodic:
            let swing = sin(seconds * 2 * .pi / period)
            place = (swing * sin(direction), swing * cos(direction))
        case .rim:
            let angle = seconds * 2 * .pi / period
            place = (sin(angle), cos(angle))
        }
        // A thousandth less, because scenarios are made on a sphere and not on the ellipsoid.
        let scale = 0.99 * stated
        return (place.east * scale, place.north * scale, stated)
    }
}
