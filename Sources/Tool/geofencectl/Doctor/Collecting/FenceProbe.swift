import BusClient
import Configuration
import FenceFiles
import Files
import Geodesy
import Geofence1
import Glibc
import Model
import Schedules
import Settings
import Systemd
import Time

/// Asks the daemon for its fences, and looks at the administrator's files.
@MainActor
struct FenceProbe {
    let settings: Settings
    /// Where the files are.
    let directory: String

    /// A larger file is read by the daemon alone, bytes.
    private static let largest = 16 << 20
    /// Names that look like fences.
    private static let endings = ["json", "geojson", "csv", "kml", "kmz", "gpx", "gz", "zip"]

    /// What the files say, without the daemon.
    /// - Parameter user: that the daemon runs as; nil if that is not known.
    func look(_ user: ProcessUser?) -> FenceEvidence {
        var evidence = FenceEvidence()
        evidence.directory = directory
        if let refusal = user?.refusal(of: directory) {
            evidence.unreadableFiles = [refusal]
            return evidence
        }
        switch LocalFiles.names(in: directory) {
        case .failure(let reason):
            // Without the directory there are no such files.
            if reason.code != ENOENT { evidence.directoryFailure = reason.description }
        case .success(let names):
            for name in names {
                if name.hasSuffix(".geojson") || name.hasSuffix(".csv") {
                    evidence.files += 1
                    if let refusal = user?.refusal(of: "\(directory)/\(name)") {
                        evidence.unreadableFiles.append(refusal)
                        continue
                    }
                    evidence.fileProblems += problems(of: "\(directory)/\(name)")
                } else if let ending = name.split(separator: ".").last,
                    Self.endings.contains(ending.lowercased())
                {
                    evidence.ignoredFiles.append(name)
                }
            }
        }
        return evidence
    }

    private func problems(of path: String) -> [String] {
        guard let status = try? LocalFiles.status(of: path).get(), status.st_size <= Self.largest
        else { return [] }
        let options = FenceFileReader.Options(
            refusesTwins: true, limit: settings.importLimit)
        do throws(FenceFileProblem) {
            let reader = try FenceFileReader(path: path, options: options)
            var problems: [String] = []
            while let entry = reader.nextEntry(), problems.count < 100 {
                if case .refused(let problem) = entry { problems.append(problem.description) }
            }
            return problems
        } catch { return [error.description] }
    }

    /// Adds what the daemon knows; what the caller may not read stays away.
    func ask(_ client: DaemonClient, _ status: DaemonStatus, into evidence: inout FenceEvidence) {
        let answer = (try? client.call(.listOrigins))?.first?.asArray ?? []
        evidence.origins = answer.compactMap(\.asNamed).map { name, details in
            .init(
                name: name, fences: details["fences"]?.asUInt64 ?? 0,
                accepted: details["lost"]?.asUInt64 ?? details["count"]?.asUInt64)
        }
        evidence.haveAllExpired = haveAllExpired(client, status)
        guard let position = status.position else { return }
        let here = position.coordinate
        guard let nearest = nearest(client, here, position.error) else { return }
        evidence.isSearched = true
        guard let (id, distance) = nearest else { return }
        evidence.nearest = describe(client, id, distance, status)
        guard distance > 1000, here.longitude.magnitude <= 90 else { return }
        let swapped = Coordinate(latitude: here.longitude, longitude: here.latitude)
        evidence.swapped = self.nearest(client, swapped, position.error)??.distance
    }

    /// Whether there are fences, and the term of each is over; false where that is not asked for.
    private func haveAllExpired(_ client: DaemonClient, _ status: DaemonStatus) -> Bool {
        guard (1...Self.mostAsked).contains(status[.fenceCount]) else { return false }
        let time =
            status.position?.time ?? UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        var live = 0
        var expired = 0
        do {
            try client.forEachPage { page in
                for known in page {
                    let end = UTCTime(iso8601: known.fence.terms.expires)
                    if let end, time >= end { expired += 1 } else { live += 1 }
                }
                // One is enough.
                if live > 0 { throw EndOfSearch() }
            }
        } catch { return false }
        return live == 0 && expired > 0
    }

    private struct EndOfSearch: Error {}
    /// Of more not every fence is looked at.
    private static let mostAsked: UInt64 = 10_000

    /// Nil if it cannot be asked; nil inside if there is no fence.
    private func nearest(
        _ client: DaemonClient, _ place: Coordinate, _ error: Double
    ) -> (id: String, distance: Double)?? {
        let arguments: [BusValue] = [
            .double(place.latitude), .double(place.longitude), .double(error),
        ]
        guard let answer = try? client.call(.evaluateAt, arguments) else { return nil }
        guard let first = [ToldRegion](bus: answer).first, let distance = first.distance else {
            return .some(nil)
        }
        return .some((first.id, distance))
    }

    private func describe(
        _ client: DaemonClient, _ id: String, _ distance: Double, _ status: DaemonStatus
    ) -> FenceEvidence.Near {
        var near = FenceEvidence.Near()
        near.name = id
        near.distance = distance
        guard let fence = try? client.fence(id).fence else { return near }
        if !fence.title.isEmpty { near.name += " (\(fence.title))" }
        near.tellsEntry = fence.notifyOnEntry
        near.tellsExit = fence.notifyOnExit
        near.fit = status.vehicle?.fit(fence)?.name
        let terms = fence.terms
        let time = status.position?.time ?? UTCTime(nanoseconds: 0)
        if let end = UTCTime(iso8601: terms.expires), time >= end {
            near.isOpen = false
            near.hours = "until \(terms.expires)"
        } else if !terms.active.isEmpty {
            near.hours = terms.active + (terms.timezone.isEmpty ? "" : " (\(terms.timezone))")
            let hours = try? settings.hourBook.hours(
                terms.active, timezone: terms.timezone)
            near.isOpen = hours?.isOpen(at: time) ?? true
        }
        return near
    }
}
