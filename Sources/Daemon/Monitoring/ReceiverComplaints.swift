import Geodesy
import Law
import Model
import Time

/// What is remembered of what the receiver has brought.
struct ReceiverKeeper {
    /// When it last complained of what is present.
    var complaints: [Trouble: Uptime] = [:]
    /// The arrival of the last report: the next cannot be earlier.
    var lastArrival = Uptime(nanoseconds: .min)
    /// The position that was last saved, and when.
    var saved: (coordinate: SurfacePoint, at: Uptime)?
}

// What the receiver says against its own positions, as gpsd passes it on.
extension MonitoringService {
    /// Not every report says it: it ends when none has for as long as after which a position is
    /// lost.
    func noteComplaints(of report: PositionReport, at arrival: Uptime) {
        let gates = tracker.engine.settings.gates
        if report.jam > gates.jamLimit {
            receiver.complaints[.jammed] = arrival
            troubles.begin(.jammed, "the receiver says \(report.jam) of 255")
        }
        if let fault = report.antenna {
            receiver.complaints[.antenna] = arrival
            troubles.begin(.antenna, fault == .short ? "a short circuit" : "none is connected")
        }
        if report.isTimedByArrival {
            receiver.complaints[.noReceiverTime] = arrival
            troubles.begin(.noReceiverTime, "that of the arrival of its fixes stands for it")
        }
        for (trouble, last) in receiver.complaints where arrival - last > gates.lostAfter {
            receiver.complaints[trouble] = nil
            troubles.end(trouble)
        }
    }
}
