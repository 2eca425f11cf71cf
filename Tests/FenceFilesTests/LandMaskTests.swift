import Geodesy
import Testing

@testable import FenceFiles

@Suite("the coarse map of land and sea")
struct LandMaskTests {
    @Test(
        "cells are where they are",
        arguments: [
            (48.1, 11.6, true), (-33.9, 18.6, true), (39.7, -105, true), (-25, 135, true),
            (35, -40, false), (0, -30, false), (-40, 80, false), (20, -160, false),
            (90, 180, false), (-90, -180, true), (90, -180, false), (-90, 180, true),
            (91, 0, false), (0, 181, false), (.nan, 0, false), (0, .infinity, false),
        ])
    func cells(_ latitude: Double, _ longitude: Double, _ isLand: Bool) {
        let position = Coordinate(latitude: latitude, longitude: longitude)
        #expect(LandMask.hasLand(position) == isLand)
    }

    @Test("every cell can be asked, and somewhat more than a third of them have land")
    func everyCell() {
        var count = 0
        for latitude in -90..<90 {
            for longitude in -180..<180 {
                let position = Coordinate(
                    latitude: Double(latitude) + 0.5, longitude: Double(longitude) + 0.5)
                if LandMask.hasLand(position) { count += 1 }
            }
        }
        // Cells are small at the poles, where the Antarctic is.
        #expect((22_000...26_000).contains(count))
    }
}
