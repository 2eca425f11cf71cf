import Model
import Monitoring
import Testing
import Time

@Suite("The words of sources, who drives") struct DriverWordsTests {
    /// What is expected of a mutation must be of an object.
    private final class Ear {
        var words = DriverWords()

        func hear(
            _ word: String, from source: DriverSource, present: RecordedDriver?
        ) -> Bool { words.hear(word, from: source, present: present) }
    }

    private func driver(_ id: String?, by source: DriverSource) -> RecordedDriver? {
        id.map {
            RecordedDriver(
                number: 1, id: $0, firstSet: UTCTime(nanoseconds: 0),
                since: UTCTime(nanoseconds: 0), source: source)
        }
    }

    @Test("what a source repeats is no word, so that a call holds until it says something else")
    func repeated() {
        let words = Ear()
        #expect(words.hear("ada", from: .file, present: nil))
        let called = driver("bob", by: .call)
        #expect(!words.hear("ada", from: .file, present: called))
        #expect(words.hear("cid", from: .file, present: called))
        #expect(words.hear("", from: .file, present: driver("cid", by: .file)))
        #expect(words.hear("ada", from: .signal, present: nil), "each source has its own words")
    }

    @Test(
        "after a start the first word counts where nobody is set, or who was set by the same source",
        arguments: DriverSource.allCases, [DriverSource.file, .signal])
    func first(_ setter: DriverSource, _ source: DriverSource) {
        let words = Ear()
        #expect(
            words.hear("ada", from: source, present: driver("bob", by: setter))
                == (setter == source))
        words.words = DriverWords()
        #expect(words.hear("ada", from: source, present: nil))
    }

    @Test("after a silence that was seen the same word is new")
    func silence() {
        let words = Ear()
        words.words.fellSilent(.file)
        #expect(words.hear("ada", from: .file, present: driver("bob", by: .call)))
        words.words.fellSilent(.file)
        #expect(words.hear("ada", from: .file, present: driver("bob", by: .call)))
        #expect(!words.hear("ada", from: .file, present: driver("bob", by: .call)))
    }

    /// What has happened, whole, in place of what is remembered of it.
    private enum Step: Equatable {
        case word(DriverSource, String)
        case silence(DriverSource)
        case call(String)
        case start
    }

    /// Who drives at the end, and by whom: read backwards, the last step that counts.
    private func expected(_ steps: ArraySlice<Step>) -> (id: String, by: DriverSource)? {
        guard let last = steps.last else { return nil }
        let before = steps.dropLast()
        let present = expected(before)
        switch last {
        case .start, .silence: return present
        case .call(let id):
            if present?.id == id { return present }
            return id.isEmpty ? nil : (id, .call)
        case .word(let source, let id):
            let own = before.last { step in
                switch step {
                case .word(source, _), .silence(source), .start: true
                default: false
                }
            }
            let isNew =
                switch own {
                case .silence?: true
                case .word(_, let same)?: same != id
                case .start?, nil, .call?: present == nil || present?.by == source
                }
            guard isNew, present?.id != id else { return present }
            return id.isEmpty ? nil : (id, source)
        }
    }

    @Test(
        "any order of words, silences, calls and starts is what its history says",
        arguments: 0..<200)
    func any(_ seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var words = DriverWords()
        var present: RecordedDriver?
        var steps: [Step] = []
        func set(_ id: String, by source: DriverSource) {
            if present?.id != id { present = id.isEmpty ? nil : driver(id, by: source) }
        }
        for _ in 0..<40 {
            let (source, id) = (
                [DriverSource.file, .signal][random(2)], ["", "ada", "bob"][random(3)]
            )
            switch random(8) {
            case 0: steps.append(.start); words = DriverWords()
            case 1: steps.append(.silence(source)); words.fellSilent(source)
            case 2: steps.append(.call(id)); set(id, by: .call)
            default:
                steps.append(.word(source, id))
                if words.hear(id, from: source, present: present) { set(id, by: source) }
            }
            let right = expected(steps[...])
            #expect(right?.id == present?.id && right?.by == present?.source, "\(steps)")
        }
    }
}
