import Bytes
import Model
import Schedules

// The hours of fences, with the time zones of this machine.
extension HourBook {
    /// What is wrong with a fence, including its time zone; nil for a valid one.
    func flaw(_ fence: Fence, wasStored: Bool = false) -> String? {
        if let flaw = FenceRules.flaw(fence, wasStored: wasStored) { return flaw }
        guard fence.hasTerms else { return nil }
        do throws(HourFlaw) {
            _ = try hours(fence.terms.active, timezone: fence.terms.timezone)
            return nil
        } catch {
            return error.description
        }
    }

    /// The hours of a stored fence; nil for always. Without its time zone a fence cannot be judged.
    func hours(of fence: Fence) throws(DamagedRecord) -> OpeningHours? {
        do throws(HourFlaw) {
            return try hours(fence.terms.active, timezone: fence.terms.timezone)
        } catch {
            throw DamagedRecord()
        }
    }
}
