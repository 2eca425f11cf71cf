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

func tests(
    _ name: String, in floor: String = "", _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies,
        path: floor.isEmpty ? "Tests/\(name)" : "Tests/\(floor)/\(name)",
        exclude: exclude, swiftSettings: house)
}

let package = Package(
    name: "geofenced",
    targets: [
        // System libraries: module.modulemap and shim.h, nothing else.
        system("CGlibc"),
        system("CGPIO"),
        system("CGPS", "libgps", "libgps-dev"),
        system("CSQLite", "sqlite3", "libsqlite3-dev"),
        system("CSystemd", "libsystemd", "libsystemd-dev"),
        system("CExpat", "expat", "libexpat1-dev"),
        system("CMosquitto", "libmosquitto", "libmosquitto-dev"),
        system("CPQ", "libpq", "libpq-dev"),
        system("CZlib", "zlib", "zlib1g-dev"),
        system("CCurl", "libcurl", "libcurl4-openssl-dev"),
        system("CMicrohttpd", "libmicrohttpd", "libmicrohttpd-dev"),

        // Base: knows nothing of fences.
        library("Bytes", in: "Base/Bytes"),
        library("SharedLimits", in: "Base/SharedLimits"),
        library("Memory", in: "Base/Memory", ["CGlibc"]),
        library("Files", in: "Base/Files"),
        library("Time", in: "Base/Time"),
        library("Schedules", in: "Base/Schedules", ["Files", "Time"]),
        .target(
            name: "Geodesy", path: "Sources/Base/Geodesy", swiftSettings: shipped,
            linkerSettings: [.linkedLibrary("m")]),
        library("JSON", in: "Base/JSON", ["Bytes"]),
        library("GeoJSON", in: "Base/GeoJSON", ["Geodesy", "JSON"]),
        library("XML", in: "Base/XML", ["CExpat"]),
        library("Compression", in: "Base/Compression", ["CZlib", "Files"]),
        library("Settings", in: "Base/Settings", ["Files", "Time"]),
        library("Systemd", in: "Base/Systemd", ["CSystemd", "Files", "Time"]),
        // What every program has around its body; the second with the system's loop.
        library("Program", in: "Base/Program", ["Bytes", "Files"]),
        library("Service", in: "Base/Service", ["Memory", "Program", "Systemd", "Time"]),
        library("HTTP", in: "Base/HTTP", ["CCurl", "JSON", "Settings", "Systemd", "Time"]),
        library("MQTT", in: "Base/MQTT", ["CMosquitto", "Files", "Settings", "Systemd", "Time"]),

        // The law: no I/O, no clock.
        library("Engine", in: "Engine", ["Bytes", "Geodesy", "Schedules", "SharedLimits", "Time"]),

        // Fences and events as files and messages.
        library(
            "Formats", in: "Formats",
            [
                "Bytes", "Compression", "Engine", "Files", "GeoJSON", "Geodesy", "JSON", "Time",
                "XML",
            ]),

        // The map page: what a browser shows, for the tool and its companion.
        .target(
            name: "MapAssets", path: "Sources/Pages/MapAssets", exclude: ["page"]),
        library("MapPage", in: "Pages/MapPage", ["Bytes", "MapAssets"]),

        // SQLite, and the files beside it.
        library(
            "Storage", in: "Storage",
            ["Bytes", "CSQLite", "Engine", "Files", "Geodesy", "JSON", "Schedules", "Time"]),

        // What the D-Bus interface is called and how it writes things, for both of its sides.
        library(
            "Geofence1", in: "Bus/Interface",
            ["Engine", "Formats", "GeoJSON", "Geodesy", "JSON", "Systemd", "Time"]),

        // What every other program speaks to the daemon with.
        library(
            "BusClient", in: "Bus/Client",
            [
                "Engine", "Files", "Formats", "Geodesy", "Geofence1", "JSON", "SharedLimits",
                "Systemd", "Time",
            ]),

        // The daemon: its adapters, which never import each other, and its wiring.
        library(
            "FixSources", in: "Daemon/FixSources",
            [
                "Bytes", "CGPS", "Compression", "Engine", "Files", "Geodesy", "JSON", "Systemd",
                "Time", "XML",
            ]),
        library(
            "BeaconSource", in: "Daemon/BeaconSource", ["Bytes", "Engine", "Systemd", "Time"]),
        library(
            "VehicleInputs", in: "Daemon/VehicleInputs", ["CGPIO", "Settings", "Systemd", "Time"]),
        library(
            "EventSinks", in: "Daemon/EventSinks",
            ["Engine", "Formats", "Geofence1", "JSON", "Systemd", "Time"]),
        library(
            "Monitoring", in: "Daemon/Monitoring",
            ["Bytes", "Engine", "Formats", "Geodesy", "JSON", "Schedules", "Storage", "Time"]),
        library(
            "BusService", in: "Daemon/BusService",
            [
                "Bytes", "Engine", "Files", "Geodesy", "Geofence1", "JSON", "Monitoring", "Systemd",
                "Time",
            ]),
        library(
            "Configuration", in: "Daemon/Configuration",
            [
                "BusService", "Engine", "FixSources", "Monitoring", "Program", "Schedules",
                "Settings", "Storage", "Time", "VehicleInputs",
            ]),
        program(
            "geofenced", in: "Daemon",
            [
                "BeaconSource", "BusService", "Bytes", "CGlibc", "Configuration", "Engine",
                "EventSinks", "Files", "FixSources", "Formats", "JSON", "Memory", "Monitoring",
                "Program", "Schedules", "Service", "Settings", "Storage", "Systemd", "Time",
                "VehicleInputs",
            ]),

        // The tool.
        program(
            "geofencectl", in: "Tool",
            [
                "BusClient", "Bytes", "Configuration", "Engine", "Files", "FixSources", "Formats",
                "Geodesy", "Geofence1", "JSON", "MapPage", "Program", "Schedules", "Settings",
                "Storage", "Systemd", "Time",
            ]),

        // The driver's voice.
        library(
            "Alerting", in: "Companions/alert/Alerting",
            ["BusClient", "Bytes", "Files", "Program", "Systemd", "Time"]),
        program(
            "geofenced-alert", in: "Companions/alert",
            ["Alerting", "BusClient", "Program", "Service", "Systemd", "Time"]),
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
                "BusClient", "Bytes", "Compression", "Files", "Formats", "Geodesy", "Geofence1",
                "HTTP", "JSON", "Program", "Settings", "SharedLimits", "Systemd", "Time", "XML",
            ]),
        program(
            "geofenced-sync", in: "Companions/sync",
            ["FenceSync", "Files", "Program", "Service", "Settings", "Systemd", "Time"]),

        // The drive in a browser.
        library("WebServer", in: "Companions/map/WebServer", ["CMicrohttpd", "Systemd", "Time"]),
        .target(
            name: "CTiles", path: "Sources/Companions/map/CTiles",
            linkerSettings: [.linkedLibrary("sqlite3")]),
        library(
            "LiveMap", in: "Companions/map/LiveMap",
            [
                "BusClient", "CTiles", "Files", "Geofence1", "JSON", "MapPage", "Program",
                "Settings", "Systemd", "Time", "WebServer",
            ]),
        program(
            "geofenced-map", in: "Companions/map",
            ["LiveMap", "Program", "Service", "Systemd", "Time", "WebServer"]),

        // Events to elsewhere.
        library(
            "Uplinking", in: "Companions/uplink/Uplinking",
            [
                "BusClient", "Bytes", "Engine", "Formats", "Geodesy", "HTTP", "JSON", "MQTT",
                "Program", "Settings", "SharedLimits", "Systemd", "Time",
            ]),
        program(
            "geofenced-uplink", in: "Companions/uplink",
            ["BusClient", "Program", "Service", "Settings", "Systemd", "Uplinking"]),

        // The server side of a fleet, which shares the event's JSON and nothing else.
        library("PostgreSQL", in: "Fleet/PostgreSQL", ["CPQ", "Systemd"]),
        library(
            "Ingesting", in: "Fleet/Ingesting",
            [
                "Bytes", "JSON", "MQTT", "PostgreSQL", "Program", "Settings", "SharedLimits",
                "Systemd", "Time",
            ]),
        program(
            "geofenced-ingest", in: "Fleet",
            ["Ingesting", "PostgreSQL", "Program", "Service", "Settings", "Systemd"]),

        // For tests: hand-driven time, the oracle, seeded random numbers.
        kit("EngineTestKit", ["Engine", "Geodesy", "Schedules", "Time"]),
        // For tests: a bus of one's own, other programs, temporary directories.
        kit("SystemTestKit", ["Files", "Systemd", "Time"]),
        // For tests: fences with unusual properties, an event with all fields, the tables as the
        // manual pages have them.
        kit("FormatsTestKit", ["Engine", "Formats", "Geodesy", "Time"]),
        // For fuzzing, and for tests with its corpus.
        .target(
            name: "Fuzzing",
            dependencies: [
                "BusService", "Bytes", "Engine", "EngineTestKit", "FenceSync", "FixSources",
                "Formats", "Geodesy", "Geofence1", "HTTP", "Ingesting", "JSON", "LiveMap", "MQTT",
                "Monitoring", "RoadGraph", "Schedules", "Settings", "Storage", "SystemTestKit",
                "Systemd", "Time", "Uplinking", "WebServer",
            ],
            path: "Tests/Fuzzing/Entries", swiftSettings: house),
        tests("FuzzingTests", ["Engine", "Fuzzing"]),

        tests("BytesTests", in: "Base", ["Bytes"]),
        tests("FilesTests", in: "Base", ["Files", "SystemTestKit"]),
        tests("TimeTests", in: "Base", ["Time"]),
        tests(
            "SchedulesTests", in: "Base", ["Schedules", "SystemTestKit", "Time"],
            exclude: ["peer.py"]),
        tests("GeodesyTests", in: "Base", ["Geodesy", "JSON"], exclude: ["Data"]),
        tests("JSONTests", in: "Base", ["Bytes", "JSON"]),
        tests("XMLTests", in: "Base", ["XML"]),
        tests("MapPageTests", in: "Pages", ["Bytes", "MapPage"]),
        tests("CompressionTests", in: "Base", ["Compression", "SystemTestKit"]),
        tests("SettingsTests", in: "Base", ["Settings"]),
        tests("ProgramTests", in: "Base", ["Program"]),
        tests("HTTPTests", in: "Base", ["HTTP", "SystemTestKit", "Systemd", "Time"]),
        tests("SystemdTests", in: "Base", ["SystemTestKit", "Systemd", "Time"]),
        tests(
            "RoadGraphTests", in: "Companions",
            ["Geodesy", "JSON", "RoadGraph", "SystemTestKit", "geofenced-roads"],
            exclude: ["Data"]),
        tests(
            "EngineTests", ["Bytes", "Engine", "EngineTestKit", "Geodesy", "Time"],
            exclude: ["Beacon/Data"]),
        tests(
            "FormatsTests",
            [
                "Engine", "EngineTestKit", "Formats", "FormatsTestKit", "Geodesy", "JSON",
                "SystemTestKit", "Time",
            ], exclude: ["Data"]),
        tests(
            "Geofence1Tests", in: "Bus",
            [
                "BusClient", "Engine", "Formats", "FormatsTestKit", "Geodesy", "Geofence1",
                "Systemd", "Time",
            ]),
        tests(
            "StorageTests", in: "Storage",
            [
                "Bytes", "Engine", "EngineTestKit", "Formats", "FormatsTestKit", "Geodesy", "JSON",
                "Schedules", "Storage", "SystemTestKit", "Time", "store-child",
            ],
            exclude: ["Data"]),
        // Is killed, and meets full disks, for StorageTests.
        .executableTarget(
            name: "store-child", dependencies: ["Engine", "Formats", "Geodesy", "Storage", "Time"],
            path: "Tests/Storage/store-child", swiftSettings: house),
        tests(
            "FixSourcesTests", in: "Daemon",
            ["Compression", "Engine", "FixSources", "Geodesy", "SystemTestKit", "Systemd", "Time"],
            exclude: ["Data"]),
        tests(
            "BeaconSourceTests", in: "Daemon",
            ["BeaconSource", "Engine", "SystemTestKit", "Systemd"]),
        tests(
            "ConfigurationTests", in: "Daemon",
            [
                "BusService", "Configuration", "Engine", "FixSources", "Monitoring", "Settings",
                "Time",
                "VehicleInputs",
            ]),
        tests(
            "VehicleInputsTests", in: "Daemon",
            ["CGPIO", "Settings", "SystemTestKit", "Systemd", "Time", "VehicleInputs"]),
        tests(
            "EventSinksTests", in: "Daemon",
            [
                "Engine", "EventSinks", "Formats", "Geodesy", "Geofence1", "SystemTestKit",
                "Systemd", "Time",
            ]),
        tests(
            "MonitoringTests", in: "Daemon",
            ["Bytes", "Engine", "Geodesy", "Monitoring", "Storage", "SystemTestKit", "Time"],
            exclude: ["Data"]),
        tests(
            "BusServiceTests", in: "Daemon",
            [
                "BusService", "Engine", "EventSinks", "Formats", "Geodesy", "Geofence1",
                "Monitoring", "Storage", "SystemTestKit", "Systemd", "Time",
            ]),
        tests(
            "IngestingTests", in: "Fleet",
            [
                "Ingesting", "JSON", "MQTT", "PostgreSQL", "Program", "Settings", "SharedLimits",
                "SystemTestKit", "Systemd", "Time",
            ]),
        tests("MemoryTests", in: "Base", ["Memory"]),
        tests("MQTTTests", in: "Base", ["MQTT", "SystemTestKit", "Systemd", "Time"]),
        tests(
            "UplinkingTests", in: "Companions",
            [
                "Engine", "Formats", "FormatsTestKit", "Geodesy", "HTTP", "JSON", "MQTT",
                "Settings", "SharedLimits", "SystemTestKit", "Time", "Uplinking",
            ]),
        tests(
            "AlertingTests", in: "Companions",
            ["Alerting", "BusClient", "Program", "SystemTestKit", "Systemd", "Time"]),
        tests(
            "FenceSyncTests", in: "Companions",
            [
                "BusClient", "FenceSync", "Formats", "Geodesy", "Geofence1", "HTTP", "JSON",
                "Settings", "SystemTestKit", "Systemd", "Time", "geofenced", "geofenced-sync",
                "geofencectl",
            ],
            exclude: ["Data", "Servers"]),
        tests(
            "WebServerTests", in: "Companions", ["SystemTestKit", "Systemd", "Time", "WebServer"]),
        tests(
            "LiveMapTests", in: "Companions",
            [
                "BusClient", "LiveMap", "MapPage", "Program", "Settings", "SystemTestKit",
                "Systemd", "Time", "WebServer",
            ]),
        tests(
            "ReplayTests",
            [
                "Engine", "EngineTestKit", "FixSources", "Formats", "Geodesy", "Geofence1", "JSON",
                "Storage", "SystemTestKit", "Time", "geofencectl",
            ],
            exclude: ["Traces", "compare-golden", "rewrite-golden"]),
        tests(
            "ProcessTests",
            [
                "BusService", "Engine", "EngineTestKit", "EventSinks", "FixSources", "Formats",
                "FormatsTestKit", "Geodesy", "Geofence1", "JSON", "MQTT", "Monitoring",
                "SharedLimits", "Storage", "SystemTestKit", "Systemd", "Time", "geofencectl",
                "geofenced", "geofenced-alert", "geofenced-ingest", "geofenced-map",
                "geofenced-roads", "geofenced-sync", "geofenced-uplink",
            ]),
    ],
    // libosmium is a library of templates in C++.
    cxxLanguageStandard: .cxx17
)

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
                "Engine", "EngineTestKit", "FixSources", "Formats", "Geodesy", "Storage", "Systemd",
                "Time",
            ],
            path: "Benchmarks/Engine", swiftSettings: house),
        .executableTarget(
            name: "approach-bench",
            dependencies: [
                "Engine", "EngineTestKit", "Formats", "Geodesy", "JSON", "RoadGraph", "Time",
            ],
            path: "Benchmarks/Approach", swiftSettings: house),
    ]
}
