import FenceSync
import Testing

@Suite struct SyncScheduleTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var triedAt: Int64
        var failures = 0
        var notBefore: Int64 = 0
        var isDue: Bool
    }

    static let cases = [
        Case(testDescription: "never looked", triedAt: 0, isDue: true),
        Case(testDescription: "just looked", triedAt: 9_990, isDue: false),
        Case(testDescription: "long ago", triedAt: 9_000, isDue: true),
        Case(testDescription: "in the future: the clock was set", triedAt: 20_000, isDue: true),
        Case(
            testDescription: "failed, waiting", triedAt: 9_990, failures: 1, notBefore: 10_050,
            isDue: false),
        Case(
            testDescription: "failed, waited", triedAt: 9_900, failures: 1, notBefore: 9_960,
            isDue: true),
        Case(
            testDescription: "a wait that no failure sets", triedAt: 9_900, failures: 1,
            notBefore: 99_999, isDue: true),
    ]

    @Test("A look is due after EverySec=, or after the wait of a failure", arguments: cases)
    func due(_ given: Case) {
        var state = SourceState()
        state.triedAt = given.triedAt
        state.failures = given.failures
        state.notBefore = given.notBefore
        #expect(SyncSchedule.isDue(state, every: 900, now: 10_000) == given.isDue)
    }

    @Test(
        "The next look is told: after EverySec=, after the wait of a failure or a kill, never while paused"
    )
    func next() {
        var state = SourceState()
        state.triedAt = 10_000
        #expect(SyncSchedule.next(state, every: 900) == 10_900)
        state.noteDeath(now: 10_000, chance: 1)
        #expect(state.nextAt == 10_060 && SyncSchedule.next(state, every: 900) == 10_060)
    }

    @Test("Waits double up to ten minutes, an hour for credentials, and obey the server")
    func waits() {
        var failure = SyncFailure(.noNetwork, "")
        #expect(
            [1, 2, 3, 4, 5, 100].map { SyncSchedule.wait(after: $0, failure, chance: 1) }
                == [60, 120, 240, 480, 600, 600])
        #expect(SyncSchedule.wait(after: 1, failure, chance: 0) == 30)
        failure.isAboutCredentials = true
        #expect(SyncSchedule.wait(after: 100, failure, chance: 1) == 3600)
        failure.retryAfter = 1800
        #expect(SyncSchedule.wait(after: 1, failure, chance: 0) == 1800)
        failure.retryAfter = 2
        #expect(SyncSchedule.wait(after: 1, failure, chance: 0) == 30)
    }

    @Test(
        "What the server asks for is the wait, however often it was in vain",
        arguments: [
            (0, 1, 2), (2, 2, 3), (1200, 1200, 1320), (3599, 3599, 3600), (9999, 3600, 3600),
        ])
    func asked(_ seconds: Int, _ least: Int64, _ most: Int64) {
        var failure = SyncFailure(.refused, "")
        failure.retryAfter = seconds
        for failures in [1, 2, 9] {
            #expect(SyncSchedule.wait(after: failures, failure, chance: 0) == least)
            #expect(SyncSchedule.wait(after: failures, failure, chance: 1) == most)
        }
    }
}
