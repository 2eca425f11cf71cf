import Alerting
import Systemd
import Testing

@MainActor
@Suite("what keeps warnings away is said once") struct StateReminderTests {
    private func properties(_ degraded: String...) -> [String: BusValue] {
        ["Degraded": .strings(degraded)]
    }

    @Test("lost fences, each time that they are lost")
    func lost() {
        var reminder = StateReminder(units: AlertUnits.metric)
        let said = "Fences have been lost. Low bridges may not be known."
        #expect(reminder.line(properties()) == nil)
        #expect(reminder.line(properties("fences-lost")) == said)
        #expect(reminder.line(properties("fences-lost", "journal")) == nil)
        #expect(reminder.line(properties("journal")) == nil)
        #expect(reminder.line(properties("fences-lost")) == said)
    }
}
