/// In which directions a way may be driven; forward is the order of its nodes.
package enum OneWay: UInt8, Sendable {
    case both, forward, backward
}

/// Who may drive on a way.
package enum RoadAccess: UInt8, Sendable {
    case open
    /// Private, for customers, or closed: nobody passes through.
    case limited
}

/// Where a way lies relative to the ground.
package enum RoadStructure: UInt8, Sendable {
    case ground, bridge, tunnel
}

/// A way of the extract that is a road.
package struct RoadWay: Sendable {
    /// Its OpenStreetMap id.
    package let id: Int64
    /// How important it is.
    package let roadClass: RoadClass
    /// In which directions it may be driven.
    package let oneWay: OneWay
    /// Who may drive there.
    package let access: RoadAccess
    /// Bridge, tunnel or neither.
    package let structure: RoadStructure
    /// The `layer`, -5...5.
    package let layer: Int8
    /// Usual speed, m/s: the signed one, else that of its class.
    package let speed: Float
    /// Into the names of the network; 0: it has none.
    let name: Int32
    let reference: Int32
    /// When it was last changed, seconds since 1970; 0: unknown.
    package let timestamp: Int64
}
