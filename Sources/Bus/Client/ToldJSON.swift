import Formats
import Geofence1
import JSON
package import Model
package import Sentences
import Time

// Answers of the daemon as JSON, for programs that pass them on and know nothing of their members.

/// An event, ready to be passed on.
package struct ToldEvent: Equatable, Sendable {
    /// Its number in the log.
    package var seq: UInt64
    /// One JSON object, as `geofencectl --json events` writes it, but without metadata and driver.
    package var json: [UInt8]

    package init(seq: UInt64, json: [UInt8]) {
        self.seq = seq
        self.json = json
    }
}

extension EventLogPage {
    /// The events of this page. What the driver is told of a hazard is in a member `said`, too.
    /// - Parameter wording: of that member.
    package func told(_ wording: Wording = .log) -> [ToldEvent] {
        events.map { logged in
            var json = JSONWriter()
            var logged = logged
            logged.event.metadata = "{}"
            logged.driver = nil
            json.beginObject()
            EventJSON.writeMembers(of: logged, to: &json)
            if let approach = logged.event.approach {
                json.key("said")
                json.string(approach.text(of: logged.event.kind, as: wording))
            }
            json.endObject()
            return ToldEvent(seq: logged.seq, json: json.bytes)
        }
    }
}

extension CatalogueFence {
    /// One GeoJSON Feature without a newline, as `export` writes it, but without metadata; a hazard
    /// also has a member `fit`, `fits`, `breaks` or `unknown`, if the vehicle is known.
    package func feature(for vehicle: VehicleState?) -> String {
        var shown = fence
        shown.metadata = "{}"
        let feature = FenceFileWriter.feature(shown)
        guard let fit = vehicle?.fit(fence) else { return feature }
        return String(feature.dropLast()) + ",\"fit\":\"\(fit.name)\"}"
    }
}
