/// What a length or a mass is in.
package enum MeasureUnit: String, CaseIterable, Sendable {
    case metre = "m"
    case decimetre = "dm"
    case centimetre = "cm"
    case millimetre = "mm"
    case foot = "ft"
    case inch = "in"
    case yard = "yd"
    case tonne = "t"
    case kilogram = "kg"
    case pound = "lb"
    /// 2,000 lb; also what `ton` is taken for, the lightest of its meanings.
    case shortTon = "st"
    case longTon = "lt"
    /// 1,000 lb.
    case kip

    /// m or t.
    package var size: Double {
        switch self {
        case .metre, .tonne: 1
        case .decimetre: 0.1
        case .centimetre: 0.01
        case .millimetre: 0.001
        case .foot: 0.3048
        case .inch: 0.0254
        case .yard: 0.9144
        case .kilogram: 0.001
        case .pound: 0.000_453_592_37
        case .shortTon: 0.907_184_74
        case .longTon: 1.016_046_908_8
        case .kip: 0.453_592_37
        }
    }

    /// Whether it is one of masses.
    package var isMass: Bool {
        switch self {
        case .tonne, .kilogram, .pound, .shortTon, .longTon, .kip: true
        default: false
        }
    }

    /// Whether signs in it are those of North America and Britain.
    var isImperial: Bool { self == .foot || self == .inch || self == .yard }

    /// The unit that is called so, in small letters.
    package init?(name: String) {
        guard let unit = Self.names[name] else { return nil }
        self = unit
    }

    /// The unit that a column's name ends with, as in `height_ft`, `Clearance (ft)`,
    /// `maxheight [cm]`, `HeightFeet`; nil: it tells of none.
    package init?(column: String, isMass: Bool) {
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
        // `M`, `T` alone are names.
        guard words.count > 1, let word = words.last else { return nil }
        let unit: MeasureUnit? =
            switch word {
            case "ftin", "feetinches": .foot
            // Clearance (ft-in), height_ft_in.
            case "in", "inch", "inches": Self(name: words[words.count - 2]) == .foot ? .foot : .inch
            default: Self(name: word)
            }
        guard let unit, unit.isMass == isMass else { return nil }
        self = unit
    }

    private static let names: [String: MeasureUnit] = [
        "m": .metre, "meter": .metre, "meters": .metre, "metre": .metre, "metres": .metre,
        "metro": .metre, "metros": .metre, "metri": .metre, "mètre": .metre, "mètres": .metre,
        "м": .metre, "см": .centimetre, "т": .tonne, "кг": .kilogram, "mtr": .metre, "mts": .metre,
        "mtrs": .metre, "dm": .decimetre, "cm": .centimetre,
        "centimeter": .centimetre, "centimeters": .centimetre, "centimetre": .centimetre,
        "centimetres": .centimetre, "mm": .millimetre, "millimeter": .millimetre,
        "millimeters": .millimetre, "millimetre": .millimetre, "millimetres": .millimetre,
        "'": .foot, "ft": .foot, "foot": .foot, "feet": .foot, "\"": .inch, "in": .inch,
        "ins": .inch, "inch": .inch, "inches": .inch, "yd": .yard, "yds": .yard, "yard": .yard,
        "yards": .yard, "t": .tonne, "to": .tonne, "tonne": .tonne, "tonnes": .tonne,
        "tonnen": .tonne, "mt": .tonne, "kg": .kilogram, "kgs": .kilogram, "kilo": .kilogram,
        "kilogram": .kilogram, "kilograms": .kilogram, "lb": .pound, "lbs": .pound,
        "pound": .pound, "pounds": .pound, "st": .shortTon, "ton": .shortTon, "tons": .shortTon,
        "lt": .longTon, "kip": .kip, "kips": .kip,
    ]
}
