import Languages
import Testing

@testable import Sentences

@Suite("Numbers and units")
struct QuantityTests {
    private func spoken(_ language: Language) -> Wording {
        Wording(DriverLanguage(language: language), .sign, isSpoken: true)
    }

    /// Kilometres: 1, 2, 5, 21, 22 and 1.5.
    static let kilometres: [(Language, [String])] = [
        (
            .english,
            [
                "in 1 kilometre", "in 2 kilometres", "in 5 kilometres", "in 21 kilometres",
                "in 22 kilometres", "in 1.5 kilometres",
            ]
        ),
        (
            .german,
            [
                "in einem Kilometer", "in 2 Kilometern", "in 5 Kilometern", "in 21 Kilometern",
                "in 22 Kilometern", "in 1,5 Kilometern",
            ]
        ),
        (
            .french,
            [
                "dans 1 kilomètre", "dans 2 kilomètres", "dans 5 kilomètres", "dans 21 kilomètres",
                "dans 22 kilomètres", "dans 1,5 kilomètres",
            ]
        ),
        (
            .spanish,
            [
                "a un kilómetro", "a 2 kilómetros", "a 5 kilómetros", "a 21 kilómetros",
                "a 22 kilómetros", "a 1,5 kilómetros",
            ]
        ),
        (
            .portuguese,
            [
                "a um quilómetro", "a 2 quilómetros", "a 5 quilómetros", "a 21 quilómetros",
                "a 22 quilómetros", "a 1,5 quilómetros",
            ]
        ),
        (
            .italian,
            [
                "tra un chilometro", "tra 2 chilometri", "tra 5 chilometri", "tra 21 chilometri",
                "tra 22 chilometri", "tra 1,5 chilometri",
            ]
        ),
        (
            .dutch,
            [
                "over één kilometer", "over 2 kilometer", "over 5 kilometer", "over 21 kilometer",
                "over 22 kilometer", "over 1,5 kilometer",
            ]
        ),
        (
            .polish,
            [
                "za kilometr", "za 2 kilometry", "za 5 kilometrów", "za 21 kilometrów",
                "za 22 kilometry", "za 1,5 kilometra",
            ]
        ),
        (
            .czech,
            [
                "za kilometr", "za 2 kilometry", "za 5 kilometrů", "za 21 kilometrů",
                "za 22 kilometrů", "za 1,5 kilometru",
            ]
        ),
        (
            .romanian,
            [
                "peste un kilometru", "peste 2 kilometri", "peste 5 kilometri",
                "peste 21 de kilometri", "peste 22 de kilometri", "peste 1,5 kilometri",
            ]
        ),
        (
            .turkish,
            [
                "1 kilometre sonra", "2 kilometre sonra", "5 kilometre sonra",
                "21 kilometre sonra", "22 kilometre sonra", "1,5 kilometre sonra",
            ]
        ),
        (
            .ukrainian,
            [
                "через 1 кілометр", "через 2 кілометри", "через 5 кілометрів",
                "через 21 кілометр", "через 22 кілометри", "через 1,5 кілометра",
            ]
        ),
    ]

    @Test("plural forms", arguments: kilometres)
    func plurals(language: Language, expected: [String]) {
        let wording = spoken(language)
        let said = [1_000, 2_000, 5_000, 21_000, 22_000, 1_500].map {
            wording.within($0, .metric)
        }
        #expect(said == expected)
        #expect(Self.kilometres.count == Language.allCases.count)
    }

    @Test("a height is spoken with two digits of centimetres: four metres five may be 4.5")
    func heights() {
        let german = spoken(.german)
        #expect(german.length(3.5, .metric, .down) == "3 Meter 50")
        #expect(german.length(4.05, .metric, .down) == "4 Meter 05")
        #expect(german.length(4, .metric, .down) == "4 Meter")
        #expect(german.length(1.2, .metric, .down) == "ein Meter 20")
        #expect(german.length(4.01, .metric, .up) == "4 Meter 05", "the vehicle is rounded up")
        #expect(german.length(4.119, .metric, .down) == "4 Meter 11", "a limit down")
        #expect(german.written.length(4.05, .metric, .down) == "4,05 m")
        #expect(german.inEnglish.length(4.05, .metric, .down) == "4 metres 05")
        #expect(spoken(.ukrainian).written.length(4.05, .metric, .up) == "4,05 м")
    }

    @Test("feet, miles and tons")
    func imperial() {
        let english = spoken(.english)
        #expect(english.length(4.1148, .us, .down) == "13 feet 6")
        #expect(english.length(3.9624, .imperial, .down) == "13 feet")
        #expect(english.written.length(4.1148, .us, .down) == "13'6\"")
        #expect(english.within(1_700, .us) == "in 1 mile")
        #expect(english.within(1_200, .imperial) == "in 0.7 miles")
        #expect(english.within(150, .us) == "in 400 feet")
        #expect(english.within(150, .imperial) == "in 150 yards")
        #expect(english.written.within(150, .us) == "in 400 ft")
        #expect(english.weight(7.5, .imperial, .down) == "7.5 tonnes")
        #expect(english.weight(7.5, .us, .down) == "8.2 tons")
        #expect(english.weight(7.5, .us, .up) == "8.3 tons")
        #expect(english.weight(1, .metric, .up) == "1 tonne")
        #expect(spoken(.polish).weight(7.5, .metric, .down) == "7,5 tony")
    }

    @Test("numbers that nothing has give a text all the same")
    func odd() {
        let english = spoken(.english)
        for value in [-1.0, 0, 1e300, .infinity, -.infinity, .nan] {
            for units in Units.allCases {
                #expect(!english.length(value, units, .up).isEmpty)
                #expect(!english.weight(value, units, .down).isEmpty)
                #expect(!english.within(value, units).isEmpty)
            }
        }
    }
}
