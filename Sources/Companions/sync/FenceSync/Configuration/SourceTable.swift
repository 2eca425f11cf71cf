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

/// Every key, once; what each does is said in geofenced-sync(8), and compared by a test.
enum SourceTable {
    static let keys: [SourceKey] = source + auth + fields + query

    private static let source = [
        SourceKey("Source", "Type") { text, settings throws(BadValue) in
            settings.kind = try choice(text, "odata", "ogcapi", "geojson")
        },
        SourceKey("Source", "URL") { text, settings throws(BadValue) in
            settings.address = try address(text)
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

    private static let auth = [
        SourceKey("Auth", "Type") { text, settings throws(BadValue) in
            settings.auth.usesBasic = false
            settings.auth.usesBearer = false
            settings.auth.usesOAuth2 = false
            settings.auth.usesCertificate = false
            for word in text.split(whereSeparator: { $0 == " " || $0 == "," }) {
                switch word {
                case "none": continue
                case "basic": settings.auth.usesBasic = true
                case "bearer": settings.auth.usesBearer = true
                case "oauth2": settings.auth.usesOAuth2 = true
                case "mtls": settings.auth.usesCertificate = true
                default: throw BadValue(reason: "not none, basic, bearer, oauth2 or mtls")
                }
            }
        },
        SourceKey("Auth", "User") { text, settings throws(BadValue) in
            settings.auth.user = text
        },
        SourceKey("Auth", "Password") { text, settings throws(BadValue) in
            settings.auth.password = try credential(text)
        },
        SourceKey("Auth", "Token") { text, settings throws(BadValue) in
            settings.auth.token = try credential(text)
        },
        SourceKey("Auth", "TokenURL") { text, settings throws(BadValue) in
            settings.auth.tokenURL = try address(text)
        },
        SourceKey("Auth", "ClientId") { text, settings throws(BadValue) in
            settings.auth.clientID = text
        },
        SourceKey("Auth", "ClientSecret") { text, settings throws(BadValue) in
            settings.auth.clientSecret = try credential(text)
        },
        SourceKey("Auth", "Scope") { text, settings throws(BadValue) in
            settings.auth.scope = text
        },
        SourceKey("Auth", "CA") { text, settings throws(BadValue) in
            settings.auth.authorities = try credential(text)
        },
        SourceKey("Auth", "Certificate") { text, settings throws(BadValue) in
            settings.auth.certificate = try credential(text)
        },
        SourceKey("Auth", "Key") { text, settings throws(BadValue) in
            settings.auth.key = try credential(text)
        },
        SourceKey("Auth", "Proxy") { text, settings throws(BadValue) in
            settings.auth.proxy = try address(text).text
        },
    ]

    private static let fields =
        FieldMap.Field.allCases.map { field in
            SourceKey("Fields", field.rawValue) { text, settings throws(BadValue) in
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
        SourceKey("Query", "Reach") { text, settings throws(BadValue) in
            let range = 1000...SourceSettings.Nearby.farthest
            settings.nearby.reach = try SettingValue.metres(text, in: range)
        },
        SourceKey("Query", "MaxRadius") { text, settings throws(BadValue) in
            settings.nearby.maxRadius = try SettingValue.metres(text, in: 0...1_000_000)
        },
        SourceKey("Query", "QueryGrid") { text, settings throws(BadValue) in
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

    private static func address(_ text: String) throws(BadValue) -> WebAddress {
        do throws(FlawedAddress) { return try WebAddress(text) } catch {
            throw BadValue(reason: error.description)
        }
    }

    /// Secrets never stand in the file: a credential's name follows the @.
    private static func credential(_ text: String) throws(BadValue) -> String {
        let name = text.dropFirst()
        guard text.hasPrefix("@"), !name.isEmpty, !name.hasPrefix("."),
            name.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F })
        else { throw BadValue(reason: "not the name of a credential: @password") }
        return String(name)
    }
}
