import Geofence1
import Glibc
import Model
import Monitoring
import Systemd

extension ManagerService {
    func importMethods() -> [BusMethod] {
        [
            method(.importFences) { service, call, arguments in
                do throws(BusError) {
                    try service.importFences(call, arguments)
                } catch { call.fail(error) }
            }
        ]
    }

    /// Flag 1: fences from the bus that are not in the file are removed.
    private func importFences(_ call: BusCall, _ arguments: [BusValue]) throws(BusError) {
        guard let flags = arguments[2].asUInt64, flags <= 1 else {
            throw .invalid("flags: only 1 (replace) is known")
        }
        try beginImport(
            call, descriptor: arguments[0], format: arguments[1],
            ImportRequest(isReplacing: flags == 1))
    }

    /// Begins to read from the descriptor; the call is answered at the end.
    func beginImport(
        _ call: BusCall, descriptor: BusValue, format: BusValue, _ request: ImportRequest
    ) throws(BusError) {
        let format = format.asString ?? ""
        guard ["", "auto", "geojson", "csv", "gpx", "kml", "kmz"].contains(format) else {
            throw .invalid(
                "format \"\(format.echoed())\" is not known: geojson, csv, gpx, kml, kmz or empty")
        }
        guard let lent = descriptor.asFileDescriptor else { throw .invalid("no descriptor") }
        let client = try clients.client(call.sender)
        let own: Int32
        do throws(SystemError) {
            own = try call.message.duplicate(lent)
        } catch { throw BusError(error) }
        imports.add(call, client, own, request)
    }
}
