import Geodesy
import Law
package import Model
import Time

/// How many passes through small fences on a driven road give no event: the measure of section 7.
///
/// A pass is a run of the path of accepted fixes inside a fence (d ≤ 0), from its crossing inwards
/// to its crossing outwards with no gap between; it is heard when a stay overlaps it. Runs along a
/// boundary caused by a parked vehicle's drift count like all others.
package struct UnheardPasses: CustomStringConvertible {
    /// Of circles with a radius in this range, m.
    package struct Class {
        package let radii: ClosedRange<Double>
        package var passes = 0
        package var unheard = 0

        package var share: Double { passes == 0 ? 0 : Double(unheard) / Double(passes) }
    }

    package private(set) var classes = [15.0...30, 30...50, 50...100].map { Class(radii: $0) }
    /// Unheard, and no longer than the least error that the rule of the path could ask for.
    package private(set) var grazes = 0

    package init() {}

    package var passes: Int { classes.map(\.passes).reduce(0, +) }
    package var unheard: Int { classes.map(\.unheard).reduce(0, +) }
    package var share: Double { passes == 0 ? 0 : Double(unheard) / Double(passes) }

    package var description: String {
        func percent(_ share: Double) -> String {
            let thousandths = Int((share * 1000).rounded())
            return "\(thousandths / 10).\(thousandths % 10) %"
        }
        let parts = classes.map {
            "\(Int($0.radii.lowerBound))–\(Int($0.radii.upperBound)) m: \(percent($0.share)) of "
                + "\($0.passes)"
        }
        return
            "\(percent(share)) of \(passes) passes unheard, \(grazes) of \(unheard) shorter than "
            + "15 m (" + parts.joined(separator: ", ") + ")"
    }

    /// Drives through circles of 15 to 100 m, scattered on the road: their centres lie up to
    /// `aside` metres off a point of the driven path.
    package mutating func measure(
        _ reports: [PositionReport], circles: Int, aside: Double = 10, seed: UInt64
    ) {
        let path = Self.path(reports)
        guard path.count > 10 else { return }
        var random = SeededRandom(seed: seed)
        var fences: [Fence] = []
        for index in 0..<circles {
            let place = random.integer(1..<path.count)
            let point = path[place].segment?.point(at: random.unit()) ?? path[place].point
            let center = point.coordinate
                .moved(by: aside * random.unit().squareRoot(), toward: random.uniform(0...360))
            let radius = random.uniform(15...100)
            guard let area = try? Area(.circle(center: center, radius: radius)) else { continue }
            fences.append(Fence(id: "\(index)", area: area))
        }
        let stays = Self.stays(reports, fences)
        for fence in fences {
            guard let area = fence.area, let radius = area.inradii.first,
                let kind = classes.firstIndex(where: { $0.radii.contains(radius) })
            else { continue }
            for run in Self.runs(path, area) {
                classes[kind].passes += 1
                let isHeard =
                    stays[fence.id]?.contains { $0.from <= run.end && $0.to >= run.start } ?? false
                guard !isHeard else { continue }
                classes[kind].unheard += 1
                if run.length < 15 { grazes += 1 }
            }
        }
    }

    private struct Step {
        var time: UTCTime
        var point: SurfacePoint
        /// From the previous step; nil across gaps and where a new path begins.
        var segment: PathSegment?
    }

    private struct Run {
        var start: UTCTime
        var end: UTCTime
        var length: Double
    }

    private struct Stay {
        var from: UTCTime
        var to: UTCTime
    }

    /// The path of accepted fixes.
    private static func path(_ reports: [PositionReport]) -> [Step] {
        var replay = Replay(store: MemoryFenceStore()) { _ in }
        var settings = GateSettings()
        settings.arrivalIsDerived = true
        var gates = Gates(settings: settings)
        var path: [Step] = []
        let gap = WaySettings().pathGap
        for report in reports {
            _ = replay.handle(report)
            switch gates.judge(report, at: replay.now) {
            case .refused, .repeated, .held: break
            case .accepted:
                guard let standing = gates.last else { break }
                let segment = path.last.flatMap { last in
                    standing.fix.time - last.time <= gap
                        ? PathSegment(from: last.point, to: standing.point) : nil
                }
                path.append(
                    Step(time: standing.fix.time, point: standing.point, segment: segment))
            case .released(let standings, _, _):
                for (index, standing) in standings.enumerated() {
                    let segment =
                        index == 0
                        ? nil : path.last.map { PathSegment(from: $0.point, to: standing.point) }
                    path.append(
                        Step(time: standing.fix.time, point: standing.point, segment: segment))
                }
            }
        }
        return path
    }

    /// Complete runs; a run cut by a gap is left out.
    private static func runs(_ path: [Step], _ area: Area) -> [Run] {
        var runs: [Run] = []
        var open: Run?
        var isInside: Bool?
        for (before, step) in zip(path, path.dropFirst()) {
            guard let segment = step.segment else {
                (open, isInside) = (nil, nil)
                continue
            }
            var inside = isInside ?? area.contains(segment.start)
            var from = 0.0
            for fraction in area.crossings(of: segment) {
                let time =
                    before.time + .seconds((step.time - before.time).seconds * fraction)
                if inside {
                    open?.length += (fraction - from) * segment.length
                    open?.end = time
                    if let open { runs.append(open) }
                    open = nil
                } else {
                    open = Run(start: time, end: time, length: 0)
                }
                inside.toggle()
                from = fraction
            }
            if inside { open?.length += (1 - from) * segment.length }
            isInside = inside
        }
        return runs
    }

    private static func stays(
        _ reports: [PositionReport], _ fences: [Fence]
    ) -> [String: [Stay]] {
        var replay = Replay(store: MemoryFenceStore(fences)) { _ in }
        var stays: [String: [Stay]] = [:]
        for report in reports {
            for logged in replay.handle(report) {
                guard let fence = logged.event.fence else { continue }
                switch logged.event.kind {
                case .enter, .initial:
                    let end = UTCTime(nanoseconds: .max)
                    stays[fence, default: []].append(Stay(from: logged.event.time, to: end))
                case .exit:
                    guard let last = stays[fence]?.indices.last else { continue }
                    stays[fence]?[last].to = logged.event.time
                default: break
                }
            }
        }
        return stays
    }
}
