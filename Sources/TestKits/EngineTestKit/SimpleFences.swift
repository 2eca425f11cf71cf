package import Geodesy
package import Model

/// A circle as a fence; degrees and m.
package func circle(
    _ id: String, _ latitude: Double, _ longitude: Double, radius: Double = 100,
    title: String = ""
) throws -> Fence {
    let center = Coordinate(latitude: latitude, longitude: longitude)
    return Fence(id: id, area: try Area(.circle(center: center, radius: radius)), title: title)
}

package func point(_ latitude: Double, _ longitude: Double) -> SurfacePoint {
    SurfacePoint(Coordinate(latitude: latitude, longitude: longitude))
}
