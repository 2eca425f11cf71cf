// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target of the house is compiled with: who may import whom is checked by the
/// build (with `--explicit-target-dependency-import-check error`), not by a reviewer.
let house: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Regular expressions come with every Swift file that does not say so: 0.9 MB of a program for
/// `contains` of a text in a text.
let shipped =
    house + [
        // Every use of what the compiler cannot vouch for says `unsafe`, and is a warning without.
        .strictMemorySafety(),
        .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
    ]

/// A library on one of the floors of `Sources`.
func library(_ name: String, in floor: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(floor)", swiftSettings: shipped)
}

func program(_ name: String, in floor: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)",
        swiftSettings: shipped)
}

func system(_ name: String, _ pkgConfig: String? = nil, _ package: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/Libraries/\(name)", pkgConfig: pkgConfig,
        providers: package.map { [.apt([$0])] })
}

func kit(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/TestKits/\(name)",
        swiftSettings: house)
}

let package = Package(
    name: "geofenced",
    targets: [
        // System libraries: module.modulemap and shim.h, nothing else.
        system("CGlibc"),
        system("CCAN"),
        system("CGPIO"),
        system("CGPS", "libgps", "libgps-dev"),
        system("CSQLite", "sqlite3", "libsqlite3-dev"),
        system("CSystemd", "libsystemd", "libsystemd-dev"),
        system("CExpat", "expat", "libexpat1-dev"),
        system("CZlib", "zlib", "zlib1g-dev"),
        // Of companions alone: SwiftPM asks pkg-config for all, and names those that are not here
        // also when it builds a program that needs none of them.
        system("CMosquitto"),
        system("CPQ"),
        system("CZstd"),
        system("CCurl"),
        system("CMicrohttpd"),

        // Base: knows nothing of fences.
        library("Bytes", in: "Base/Bytes"),
        library("SharedLimits", in: "Base/SharedLimits"),
        library("Memory", in: "Base/Memory", ["CGlibc"]),
        library("Files", in: "Base/Files"),
        library("Metrics", in: "Base/Metrics", ["Bytes", "Files"]),
        library("Time", in: "Base/Time"),
        library("Schedules", in: "Base/Schedules", ["Files", "Time"]),
        .target(
            name: "Geodesy", path: "Sources/Base/Geodesy", swiftSettings: shipped,
            linkerSettings: [.linkedLibrary("m")]),
        library("VehicleBus", in: "Base/VehicleBus", ["SharedLimits", "Time"]),
        library("JSON", in: "Base/JSON", ["Bytes"]),
        // What a report looks like, of one vehicle or of a fleet.
        library("Reports", in: "Base/Reports", ["Bytes", "JSON", "Time"]),
        library("GeoJSON", in: "Base/GeoJSON", ["Geodesy", "JSON"]),
        library("XML", in: "Base/XML", ["CExpat"]),
        library("Compression", in: "Base/Compression", ["CZlib", "Files"]),
        library("Zstandard", in: "Base/Zstandard", ["CZstd", "Files"]),
        library("Settings", in: "Base/Settings", ["Bytes", "Files", "Time"]),
        // What is said, in English; and in other languages, for the programs that a driver reads and
        // hears.
        .target(
            name: "SentenceTexts", path: "Sources/Base/SentenceTexts", exclude: ["en.txt"]),
        library(
            "Sentences", in: "Base/Sentences",
            ["Files", "Schedules", "SentenceTexts", "Settings", "Time"]),
        .target(
            name: "LanguageTexts", path: "Sources/Base/LanguageTexts", exclude: ["texts"]),
        library("Languages", in: "Base/Languages", ["LanguageTexts", "Sentences"]),
        library("Systemd", in: "Base/Systemd", ["CSystemd", "Files", "Time"]),
        // What every program has around its body; the second with the system's loop.
        library("Program", in: "Base/Program", ["Bytes", "Files"]),
        library(
            "Service", in: "Base/Service",
            ["Files", "Memory", "Program", "Settings", "Systemd", "Time"]),
        library(
            "HTTP", in: "Base/HTTP", ["Bytes", "CCurl", "JSON", "Settings", "Systemd", "Time"]),
        library(
            "WebServer", in: "Base/WebServer",
            ["Bytes", "CMicrohttpd", "Program", "Systemd", "Time"]),
        library("MQTT", in: "Base/MQTT", ["CMosquitto", "Files", "Settings", "Systemd", "Time"]),

        // The values that everybody means: no I/O, no clock.
        library("Model", in: "Model", ["Bytes", "Geodesy", "Schedules", "SharedLimits", "Time"]),

        // The law: no I/O, no clock.
        library(
            "Law", in: "Law", ["Bytes", "Geodesy", "Model", "Schedules", "SharedLimits", "Time"]),

        // Fences and events as messages.
        library(
            "Formats", in: "Formats", ["GeoJSON", "Geodesy", "JSON", "Model", "Sentences", "Time"]),

        // Fences and routes as files.
        library(
            "FenceFiles", in: "FenceFiles",
            [
                "Bytes", "Compression", "Files", "Formats", "GeoJSON", "Geodesy", "JSON", "Model",
                "Sentences", "Time", "XML",
            ]),

        // The map page: what a browser shows, for the tool and its companion.
        .target(
            name: "MapAssets", path: "Sources/Pages/MapAssets", exclude: ["page"]),
        library("MapPage", in: "Pages/MapPage", ["Bytes", "MapAssets", "Sentences"]),

        // SQLite, and the files beside it.
        .target(
            name: "StoreSchemas", path: "Sources/Storage/Schemas",
            exclude: ["catalogue.defined", "catalogue.sql", "events.defined", "events.sql"]),
        .target(
            name: "Storage",
            dependencies: [
                "Bytes", "CSQLite", "Files", "Geodesy", "JSON", "Law", "Model", "Schedules",
                "StoreSchemas", "Time",
            ],
            path: "Sources/Storage", exclude: ["Schemas"], swiftSettings: shipped),

        // What the D-Bus interface is called and how it writes things, for both of its sides.
        library(
            "Geofence1", in: "Bus/Interface",
            [
                "Bytes", "Formats", "GeoJSON", "Geodesy", "JSON", "Metrics", "Model", "Systemd",
                "Time",
            ]),

        // What every other program speaks to the daemon with.
        library(
            "BusClient", in: "Bus/Client",
            [
                "Bytes", "Files", "Formats", "Geodesy", "Geofence1", "JSON", "Metrics",
                "Model", "Sentences", "SharedLimits", "Systemd", "Time",
            ]),

        // The daemon: its adapters, which never import each other, and its wiring.
        library(
            "FixSources", in: "Daemon/FixSources",
            [
                "Bytes", "CGPS", "Compression", "Files", "Geodesy", "JSON", "Law", "Model",
                "Systemd", "Time", "VehicleBus", "XML",
            ]),
        library(
            "BeaconSource", in: "Daemon/BeaconSource", ["Bytes", "Model", "Systemd", "Time"]),
        library(
            "VehicleInputs", in: "Daemon/VehicleInputs",
            ["CGPIO", "Files", "Model", "Settings", "Systemd", "Time"]),
        library(
            "EventSinks", in: "Daemon/EventSinks",
            ["Formats", "Geofence1", "JSON", "Model", "Systemd", "Time"]),
        library(
            "Monitoring", in: "Daemon/Monitoring",
            [
                "Bytes", "FenceFiles", "Formats", "Geodesy", "JSON", "Law", "Model", "Schedules",
                "Storage", "Time",
            ]),
        library(
            "BusService", in: "Daemon/BusService",
            [
                "Bytes", "Files", "Geodesy", "Geofence1", "JSON", "Law", "Model", "Monitoring",
                "Systemd", "Time",
            ]),
        library(
            "Configuration", in: "Daemon/Configuration",
            [
                "BusService", "FixSources", "Law", "Model", "Monitoring", "Program", "Schedules",
                "Sentences", "Settings", "Storage", "Time", "VehicleInputs",
            ]),
        program(
            "geofenced", in: "Daemon",
            [
                "BeaconSource", "BusService", "Bytes", "CGlibc", "Configuration", "EventSinks",
                "FenceFiles", "Files", "FixSources", "Formats", "JSON", "Law", "Memory", "Model",
                "Monitoring", "Program", "Schedules", "Service", "Settings", "SharedLimits",
                "Storage", "Systemd", "Time", "VehicleInputs",
            ]),

        // The tool.
        program(
            "geofencectl", in: "Tool",
            [
                "BusClient", "Bytes", "Configuration", "FenceFiles", "Files", "FixSources",
                "Formats", "Geodesy", "Geofence1", "JSON", "Law", "MapPage", "Metrics", "Model",
                "Program", "Reports", "Schedules", "Sentences", "Settings", "Storage", "Systemd",
                "Time", "VehicleInputs",
            ]),

        // The driver's voice.
        library(
            "Alerting", in: "Companions/alert/Alerting",
            [
                "BusClient", "Bytes", "Files", "Geofence1", "Program", "Schedules", "Sentences",
                "Systemd", "Time",
            ]),
        program(
            "geofenced-alert", in: "Companions/alert",
            [
                "Alerting", "BusClient", "Languages", "Program", "Schedules", "Sentences",
                "Service", "Settings", "Systemd", "Time",
            ]),
        // Companions: programs beside the daemon, which neither import it nor are linked into it.
        .target(
            name: "COSM", path: "Sources/Companions/roads/COSM",
            cxxSettings: [
                .define("OSMIUM_WITH_LZ4"), .define("NDEBUG", .when(configuration: .release)),
            ],
            linkerSettings: [
                .linkedLibrary("bz2"), .linkedLibrary("expat"), .linkedLibrary("lz4"),
                .linkedLibrary("z"),
            ]),
        library(
            "RoadGraph", in: "Companions/roads/RoadGraph",
            ["COSM", "Files", "Geodesy", "JSON", "Schedules", "Time"]),
        program("geofenced-roads", in: "Companions/roads", ["Files", "Program", "RoadGraph"]),

        // Fences from elsewhere.
        library(
            "FenceSync", in: "Companions/sync/FenceSync",
            [
                "BusClient", "Bytes", "Compression", "FenceFiles", "Files", "Formats", "GeoJSON",
                "Geodesy", "Geofence1", "HTTP", "JSON", "Model", "Program", "Settings",
                "SharedLimits", "Systemd", "Time", "XML",
            ]),
        program(
            "geofenced-sync", in: "Companions/sync",
            ["FenceSync", "Files", "Program", "Service", "Settings", "Systemd", "Time"]),

        // The drive in a browser.
        .target(
            name: "CTiles", path: "Sources/Companions/map/CTiles",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        library(
            "LiveMap", in: "Companions/map/LiveMap",
            [
                "BusClient", "CTiles", "Files", "Geofence1", "JSON", "MapPage", "Metrics",
                "Program", "Sentences", "Settings", "Systemd", "Time", "WebServer",
            ]),
        program(
            "geofenced-map", in: "Companions/map",
            [
                "Languages", "LiveMap", "MapPage", "Program", "Sentences", "Service", "Systemd",
                "Time", "WebServer",
            ]),

        // The vehicle's own word.
        library(
            "CANGateway", in: "Companions/can/CANGateway",
            ["CCAN", "Program", "Settings", "Systemd", "Time", "VehicleBus"]),
        program(
            "geofenced-can", in: "Companions/can",
            ["CANGateway", "Program", "Service", "Settings", "Systemd"]),

        // Events to elsewhere.
        library(
            "Uplinking", in: "Companions/uplink/Uplinking",
            [
                "BusClient", "Bytes", "Formats", "Geodesy", "Geofence1", "HTTP", "JSON", "MQTT",
                "Model", "Program", "Settings", "SharedLimits", "Systemd", "Time",
            ]),
        program(
            "geofenced-uplink", in: "Companions/uplink",
            ["BusClient", "Program", "Service", "Settings", "Systemd", "Uplinking"]),

        // The server side of a fleet, which shares the event's JSON, what a browser shows, what a report
        // looks like, and the files of areas.
        library("PostgreSQL", in: "Fleet/PostgreSQL", ["CPQ", "Systemd"]),
        .target(name: "OfficeSchema", path: "Sources/Fleet/OfficeSchema", exclude: ["office.sql"]),
        library(
            "Ingesting", in: "Fleet/Ingesting",
            [
                "Bytes", "FenceFiles", "Files", "Geodesy", "JSON", "MQTT", "Metrics", "Model",
                "OfficeSchema", "PostgreSQL", "Program", "Reports", "Settings", "SharedLimits",
                "Systemd", "Time", "Zstandard",
            ]),
        program(
            "geofenced-ingest", in: "Fleet",
            [
                "Files", "Ingesting", "Metrics", "PostgreSQL", "Program", "Reports", "Service",
                "Settings", "Systemd",
            ]),
        library(
            "LiveBoard", in: "Fleet/LiveBoard",
            [
                "Bytes", "Ingesting", "JSON", "Languages", "MapPage", "Metrics", "PostgreSQL",
                "Program", "Reports", "Sentences", "Settings", "Systemd", "Time", "WebServer",
            ]),
        program(
            "geofenced-board", in: "Fleet",
            ["LiveBoard", "PostgreSQL", "Program", "Service", "Settings", "Systemd", "WebServer"]),

        // For tests: hand-driven time, the oracle, seeded random numbers.
        kit("EngineTestKit", ["Geodesy", "Law", "Model", "Schedules", "Time"]),
        // For tests: a bus of one's own, other programs, temporary directories.
        kit("SystemTestKit", ["Files", "Systemd", "Time"]),
        // For tests: fences with unusual properties, an event with all fields, the tables as the
        // manual pages have them.
        kit("FormatsTestKit", ["Formats", "Geodesy", "Model", "Time"]),
        // For fuzzing, and for tests with its corpus.
        .target(
            name: "Fuzzing",
            dependencies: [
                "BusService", "Bytes", "EngineTestKit", "FenceFiles", "FenceSync", "FixSources",
                "Formats", "Geodesy", "Geofence1", "HTTP", "Ingesting", "JSON", "Law", "LiveMap",
                "MQTT", "Model", "Monitoring", "RoadGraph", "Schedules", "Settings", "Storage",
                "SystemTestKit", "Systemd", "Time", "Uplinking", "VehicleBus", "WebServer",
            ],
            path: "Tests/Fuzzing/Entries", swiftSettings: house),
        // Is killed, and meets full disks, for StorageTests.
        .executableTarget(
            name: "store-child", dependencies: ["Geodesy", "Law", "Model", "Storage", "Time"],
            path: "Tests/Storage/store-child", swiftSettings: house),
    ],
    // libosmium is a library of templates in C++.
    cxxLanguageStandard: .cxx17
)

/// The tests of a module may use what that uses, and more: kits, programs, and other modules.
@MainActor func tests(
    _ name: String, in floor: String = "", _ more: [Target.Dependency] = [],
    exclude: [String] = []
) -> Target {
    let module = package.targets.first { "\($0.name)Tests" == name }
    return .testTarget(
        name: name,
        dependencies: (module.map { [.byName(name: $0.name)] + $0.dependencies } ?? []) + more,
        path: floor.isEmpty ? "Tests/\(name)" : "Tests/\(floor)/\(name)",
        exclude: exclude, swiftSettings: house)
}

package.targets += [
    tests("FuzzingTests"),
    tests("BytesTests", in: "Base"),
    tests("FilesTests", in: "Base", ["SystemTestKit"]),
    tests("MetricsTests", in: "Base", ["SystemTestKit"]),
    tests("TimeTests", in: "Base"),
    tests("VehicleBusTests", in: "Base"),
    tests("SchedulesTests", in: "Base", ["SystemTestKit"], exclude: ["peer.py"]),
    tests("GeodesyTests", in: "Base", ["JSON"], exclude: ["Data"]),
    tests("JSONTests", in: "Base"),
    tests("ReportsTests", in: "Base"),
    tests("XMLTests", in: "Base"),
    tests("MapPageTests", in: "Pages", ["Languages", "Model", "Monitoring"]),
    tests("CompressionTests", in: "Base", ["SystemTestKit"]),
    tests("ZstandardTests", in: "Base", ["SystemTestKit"]),
    tests("SettingsTests", in: "Base"),
    tests("SentencesTests", in: "Base", ["Languages", "SystemTestKit"]),
    tests("ProgramTests", in: "Base"),
    tests("HTTPTests", in: "Base", ["SystemTestKit"]),
    tests("SystemdTests", in: "Base", ["SystemTestKit"]),
    tests("WebServerTests", in: "Base", ["SystemTestKit"]),
    tests(
        "RoadGraphTests", in: "Companions", ["SystemTestKit", "geofenced-roads"], exclude: ["Data"]),
    tests("LawTests", ["EngineTestKit"], exclude: ["Beacon/Data"]),
    tests("FormatsTests", ["Languages", "SystemTestKit"]),
    tests(
        "FenceFilesTests", ["EngineTestKit", "FormatsTestKit", "Languages", "SystemTestKit"],
        exclude: ["Data"]),
    tests(
        "Geofence1Tests", in: "Bus", ["BusClient", "FenceFiles", "FormatsTestKit", "SystemTestKit"]),
    tests(
        "StorageTests", in: "Storage",
        ["EngineTestKit", "Formats", "FormatsTestKit", "SystemTestKit", "store-child"],
        exclude: ["Data"]),
    tests("FixSourcesTests", in: "Daemon", ["SystemTestKit"], exclude: ["Data"]),
    tests("BeaconSourceTests", in: "Daemon", ["SystemTestKit"]),
    tests("ConfigurationTests", in: "Daemon"),
    tests("VehicleInputsTests", in: "Daemon", ["SystemTestKit"]),
    tests("EventSinksTests", in: "Daemon", ["Geodesy", "SystemTestKit"]),
    tests("MonitoringTests", in: "Daemon", ["EngineTestKit", "SystemTestKit"], exclude: ["Data"]),
    tests(
        "BusServiceTests", in: "Daemon", ["EventSinks", "Storage", "SystemTestKit"]),
    tests("IngestingTests", in: "Fleet", ["SystemTestKit", "geofenced-ingest"]),
    tests("LiveBoardTests", in: "Fleet", ["SystemTestKit"]),
    tests("MemoryTests", in: "Base"),
    tests("MQTTTests", in: "Base", ["SystemTestKit"]),
    tests("CANGatewayTests", in: "Companions", ["SystemTestKit"]),
    tests("UplinkingTests", in: "Companions", ["FormatsTestKit", "SystemTestKit"]),
    tests("AlertingTests", in: "Companions", ["Languages", "SystemTestKit"]),
    tests(
        "FenceSyncTests", in: "Companions",
        ["SystemTestKit", "geofencectl", "geofenced", "geofenced-sync"],
        exclude: ["Data", "Servers"]),
    tests("LiveMapTests", in: "Companions", ["SystemTestKit"]),
    tests(
        "ReplayTests",
        [
            "EngineTestKit", "FenceFiles", "FixSources", "Formats", "Geodesy", "Geofence1", "JSON",
            "Law", "Model", "Storage", "SystemTestKit", "Time", "geofencectl",
        ], exclude: ["Traces", "compare-golden", "rewrite-golden"]),
    tests(
        "ProcessTests",
        [
            "Alerting", "BusService", "EngineTestKit", "EventSinks", "FixSources", "Formats",
            "FormatsTestKit", "Geodesy", "Geofence1", "JSON", "Law", "MQTT", "Model", "Monitoring",
            "SharedLimits", "Storage", "SystemTestKit", "Systemd", "Time", "geofencectl",
            "geofenced", "geofenced-alert", "geofenced-board", "geofenced-can", "geofenced-ingest",
            "geofenced-map", "geofenced-roads", "geofenced-sync", "geofenced-uplink",
        ]),
]

// `make test ONLY=SUITE`: those suites, and what they need.
if let suites = Context.environment["SUITES"], !suites.isEmpty {
    var needed: Set<String> = []
    func need(_ name: String) {
        guard needed.insert(name).inserted else { return }
        for case .byNameItem(let name, _) in package.targets.first(where: { $0.name == name })?
            .dependencies ?? []
        {
            need(name)
        }
    }
    for suite in suites.split(separator: ",") { need(String(suite)) }
    package.targets.removeAll { !needed.contains($0.name) }
}

// `make fuzz`: links with nothing but libFuzzer, and is no part of any other build.
if Context.environment["FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzzing/CLibFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["CLibFuzzer", "Fuzzing"],
            path: "Tests/Fuzzing/Driver", swiftSettings: house),
    ]
}

// `make bench`: our parts without the daemon around them, and no part of any other build.
if Context.environment["BENCH"] != nil {
    package.targets += [
        .executableTarget(
            name: "geofenced-bench",
            dependencies: [
                "EngineTestKit", "FenceFiles", "FixSources", "Geodesy", "Law", "Model",
                "Monitoring", "Storage", "Systemd", "Time",
            ],
            path: "Benchmarks/Engine", swiftSettings: house),
        .executableTarget(
            name: "approach-bench",
            dependencies: [
                "EngineTestKit", "FenceFiles", "Geodesy", "JSON", "Law", "Model", "RoadGraph",
                "Time",
            ],
            path: "Benchmarks/Approach", swiftSettings: house),
    ]
}
