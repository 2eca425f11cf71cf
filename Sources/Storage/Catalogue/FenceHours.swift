import Bytes
import Engine
import Schedules

// The hours of fences: which time zones there are is a matter of the box.
extension HourBook {
    /// What is wrong with a fence, its time zone among it; nil for a good one.
    func flaw(_ fence: Fence) -> String? {
        if let flaw = FenceRules.flaw(fence) { return flaw }
        guard fence.hasTerms else { return nil }
        do throws(HourFlaw) {
            _ = try hours(fence.terms.active, timezone: fence.terms.timezone)
            return nil
        } catch {
            return error.description
        }
    }

    /// Those of a stored fence; nil for always. A fence whose time zone is gone cannot be judged.
    func hours(of fence: Fence) throws(DamagedRecord) -> OpeningHours? {
        do throws(HourFlaw) {
            return try hours(fence.terms.active, timezone: fence.terms.timezone)
        } catch {
            throw DamagedRecord()
        }
    }
}
