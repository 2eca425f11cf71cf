package import Law
package import Model
import Time
package import VehicleBus

/// A recorded vehicle network, as candump writes it with -L: `(1436509052.249713) can0 18FEF100#…`,
/// gzipped or not. Of several interfaces the first counts.
package enum MotionFile {
    /// The greatest number of lines: at a thousand a second, more than half a day.
    package static let mostLines = 50_000_000

    /// What the vehicle said of its motion, in the order of the file, as `geofenced-can` would have
    /// told it.
    /// - Throws: ``TrackError`` if it cannot be read, for the first line that is not one of candump,
    ///   and where nothing in it says how the vehicle moves.
    package static func read(
        path: String, _ language: CANProtocol = .auto
    ) throws(TrackError) -> [ReplayMotion] {
        var found: [ReplayMotion] = []
        var decoder = VehicleDecoder(language)
        var interface: String?
        // A frame that is dated before the one in front of it came after it all the same.
        var now = Uptime(nanoseconds: .min)
        try TrackFile.forEachLine(of: path, longest: CandumpLine.longest, most: mostLines) {
            bytes, number throws(TrackError) in
            guard bytes.contains(where: { $0 > 0x20 }) else { return }
            let line: CandumpLine
            do throws(CandumpLine.Flaw) { line = try CandumpLine(bytes) } catch {
                throw TrackError(error.reason, path: path, line: number)
            }
            interface = interface ?? line.interface
            guard line.interface == interface, let frame = line.frame else { return }
            now = max(now, Uptime(nanoseconds: line.time.nanoseconds))
            guard decoder.take(frame, at: now), let motion = decoder.due(at: now) else { return }
            found.append(ReplayMotion(time: line.time, motion: VehicleMotion(motion)))
        }
        guard !found.isEmpty else {
            throw TrackError("nothing in it says how fast the vehicle is", path: path)
        }
        return found
    }
}

extension VehicleMotion {
    /// As the daemon gets it.
    package init(_ motion: BusMotion) {
        self.init(
            speed: motion.speed, isStanding: motion.isStanding, odometer: motion.odometer,
            odometerSource: motion.odometerSource)
    }
}
