import HTTP
import Settings

/// One key of sources.d/NAME.conf.
struct SourceKey: Sendable {
    let section: String
    let name: String
    let assign: @Sendable (String, inout SourceSettings) throws(BadValue) -> Void

    init(
        _ section: String, _ name: String,
        _ assign: @escaping @Sendable (String, inout SourceSettings) throws(BadValue) -> Void
    ) {
        self.section = section
        self.name = name
        self.assign = assign
    }
}

/// Every key but those of `[Auth]`, once; what each does is said in geofenced-sync(8), and compared by a test.
enum SourceTable {
    static let keys: [SourceKey] = source + fields + query

    private static let source = [
        SourceKey("Source", "Type") { text, settings throws(BadValue) in
            settings.kind = try choice(text, "odata", "ogcapi", "geojson")
        },
        SourceKey("Source", "URL") { text, settings throws(BadValue) in
            settings.address = try WebAddress.setting(text)
        },
        SourceKey("Source", "EntitySet") { text, settings throws(BadValue) in
            settings.entitySet = text
        },
        SourceKey("Source", "Collection") { text, settings throws(BadValue) in
            settings.collection = text
        },
        SourceKey("Source", "Version") { text, settings throws(BadValue) in
            switch text {
            case "auto": settings.version = nil
            case "2": settings.version = 2
            case "4": settings.version = 4
            default: throw BadValue(reason: "neither auto nor 2 nor 4")
            }
        },
        SourceKey("Source", "Mode") { text, settings throws(BadValue) in
            settings.mode = try choice(text, "all", "nearby")
        },
        SourceKey("Source", "EverySec") { text, settings throws(BadValue) in
            settings.everySeconds = try SettingValue.seconds(text, in: 10...31_557_600)
        },
        SourceKey("Source", "IdPrefix") { text, settings throws(BadValue) in
            guard text.utf8.count <= 128 else { throw BadValue(reason: "more than 128 bytes") }
            settings.idPrefix = text
        },
        SourceKey("Source", "MaxFences") { text, settings throws(BadValue) in
            settings.maxFences = try SettingValue.count(text, in: 1...10_000_000)
        },
        SourceKey("Source", "MaxSize") { text, settings throws(BadValue) in
            settings.maxSize = try SettingValue.size(text, in: 1024...(16 << 30))
        },
        SourceKey("Source", "MaxPages") { text, settings throws(BadValue) in
            settings.maxPages = try SettingValue.count(text, in: 1...1_000_000)
        },
        SourceKey("Source", "PageSize") { text, settings throws(BadValue) in
            settings.pageSize = try SettingValue.count(text, in: 1...1_000_000)
        },
        SourceKey("Source", "Paging") { text, settings throws(BadValue) in
            let word: PagingWord = try choice(text, "auto", "startindex")
            settings.usesStartIndex = word == .startindex
        },
        SourceKey("Source", "MaxRemove") { text, settings throws(BadValue) in
            guard text.hasSuffix("%") else { throw BadValue(reason: "not a percentage: 50%") }
            let number = String(text.dropLast())
            settings.maxRemovePercent = try SettingValue.count(number, in: 0...100)
        },
        SourceKey("Source", "AllowEmpty") { text, settings throws(BadValue) in
            settings.allowsEmpty = try SettingValue.flag(text)
        },
        SourceKey("Source", "OnInvalid") { text, settings throws(BadValue) in
            let word: InvalidWord = try choice(text, "skip", "refuse")
            settings.refusesInvalid = word == .refuse
        },
        SourceKey("Source", "TimeoutSec") { text, settings throws(BadValue) in
            settings.timeoutSeconds = try SettingValue.seconds(text, in: 1...86_400)
        },
    ]

    private static let fields =
        FieldMap.Field.all.map { field in
            SourceKey("Fields", field.name) { text, settings throws(BadValue) in
                guard let origin = FieldMap.origin(text) else {
                    throw BadValue(reason: "neither a path such as Place/Name nor 'constant'")
                }
                settings.fields.origins[field] = origin
            }
        } + [
            SourceKey("Fields", "Metadata") { text, settings throws(BadValue) in
                var paths: [[String]] = []
                for word in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
                    guard let path = FieldMap.path(String(word)) else {
                        throw BadValue(reason: "not a list of paths")
                    }
                    paths.append(path)
                }
                settings.fields.metadata = paths
            }
        ]

    private static let query = [
        SourceKey("Query", "Filter") { text, settings throws(BadValue) in settings.filter = text },
        SourceKey("Query", "TrackChanges") { text, settings throws(BadValue) in
            settings.tracksChanges = try SettingValue.flag(text)
        },
        SourceKey("Query", "FullEverySec") { text, settings throws(BadValue) in
            settings.fullEverySeconds = try SettingValue.seconds(text, in: 60...31_557_600)
        },
        SourceKey("Query", "ReachM") { text, settings throws(BadValue) in
            let range = 1000...SourceSettings.Nearby.farthest
            settings.nearby.reach = try SettingValue.metres(text, in: range)
        },
        SourceKey("Query", "MaxRadiusM") { text, settings throws(BadValue) in
            settings.nearby.maxRadius = try SettingValue.metres(text, in: 0...1_000_000)
        },
        SourceKey("Query", "QueryGridDeg") { text, settings throws(BadValue) in
            let number = text.hasSuffix("°") ? text.dropLast() : text[...]
            guard let grid = Double(number), (0...10).contains(grid) else {
                throw BadValue(reason: "not 0° to 10°")
            }
            settings.nearby.grid = grid
        },
        SourceKey("Query", "Distance") { text, settings throws(BadValue) in
            settings.nearby.distanceField = text
        },
        SourceKey("Query", "DistanceUnit") { text, settings throws(BadValue) in
            settings.nearby.distanceUnit = try SettingValue.metres(text, in: 0.001...10_000)
        },
        SourceKey("Query", "PauseSec") { text, settings throws(BadValue) in
            settings.nearby.pauseSeconds = try SettingValue.seconds(text, in: 1...3600)
        },
    ]

    private enum InvalidWord: String {
        case skip, refuse
    }

    private enum PagingWord: String {
        case auto, startindex
    }

    private static func choice<Word: RawRepresentable<String>>(
        _ text: String, _ words: String...
    ) throws(BadValue) -> Word {
        guard let word = Word(rawValue: text) else {
            throw BadValue(reason: "not one of \(words.joined(separator: ", "))")
        }
        return word
    }
}
