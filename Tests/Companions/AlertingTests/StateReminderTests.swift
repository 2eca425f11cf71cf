import Alerting
import Sentences
import Systemd
import Testing

@MainActor
@Suite("what keeps warnings away is said once") struct StateReminderTests {
    private func properties(_ degraded: String...) -> [String: BusValue] {
        ["Degraded": .strings(degraded)]
    }

    @Test("lost fences, each time that they are lost")
    func lost() {
        var reminder = StateReminder()
        let said = "Fences have been lost. Low bridges may not be known."
        #expect(reminder.text(properties()) == nil)
        #expect(reminder.text(properties("fences-lost"))?(.log) == said)
        #expect(reminder.text(properties("fences-lost", "journal")) == nil)
        #expect(reminder.text(properties("journal")) == nil)
        #expect(reminder.text(properties("fences-lost"))?(.log) == said)
    }
}
