import Testing
import Time
import geofencectl

@Suite struct SparklineTests {
    private let start = UTCTime(nanoseconds: 1_700_000_000_000_000_000)

    private func line(_ values: [Double]) -> Sparkline {
        var line = Sparkline()
        for (second, value) in values.enumerated() {
            line.add(value, to: "a", at: start + .seconds(Double(second)))
        }
        return line
    }

    @Test("the nearest is the lowest bar, the farthest the highest")
    func bars() {
        #expect(line([-10, 0, 10, 20, 30, 40, 50, 60, 70]).text == "▁▂▃▄▅▆▇██")
        #expect(line([70, -10]).text == "█▁")
    }

    @Test("without a change there is nothing to see", arguments: [[], [5], [5, 5, 5]])
    func flat(_ values: [Double]) { #expect(line(values).text.isEmpty) }

    @Test("only the last fixes count, each of them once, and what is no number not at all")
    func bounds() {
        var long = line((0..<200).map(Double.init))
        #expect(long.values.count == Sparkline.length)
        #expect(long.values.first == 140)
        long.add(1, to: "a", at: start + .seconds(199))
        long.add(.nan, to: "a", at: start + .seconds(200))
        #expect(long.values.last == 199)
    }

    @Test("another fence begins anew")
    func other() {
        var line = line([1, 2, 3])
        line.add(7, to: "b", at: start)
        #expect(line.values == [7])
        #expect(line.fence == "b")
    }
}
