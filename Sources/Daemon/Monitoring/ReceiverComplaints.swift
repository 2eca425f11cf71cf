import Law
import Model
import Time

// What the receiver says against its own positions, as gpsd passes it on.
extension MonitoringService {
    /// Not every report says it: it ends when none has for as long as after which a position is
    /// lost.
    func noteComplaints(of report: PositionReport, at arrival: Uptime) {
        let gates = tracker.engine.settings.gates
        if report.jam > gates.jamLimit {
            complaints[.jammed] = arrival
            troubles.begin(.jammed, "the receiver says \(report.jam) of 255")
        }
        if let fault = report.antenna {
            complaints[.antenna] = arrival
            troubles.begin(.antenna, fault == .short ? "a short circuit" : "none is connected")
        }
        for (trouble, last) in complaints where arrival - last > gates.lostAfter {
            complaints[trouble] = nil
            troubles.end(trouble)
        }
    }
}
