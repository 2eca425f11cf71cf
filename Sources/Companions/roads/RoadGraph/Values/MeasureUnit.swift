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
    /// 100 lb; the one of Britain is heavier.
    case hundredweight = "cwt"
    /// 100 kg.
    case quintal = "q"
    /// What it weighs.
    case kilonewton = "kN"

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
        case .hundredweight: 0.045_359_237
        case .quintal: 0.1
        case .kilonewton: 0.101_971_6
        }
    }

    /// Whether it is one of masses.
    package var isMass: Bool {
        switch self {
        case .tonne, .kilogram, .pound, .shortTon, .longTon, .kip, .hundredweight, .quintal,
            .kilonewton:
            true
        default: false
        }
    }

    /// Whether signs in it are those of North America and Britain.
    var isImperial: Bool { self == .foot || self == .inch || self == .yard }

    /// The unit that is called so, in small letters; of `mt`, which is metres and tonnes, the one of the kind.
    package init?(name: String, isMass: Bool) {
        let (own, other) = isMass ? (Self.masses, Self.lengths) : (Self.lengths, Self.masses)
        guard let unit = own[name] ?? other[name] else { return nil }
        self = unit
    }

    /// The kinds of tons.
    static let tons: [String: MeasureUnit] = [
        "metric": .tonne, "short": .shortTon, "us": .shortTon, "net": .shortTon, "long": .longTon,
        "imperial": .longTon, "gross": .longTon, "uk": .longTon,
    ]

    private static let lengths: [String: MeasureUnit] = names([
        (
            .metre,
            """
            m meter meters metre metres metro metros metri mètre mètres metr metra metry metrów metrů
            metru mtr mtrs mt mts м метр метра метров метрів 米
            """
        ),
        (.decimetre, "dm decimeter decimetre дм"),
        (
            .centimetre,
            """
            cm cms centimeter centimeters centimetre centimetres centimètre centimètres zentimeter
            centimetro centimetros centímetro centímetros centimetri centymetrów см
            """
        ),
        (
            .millimetre,
            """
            mm mms millimeter millimeters millimetre millimetres millimètre millimètres milimetro
            milimetros milímetro milímetros millimetri milimetrów мм
            """
        ),
        (
            .foot,
            """
            ' f ft foot feet feets pi pied pieds pie pies piede piedi pé pés pes fuß fuss voet stopa
            stopy stóp stop fot fod jalka jalkaa láb picior picioare ayak fit фут фута футов футів
            """
        ),
        (
            .inch,
            """
            " in ins inch inches po pouce pouces pulgada pulgadas pollice pollici pol polegada
            polegadas zoll duim cal cale cali palec palce palců tum tommer tuumaa hüvelyk țoli inç
            дюйм дюйма дюймов дюймів
            """
        ),
        (.yard, "yd yds yard yards"),
    ])

    private static let masses: [String: MeasureUnit] = names([
        (
            .tonne,
            """
            t to mt tonne tonnes tonnen tonnellata tonnellate tonelada toneladas т тн тонна тонны тонн
            """
        ),
        (.kilogram, "kg kgs kilo kilos kilogram kilograms kilogramm kilogramos chilogrammi кг"),
        (
            .pound,
            """
            lb lbs pound pounds livre livres libra libras libbra libbre pfund funtów фунт фунта фунтов
            фунтів
            """
        ),
        (.shortTon, "st ton tons tn"), (.longTon, "lt"), (.kip, "k kip kips klb klbs"),
        (.hundredweight, "cwt cwts"),
        (.quintal, "q qli quintal quintals quintali quintales dt dz"), (.kilonewton, "kn"),
    ])

    private static func names(_ units: [(MeasureUnit, String)]) -> [String: MeasureUnit] {
        var names: [String: MeasureUnit] = [:]
        for (unit, words) in units {
            for word in words.split(whereSeparator: \.isWhitespace) { names[String(word)] = unit }
        }
        return names
    }
}
