package import Geodesy
import JSON

/// Fetches the fences around the vehicle, and adds those of the former looks that lie elsewhere:
/// the way back may be offline.
@MainActor
package struct NearbyFetch {
    private let settings: SourceSettings
    private let web: WebFetcher
    private let directory: String
    private let uptime: @MainActor () -> Double

    /// Asked for at least, m: then the server has more than fits, whatever is asked.
    private static let nearest = 1000.0

    /// Where the vehicle is.
    package struct Place: Sendable {
        /// Of the last accepted fix.
        package var coordinate: Coordinate
        /// 95 % radius, m.
        package var error: Double

        package init(coordinate: Coordinate, error: Double) {
            self.coordinate = coordinate
            self.error = error
        }
    }

    /// - Parameters:
    ///   - directory: for what is fetched.
    ///   - uptime: a clock that does not step, s.
    package init(
        _ settings: SourceSettings, _ web: WebFetcher, directory: String,
        uptime: @escaping @MainActor () -> Double
    ) {
        self.settings = settings
        self.web = web
        self.directory = directory
        self.uptime = uptime
    }

    /// All fences around `place`, half as far as often as they are too many; then those of `former`
    /// that lie elsewhere, until the limit is reached.
    /// - Parameters:
    ///   - former: the set that is in the catalogue; nil if there is none.
    ///   - spool: gets the metafence and a line for each fence.
    /// - Throws: ``SyncFailure``; what was fetched until then is worth nothing.
    package func run(
        _ state: SourceState, at place: Place, former: StoredSet?, into spool: SpoolFile
    ) throws(SyncFailure) -> FetchedSet {
        let began = uptime()
        var reach = min(settings.nearby.reach, SourceSettings.Nearby.farthest)
        while true {
            let area = AskedArea(
                latitude: place.coordinate.latitude, longitude: place.coordinate.longitude,
                reach: reach, settings.nearby)
            let answer = try SpoolFile(in: directory)
            var fetch = SourceFetch(settings, web, into: answer)
            do throws(SyncFailure) {
                let set = try fetch.run(state, around: area)
                let metafence = Metafence(
                    latitude: place.coordinate.latitude, longitude: place.coordinate.longitude,
                    radius: Metafence.radius(
                        reach: reach, fetching: uptime() - began, error: place.error))
                return try merged(set, answer, fetch.has, former, area, metafence, into: spool)
            } catch {
                guard error.state == .overLimit, reach > Self.nearest else { throw error }
                reach = max(reach / 2, Self.nearest)
                web.renewBudget()
            }
        }
    }

    private func merged(
        _ set: FetchedSet, _ answer: SpoolFile, _ isAnswered: (String) -> Bool,
        _ former: StoredSet?, _ area: AskedArea, _ metafence: Metafence, into spool: SpoolFile
    ) throws(SyncFailure) -> FetchedSet {
        var set = set
        set.ownLines = 1
        set.isMoved = true
        try spool.write(metafence.line(of: settings.origin))
        try FenceSet.forEachLine(answer) { line, _ throws(SyncFailure) in try spool.write(line) }
        guard let former else { return set }
        var (here, gone, evicted) = (0, 0, 0)
        try FenceSet.forEachLine(former) { line, feature throws(SyncFailure) in
            if let old = Metafence(feature, of: settings.origin) {
                let place = Coordinate(
                    latitude: metafence.latitude, longitude: metafence.longitude)
                set.isMoved = old.depth(of: place) < metafence.radius / 2
                return
            }
            let isHere = area.contains(feature["geometry"] ?? .null)
            if isHere { here += 1 }
            guard !isAnswered(feature["id"]?.string ?? "") else { return }
            if isHere {
                gone += 1
            } else if set.count >= settings.maxFences {
                // The lines are in the order in which they were last confirmed.
                evicted += 1
            } else {
                set.count += 1
                set.sum.add(line)
                try spool.write(line)
            }
        }
        let isTooMany = gone > here * settings.maxRemovePercent / 100
        set.mostRemoved = isTooMany ? 0 : gone + evicted
        return set
    }
}
