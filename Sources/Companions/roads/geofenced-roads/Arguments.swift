import Program
import RoadGraph

/// The command line.
struct Arguments: ProgramArguments {
    var output: String?
    var options = HazardOptions()
    var extracts: [String] = []
    /// A road authority's list, and its columns.
    var list: (path: String, name: String, fields: ListFields)?

    static let help = """
        Usage: geofenced-roads [OPTION…] EXTRACT…
               geofenced-roads [OPTION…] --list FILE --format FORMAT [EXTRACT…]

        Finds low bridges and other limits in OpenStreetMap extracts, and writes the ways by which
        they are reached as GeoJSON, for `geofencectl import`. Extracts are files .osm.pbf, .osm,
        .osm.gz or .osm.bz2. With a list, its limits alone, on the roads of the extracts; without an
        extract, as points.

          --output FILE       write there instead of to standard output
          --kinds KIND,…      only these: height, width, length, weight, axle-load
          --height M          leave out heights above M metres
          --width M           leave out widths above M metres
          --length M          leave out lengths above M metres
          --weight T          leave out weights above T tonnes
          --axle-load T       leave out axle loads above T tonnes
          --list FILE         a road authority's list of limits, CSV or a JSON array
          --format FORMAT     of the list: wsdot, brisbane, nbi or networkrail
          --fields ROLE=COLUMN,…
                              the list's columns: id, latitude, longitude, height, width, length,
                              weight, axle-load, direction, title
          --unit ROLE=UNIT,…  what the list's numbers without a unit are in: m, ft, in, cm, mm, t, kg,
                              lb, st; without: what the column's name says, such as height_ft, or a
                              row of units under the header
          --private           also limits on service roads and private ground
          --default-height M  take maxheight=default for M metres; without: no limit
          --help              show this, and stop
          --version           show the version, and stop

        See geofenced-roads(1).
        """

    init(_ arguments: some Sequence<String>) throws {
        var values: [(option: String, value: String)] = []
        var words: [String: String] = [:]
        var reader = OptionReader(arguments)
        while let argument = try reader.next() {
            switch argument {
            case .operand(let word): extracts.append(word)
            case .option("--private"): options.includesPrivate = true
            case .option(let option):
                guard Self.valued.contains(option) else { throw reader.unknownOption }
                values.append((option, try reader.value()))
            }
        }
        for (option, value) in values {
            if ["--list", "--format", "--fields", "--unit"].contains(option) {
                words[option] = value
            } else {
                try set(option, value)
            }
        }
        list = try Self.list(words)
        guard !extracts.isEmpty || list != nil else {
            throw Failure.missing(argument: "EXTRACT…")
        }
    }

    private static func list(
        _ words: [String: String]
    ) throws(Failure) -> (path: String, name: String, fields: ListFields)? {
        guard let path = words["--list"] else {
            guard words.isEmpty else { throw .missing(option: "--list FILE") }
            return nil
        }
        var (name, fields) = try columns(words, path)
        if let units = words["--unit"] {
            do throws(ExtractError) { try fields.setUnits(parsing: units) } catch {
                throw .usage("\(error)")
            }
        }
        return (path, name, fields)
    }

    private static func columns(
        _ words: [String: String], _ path: String
    ) throws(Failure) -> (name: String, fields: ListFields) {
        switch (words["--format"], words["--fields"]) {
        case (let format?, nil):
            guard let fields = ListFields(format: format) else {
                throw .usage(
                    "not one of wsdot, brisbane, nbi, networkrail", "--format \(format)")
            }
            return (format, fields)
        case (nil, let text?):
            do throws(ExtractError) {
                return ("list", try ListFields(parsing: text))
            } catch {
                throw .usage("\(error)")
            }
        default:
            throw .usage("one of --format and --fields is needed", "--list \(path)")
        }
    }

    private static let valued: Set<String> = Set(
        ["--output", "--kinds", "--default-height", "--list", "--format", "--fields", "--unit"]
            + LimitKind.allCases.map { "--\($0.rawValue)" })

    private mutating func set(_ option: String, _ value: String) throws(Failure) {
        switch option {
        case "--output": output = value
        case "--kinds":
            options.kinds = []
            for word in value.split(separator: ",") {
                guard let kind = LimitKind(rawValue: String(word)) else {
                    let all = LimitKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw .usage("not one of \(all)", "--kinds \(value)")
                }
                options.kinds.insert(kind)
            }
        case "--default-height":
            options.defaultHeight = try Self.number(option, value, of: .height)
        default:
            guard let kind = LimitKind(rawValue: String(option.dropFirst(2))) else { return }
            options.most[kind] = try Self.number(option, value, of: kind)
        }
    }

    private static func number(
        _ option: String, _ value: String, of kind: LimitKind
    ) throws(Failure) -> Double {
        let range = kind.plausible
        guard let number = Double(value), range.contains(number) else {
            throw .usage(
                "not within \(range.lowerBound) to \(range.upperBound)", "\(option) \(value)")
        }
        return number
    }
}
