import BusClient
import Languages
import Sentences
import Testing
import Time

@testable import Alerting

extension SpokenLine {
    /// The same in every language.
    init(_ text: String) { self.init(SoundSettings().wording) { _ in text } }
}

@Suite("What is said next")
struct AlertQueueTests {
    private let queue = Desk()

    /// The queue by reference.
    private final class Desk {
        private var queue = AlertQueue(SoundSettings().wording)
        var isIdle: Bool { queue.isIdle }
        func add(_ alert: SpokenAlert) -> Bool { queue.add(alert) }
        func next(at now: Uptime = .boot) -> AlertQueue.Utterance? { queue.next(at: now) }
        func ended(isStopped: Bool) -> AlertQueue.Utterance? { queue.ended(isStopped: isStopped) }
        func takeDone() -> [UInt64] { queue.takeDone() }
    }

    private func alert(
        _ seq: UInt64, _ stage: DriverAlert.Stage, _ hazard: String, at seconds: Double = 0,
        following: Int = 0, until: Double? = nil
    ) -> SpokenAlert {
        SpokenAlert(
            seq: seq, stage: stage, hazard: hazard, line: SpokenLine("\(stage.name) \(hazard)."),
            time: UTCTime(nanoseconds: 0) + .seconds(seconds), following: following,
            until: until.map { .boot + .seconds($0) })
    }

    @Test("one after the other, each done when it has been said")
    func order() {
        #expect(!queue.add(alert(1, .advisory, "a")))
        #expect(!queue.add(alert(2, .advisory, "b", at: 10)))
        #expect(queue.next()?.text.own == "advisory a.")
        #expect(queue.next() == nil, "something is being said")
        #expect(queue.takeDone() == [])
        #expect(queue.ended(isStopped: false) == nil)
        #expect(queue.takeDone() == [1])
        #expect(queue.next()?.text.own == "advisory b.")
        _ = queue.ended(isStopped: false)
        #expect(queue.takeDone() == [2] && queue.isIdle)
    }

    @Test("hazards come before notices, of which one of a fence waits, and none too long")
    func notices() {
        #expect(!queue.add(alert(1, .notice, "depot", until: 15)))
        #expect(!queue.add(alert(2, .notice, "depot", until: 16)), "the newer")
        #expect(!queue.add(alert(3, .notice, "road", until: 17)))
        #expect(!queue.add(alert(4, .advisory, "bridge")))
        #expect(queue.takeDone() == [1])
        #expect(queue.next()?.text.own == "advisory bridge.")
        _ = queue.ended(isStopped: false)
        #expect(queue.next(at: .boot + .seconds(16.5))?.text.own == "notice road.", "2 is too late")
        #expect(queue.takeDone() == [4, 2])
        #expect(queue.add(alert(5, .urgent, "bridge")), "a notice is interrupted")
        _ = queue.ended(isStopped: true)
        for seq in 6...10 { _ = queue.add(alert(UInt64(seq), .notice, "f\(seq)", until: 15)) }
        _ = queue.add(alert(11, .notice, ""))
        #expect(queue.takeDone() == [3, 6, 7], "four wait")
        #expect(queue.next()?.stage == .urgent)
        #expect(queue.add(alert(12, .urgent, "other", at: 60)))
        _ = queue.ended(isStopped: true)
        #expect(queue.takeDone() == [8, 9, 10, 5], "all but what never comes too late")
        #expect(queue.next()?.text.own == "urgent other.")
        _ = queue.ended(isStopped: false)
        #expect(queue.next()?.text.own == "notice .")
    }

    @Test("an advisory stops a notice, which is said again only if it never comes too late")
    func interruptedNotices() {
        _ = queue.add(alert(1, .notice, "depot", until: 15))
        _ = queue.next()
        #expect(queue.add(alert(2, .advisory, "bridge")))
        _ = queue.add(alert(3, .advisory, "other", at: 1))
        #expect(queue.ended(isStopped: true) == nil)
        #expect(queue.takeDone() == [1])
        #expect(queue.next()?.text.own == "advisory bridge. And 1 more.")
        _ = queue.ended(isStopped: false)
        #expect(!queue.add(alert(4, .notice, "towed")))
        _ = queue.next()
        #expect(queue.add(alert(5, .advisory, "bridge", at: 60)))
        _ = queue.ended(isStopped: true)
        #expect(queue.next()?.text.own == "advisory bridge.")
        _ = queue.ended(isStopped: false)
        #expect(queue.next()?.text.own == "notice towed.")
        _ = queue.ended(isStopped: false)
        #expect(queue.takeDone() == [2, 3, 5, 4])
    }

    @Test("an urgent one stops what is being said, and drops what waits")
    func urgent() {
        _ = queue.add(alert(1, .advisory, "a"))
        _ = queue.next()
        _ = queue.add(alert(2, .advisory, "b", at: 10))
        #expect(queue.add(alert(3, .urgent, "c", at: 11)))
        #expect(queue.ended(isStopped: true) == nil)
        #expect(queue.next()?.text.own == "urgent c.")
        #expect(Set(queue.takeDone()) == [1, 2])
    }

    @Test("the newest of two urgent ones wins")
    func newest() {
        _ = queue.add(alert(1, .urgent, "a"))
        _ = queue.next()
        #expect(queue.add(alert(2, .urgent, "b", at: 20)))
        _ = queue.ended(isStopped: true)
        #expect(queue.next()?.text.own == "urgent b.")
        #expect(queue.takeDone() == [1])
    }

    @Test("of several within three seconds the first is said, and how many follow")
    func together() {
        _ = queue.add(alert(1, .advisory, "a"))
        _ = queue.add(alert(2, .advisory, "b"))
        _ = queue.add(alert(3, .advisory, "c", at: 3))
        _ = queue.add(alert(4, .advisory, "d", at: 3.1))
        #expect(queue.next()?.text.own == "advisory a. And 2 more.")
        #expect(queue.ended(isStopped: false) == nil)
        #expect(queue.takeDone() == [1, 2, 3])
        #expect(queue.next()?.text.own == "advisory d.")
    }

    @Test("in another language the number is said in it, too, and in English for an English voice")
    func language() {
        var queue = AlertQueue(
            Wording(DriverLanguage(language: .german), .sign, isSpoken: true))
        _ = queue.add(alert(1, .advisory, "a", following: 2))
        let text = queue.next()?.text
        #expect(text?.own == "advisory a. Und 2 weitere.")
        #expect(text?.english == "advisory a. And 2 more.")
    }

    @Test("those that fall due while the first is said are added to it, without a tone")
    func added() throws {
        _ = queue.add(alert(1, .urgent, "a"))
        #expect(queue.next()?.hasTone == true)
        #expect(!queue.add(alert(2, .urgent, "b", at: 2)), "the same warning goes on")
        let more = try #require(queue.ended(isStopped: false))
        #expect(more.text.own == "And 1 more." && !more.hasTone && more.stage == .urgent)
        #expect(queue.takeDone() == [])
        #expect(queue.ended(isStopped: false) == nil)
        #expect(queue.takeDone() == [1, 2])
    }

    @Test("those that were announced with the first are not said again when they come")
    func announced() {
        _ = queue.add(alert(1, .advisory, "a", following: 2))
        #expect(queue.next()?.text.own == "advisory a. And 2 more.")
        _ = queue.add(alert(2, .advisory, "b"))
        _ = queue.add(alert(3, .advisory, "c"))
        #expect(queue.ended(isStopped: false) == nil)
        #expect(queue.takeDone() == [1, 2, 3])
    }

    @Test("a clear is silent: it stops its own hazard, and drops what waits about it")
    func clear() {
        _ = queue.add(alert(1, .advisory, "a"))
        _ = queue.add(alert(2, .advisory, "b", at: 10))
        _ = queue.next()
        #expect(!queue.add(alert(3, .clear, "b", at: 12)))
        #expect(Set(queue.takeDone()) == [2, 3])
        #expect(queue.add(alert(4, .clear, "a", at: 13)))
        _ = queue.ended(isStopped: true)
        #expect(Set(queue.takeDone()) == [1, 4] && queue.next() == nil)
    }

    @Test("a clear of the first of several that wait: the next of them is said instead")
    func clearOfFirst() {
        _ = queue.add(alert(1, .advisory, "a"))
        _ = queue.next()
        _ = queue.add(alert(2, .advisory, "b", at: 10, following: 2))
        _ = queue.add(alert(3, .advisory, "c", at: 10))
        _ = queue.add(alert(4, .advisory, "d", at: 10))
        #expect(!queue.add(alert(5, .clear, "b", at: 11)))
        #expect(Set(queue.takeDone()) == [2, 5])
        _ = queue.ended(isStopped: false)
        #expect(queue.next()?.text.own == "advisory c. And 1 more.")
        #expect(queue.ended(isStopped: false) == nil)
        #expect(queue.takeDone() == [1, 3, 4] && queue.isIdle)
    }

    @Test("a clear of another one of several: it is not counted", arguments: [0, 2])
    func clearOfOther(following: Int) {
        _ = queue.add(alert(1, .advisory, "a", following: following))
        _ = queue.add(alert(2, .advisory, "b"))
        _ = queue.add(alert(3, .advisory, "c"))
        #expect(!queue.add(alert(4, .clear, "c", at: 1)))
        #expect(Set(queue.takeDone()) == [3, 4])
        #expect(queue.next()?.text.own == "advisory a. And 1 more.")
        #expect(!queue.add(alert(5, .clear, "b", at: 2)))
        #expect(Set(queue.takeDone()) == [2, 5])
        _ = queue.add(alert(6, .advisory, "d", at: 2))
        #expect(queue.ended(isStopped: false)?.text.own == "And 1 more.", "of d nobody has heard")
        #expect(!queue.add(alert(7, .clear, "a", at: 3)), "it goes on about d")
    }

    @Test("what came to be said while it was said is not added after its clear")
    func clearOfAddition() {
        _ = queue.add(alert(1, .urgent, "a"))
        _ = queue.next()
        _ = queue.add(alert(2, .urgent, "b", at: 2))
        _ = queue.add(alert(3, .clear, "b", at: 3))
        #expect(queue.ended(isStopped: false) == nil)
        #expect(Set(queue.takeDone()) == [1, 2, 3])
    }

    @Test("an id that Swift takes for the same is another one")
    func ids() {
        _ = queue.add(alert(1, .advisory, "\u{E9}"))
        _ = queue.add(alert(2, .advisory, "e\u{301}"))
        #expect(!queue.add(alert(3, .clear, "\u{E9}", at: 1)))
        #expect(Set(queue.takeDone()) == [1, 3])
        #expect(queue.next()?.text.own == "advisory e\u{301}.")
    }

    @Test("a clear of a hazard says nothing of what else its fence has to say")
    func clearAndNotice() {
        _ = queue.add(alert(1, .notice, "a"))
        #expect(!queue.add(alert(2, .clear, "a")))
        #expect(queue.next()?.stage == .notice)
        #expect(!queue.add(alert(3, .clear, "a", at: 1)))
        #expect(queue.takeDone() == [2, 3])
    }

    @Test("a flood of advisories waits in a bounded queue, and none is left open")
    func flood() {
        for seq in 1...1000 {
            _ = queue.add(alert(UInt64(seq), .advisory, "h\(seq)", at: Double(seq * 10)))
        }
        var done: Set<UInt64> = []
        var said = 0
        while let utterance = queue.next() {
            said += 1
            if said == 16 { #expect(utterance.text.own == "advisory h16. And 984 more.") }
            while queue.ended(isStopped: false) != nil {}
            done.formUnion(queue.takeDone())
        }
        #expect(said == 16 && done.count == 1000)
    }
}
