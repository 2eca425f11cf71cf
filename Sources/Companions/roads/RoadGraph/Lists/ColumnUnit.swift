extension MeasureUnit {
    /// The unit that a column's name tells of, as in `height_ft`, `Clearance (ft)`, `maxheight [cm]`,
    /// `HeightFeet`, `Höhe (Fuß)`, `CLRFT`; nil: it tells of none. Of several the smallest, for then
    /// the numbers are lowest; but feet and inches are feet.
    package init?(column: String, isMass: Bool) {
        if !isMass, let unit = Self.mark(column) {
            self = unit
            return
        }
        let words = Self.words(column)
        let units = words.enumerated().compactMap { index, word -> MeasureUnit? in
            let isLast = index == words.count - 1
            // `M`, `T` alone are names, and within a name short words mean other things.
            guard isLast ? words.count > 1 || word.count > 1 : !Self.ambiguous.contains(word),
                isLast || word.count > 1
            else { return nil }
            return Self.part(word, isMass: isMass)?.unit
        }
        let isOfFeet = units.contains(.foot)
        guard
            let unit = units.filter({ !(isOfFeet && $0 == .inch) }).min(by: { $0.size < $1.size })
        else { return nil }
        self = unit
    }

    /// The words of a column's name without that unit; nil: it does not tell of it.
    static func stem(of column: String, without unit: MeasureUnit) -> [String]? {
        let words = words(column)
        if mark(column) == unit { return words }
        let rest = words.compactMap { word -> String? in
            guard let (before, own) = part(word, isMass: unit.isMass), own == unit else {
                return word
            }
            return before.isEmpty ? nil : before
        }
        return rest == words ? nil : rest
    }

    /// `Clearance (')`, `Clearance (")`.
    private static func mark(_ column: String) -> MeasureUnit? {
        switch column.suffix(3) {
        case "(')", "[']": .foot
        case "(\")", "[\"]": .inch
        default: nil
        }
    }

    /// In small letters; a capital letter begins another one.
    static func words(_ column: String) -> [String] {
        var words: [String] = []
        var last: Character = " "
        for character in column {
            if character.isLetter {
                let begins = !last.isLetter || last.isLowercase && character.isUppercase
                if begins { words.append("") }
                words[words.count - 1].append(character.lowercased())
            }
            last = character
        }
        return words
    }

    /// The unit that a word is, or ends with, and what stands before it.
    private static func part(
        _ word: String, isMass: Bool
    ) -> (before: String, unit: MeasureUnit)? {
        if !isMass, ["ftin", "feetinches", "imperial"].contains(word) { return ("", .foot) }
        if let unit = Self(name: word, isMass: isMass), unit.isMass == isMass { return ("", unit) }
        // clrft, heightfeet.
        for measure in measures where word.hasPrefix(measure) {
            let rest = String(word.dropFirst(measure.count))
            guard rest.count > 1, let found = part(rest, isMass: isMass) else { continue }
            return (measure + found.before, found.unit)
        }
        return nil
    }

    /// Units, and other words: in, to, street, left.
    private static let ambiguous: Set<String> = [
        "in", "to", "st", "lt", "po", "pi", "pie", "cal", "fot", "tum", "stop", "pes", "pol", "fit",
    ]
    /// What stands before a unit without a mark between them.
    private static let measures = [
        "maxheight", "maxwidth", "maxlength", "maxweight", "height", "hgt", "ht", "clearance",
        "clear", "vertclr", "vclr", "clr", "vc", "width", "length", "weight", "wt", "max", "min",
    ]
}
