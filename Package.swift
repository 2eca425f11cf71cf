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
        // Every closure of the main actor asks when it is called whether it is there, for callers
        // that no compiler has checked (SE-0423). Ours are libsystemd alone, whose callbacks ask
        // themselves; tests keep the questions.
        .unsafeFlags(
            ["-Xfrontend", "-disable-dynamic-actor-isolation"], .when(configuration: .release)),
    ]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: shipped)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], data: Bool = false) -> Target {
    .testTarget(
        name: name, dependencies: dependencies,
        exclude: data ? ["Data"] : [],
        swiftSettings: house)
}

let package = Package(
    name: "geofenced",
    products: [
        .executable(name: "geofenced", targets: ["geofenced"]),
        .executable(name: "geofencectl", targets: ["geofencectl"]),
    ],
    targets: [
        // System libraries: module.modulemap and shim.h, nothing else.
        .systemLibrary(name: "CGlibc"),
        .systemLibrary(name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Bytes of others, checked.
        library("Bytes"),

        // Pure: no I/O, no clock.
        .target(
            name: "Geodesy", swiftSettings: shipped, linkerSettings: [.linkedLibrary("m")]),
        library("Fencing", ["Geodesy"]),
        library("JSON", ["Bytes"]),
        // Geometries, for files and for the bus.
        library("GeoJSON", ["Geodesy", "JSON"]),
        library("Settings"),
        // expat reads.
        library("XML", ["CExpat"]),

        // Adapters: they know Fencing, never each other.
        library("Systemd", ["CSystemd"]),
        library(
            "FixSources", ["CGPS", "CZlib", "Fencing", "Geodesy", "JSON", "Systemd", "XML"]),
        library(
            "FenceStores", ["Bytes", "CSQLite", "Fencing", "GeoJSON", "Geodesy", "JSON", "XML"]),
        // What the D-Bus interface is called and how it writes things, for both of its sides.
        library("Geofence1", ["Fencing", "GeoJSON", "Geodesy", "JSON", "Systemd"]),
        library("EventSinks", ["Fencing", "Geodesy", "Geofence1", "Systemd"]),
        library("BusService", ["Fencing", "Geodesy", "Geofence1", "JSON", "Systemd", "Tracking"]),

        // The application: engine, store and delivery, for any front end.
        library("Tracking", ["FenceStores", "Fencing", "Geodesy"]),

        // Wiring.
        .executableTarget(
            name: "geofenced",
            dependencies: [
                "BusService", "CGlibc", "EventSinks", "FenceStores", "Fencing", "FixSources",
                "Geodesy", "JSON", "Settings", "Systemd", "Tracking",
            ],
            swiftSettings: shipped),
        .executableTarget(
            name: "geofencectl",
            dependencies: [
                "FenceStores", "Fencing", "FixSources", "Geodesy", "Geofence1", "JSON", "Systemd",
            ],
            swiftSettings: shipped),

        // For tests: hand-driven time, the oracle, seeded random numbers.
        .target(
            name: "FencingTestKit", dependencies: ["Fencing", "Geodesy"], swiftSettings: house),
        // For tests: a bus of one's own, other programs, temporary directories.
        .target(name: "SystemTestKit", dependencies: ["Systemd"], swiftSettings: house),
        // For fuzzing, and for tests with its corpus.
        .target(
            name: "Fuzzing",
            dependencies: [
                "BusService", "FenceStores", "Fencing", "FencingTestKit", "FixSources", "Geodesy",
                "Geofence1", "SystemTestKit", "Systemd", "Tracking",
            ],
            path: "Tests/Fuzzing/Entries", swiftSettings: house),
        tests("FuzzingTests", ["Fuzzing"]),
        tests("BytesTests", ["Bytes"]),
        tests("GeodesyTests", ["Geodesy", "JSON"], data: true),
        tests("FencingTests", ["Fencing", "FencingTestKit", "Geodesy"]),
        tests("JSONTests", ["Bytes", "JSON"]),
        tests("SettingsTests", ["Settings"]),
        tests("XMLTests", ["XML"]),
        tests("SystemdTests", ["SystemTestKit", "Systemd"]),
        tests(
            "FixSourcesTests",
            ["Fencing", "FixSources", "Geodesy", "SystemTestKit", "Systemd"], data: true),
        tests(
            "FenceStoresTests",
            [
                "FenceStores", "Fencing", "FencingTestKit", "Geodesy", "JSON", "SystemTestKit",
                "store-child",
            ],
            data: true),
        // Is killed, and meets full disks, for FenceStoresTests.
        .executableTarget(
            name: "store-child", dependencies: ["FenceStores", "Fencing", "Geodesy"],
            path: "Tests/StoreChild", swiftSettings: house),
        tests(
            "EventSinksTests",
            ["EventSinks", "Fencing", "Geodesy", "Geofence1", "SystemTestKit", "Systemd"]),
        tests(
            "BusServiceTests",
            [
                "BusService", "EventSinks", "FenceStores", "Fencing", "Geodesy", "Geofence1",
                "SystemTestKit", "Systemd", "Tracking",
            ]),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "FenceStores", "Fencing", "FencingTestKit", "FixSources", "Geodesy", "JSON",
                "SystemTestKit", "geofencectl",
            ],
            exclude: ["Traces", "rewrite-golden"], swiftSettings: house),
        tests(
            "ProcessTests",
            [
                "BusService", "EventSinks", "FenceStores", "Fencing", "FencingTestKit",
                "FixSources",
                "Geodesy", "JSON", "SystemTestKit", "Systemd", "Tracking", "geofenced",
                "geofencectl",
            ]),
    ]
)

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
    package.targets.append(
        .executableTarget(
            name: "geofenced-bench",
            dependencies: [
                "FenceStores", "Fencing", "FencingTestKit", "FixSources", "Geodesy", "Systemd",
            ],
            path: "Benchmarks/Engine", swiftSettings: house))
}
