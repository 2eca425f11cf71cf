import Bytes
import Model
import Schedules

// The hours of fences, with the time zones of this machine.
extension HourBook {
    /// What is wrong with a fence, including its time zone; nil for a valid one. One that was stored may
    /// have a time zone that this machine does not have: it is held.
    func flaw(_ fence: Fence, wasStored: Bool = false) -> String? {
        if let flaw = FenceRules.flaw(fence, wasStored: wasStored) { return flaw }
        guard fence.hasTerms else { return nil }
        do throws(HourFlaw) {
            if !wasStored, !fence.terms.timezone.isEmpty { _ = try zone(fence.terms.timezone) }
            _ = try hours(fence.terms.active, timezone: fence.terms.timezone)
            return nil
        } catch {
            return wasStored && error.zone != nil ? nil : error.description
        }
    }
}

extension Catalogue {
    /// The hours of a stored fence; nil for always. One whose time zone is not there is noted among those
    /// that are held; a hazard counts at all times then, for one warning too many is the lesser fault.
    /// - Throws: ``DamagedRecord`` if it cannot be judged.
    func hours(of fence: Fence) throws(DamagedRecord) -> OpeningHours? {
        do throws(HourFlaw) {
            return try hourBook.hours(fence.terms.active, timezone: fence.terms.timezone)
        } catch {
            guard let zone = error.zone else { throw DamagedRecord() }
            zoneless.note(fence, zone)
            if fence.approach != nil { return nil }
            throw DamagedRecord()
        }
    }

    /// Whether a time zone was asked for that the system does not have.
    package var lacksZones: Bool { !zoneless.isEmpty || hourBook.lacksZones }

    /// Zones that were not there may be by now.
    /// - Returns: whether one of them is: a fence that was held is not any more, or one that was refused
    ///   can be taken.
    package func lookForZones() -> Bool {
        let isFound = hourBook.lookAgain()
        let count = zoneless.fences.count
        zoneless.keep { _, held in (try? hourBook.zone(held.timezone)) == nil }
        guard zoneless.fences.count < count else { return isFound }
        // Hazards among them were decoded without their hours.
        forget()
        return true
    }

    /// A fence that was held may have been put again, or removed.
    func noteZones() {
        guard !zoneless.isEmpty else { return }
        var held = zoneless
        held.keep { id, held in
            // What cannot be asked now stays as it was.
            do { return try fence(id: id)?.fence.terms.timezone == held.timezone } catch {
                return true
            }
        }
        zoneless = held
    }

    /// Fences that are held since the system does not have their time zone, among those that have been
    /// asked for: names and zones, in words.
    package var zonelessNames: [String] {
        zoneless.fences.map { "\"\($0.key.id)\" (\($0.value.zone))" }.sorted()
    }
}

/// Fences that are there, and whose hours nobody knows: the system does not have their time zone. They
/// are in no answer to the engine, hazards excepted, and no event follows from that.
struct ZonelessFences {
    struct Held {
        /// As in the fence; empty for that of the machine.
        let timezone: String
        /// What was looked for.
        let zone: String
    }

    private(set) var fences: [FenceKey: Held] = [:]

    var isEmpty: Bool { fences.isEmpty }

    mutating func note(_ fence: Fence, _ zone: String) {
        fences[FenceKey(fence.id)] = Held(timezone: fence.terms.timezone, zone: zone)
    }

    func contains(_ id: String) -> Bool { !isEmpty && fences[FenceKey(id)] != nil }

    mutating func keep(where isHeld: (String, Held) -> Bool) {
        fences = fences.filter { isHeld($0.key.id, $0.value) }
    }
}
