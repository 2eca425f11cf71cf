import Testing

@testable import Storage

@Suite("a set of row numbers")
struct RowSetTests {
    @Test("takes every number once, also those that only a damaged file holds")
    func everyNumber() {
        var set = RowSet()
        let numbers: [Int64] = [0, 1, 63, 64, 4_095, 4_096, -1, -64, -4_097, .max, .min]
        for number in numbers {
            #expect(!set.contains(number))
            let isNew = set.insert(number)
            #expect(isNew)
            #expect(set.contains(number))
            let isNewAgain = set.insert(number)
            #expect(!isNewAgain)
        }
        for number in numbers { #expect(set.contains(number)) }
        #expect(!set.contains(2))
        #expect(!set.contains(-2))
    }
}
