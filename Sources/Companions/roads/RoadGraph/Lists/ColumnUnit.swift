extension MeasureUnit {
    /// The unit that a column's name tells of, as in `height_ft`, `Clearance (ft)`, `maxheight [cm]`,
    /// `HeightFeet`, `Höhe (Fuß)`, `CLRFT`; nil: it tells of none. Of several the smallest, for then
    /// the numbers are lowest; but feet and inches are feet.
    package init?(column: String, isMass: Bool) {
        if !isMass, column.hasSuffix("(')") || column.hasSuffix("[']") {
            self = .foot
            return
        }
        let words = Self.words(column)
        let units = words.enumerated().compactMap { index, word -> MeasureUnit? in
            let isLast = index == words.count - 1
            // `M`, `T` alone are names, and within a name short words mean other things.
            guard isLast ? words.count > 1 || word.count > 1 : !Self.ambiguous.contains(word),
                isLast || word.count > 1
            else { return nil }
            return Self(word: word, isMass: isMass)
        }
        let isOfFeet = units.contains(.foot)
        guard
            let unit = units.filter({ !(isOfFeet && $0 == .inch) }).min(by: { $0.size < $1.size })
        else { return nil }
        self = unit
    }

    /// In small letters; a capital letter begins another one.
    private static func words(_ column: String) -> [String] {
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

    private init?(word: String, isMass: Bool) {
        if !isMass, ["ftin", "feetinches", "imperial"].contains(word) {
            self = .foot
            return
        }
        if let unit = Self(name: word, isMass: isMass), unit.isMass == isMass {
            self = unit
            return
        }
        // clrft, heightfeet.
        for measure in Self.measures where word.hasPrefix(measure) {
            let rest = String(word.dropFirst(measure.count))
            guard rest.count > 1, let unit = Self(word: rest, isMass: isMass) else { continue }
            self = unit
            return
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
