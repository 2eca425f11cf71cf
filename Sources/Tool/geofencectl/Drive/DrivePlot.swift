import Geodesy
import Model

/// The signed distance to one fence along a part of a drive.
struct DrivePlot {
    /// Index of the first fix.
    var from: Int
    /// m, one for each fix from there on.
    var distances: [Double]

    /// Fixes to either side of the one that proved an event.
    static let reach = 24

    /// The fixes around that one.
    init(_ record: DriveRecord, _ fence: Fence, around fix: Int, reach: Int = reach) {
        let last = min(record.fixes.count - 1, fix + reach)
        self.init(record, fence, max(0, min(fix - reach, last))...max(0, last))
    }

    /// These fixes.
    init(_ record: DriveRecord, _ fence: Fence, _ range: ClosedRange<Int>) {
        from = range.lowerBound
        guard let area = fence.area else {
            distances = []
            return
        }
        distances = range.filter { record.fixes.indices.contains($0) }.map {
            area.signedDistance(to: SurfacePoint(record.fixes[$0].coordinate))
        }
    }
}
