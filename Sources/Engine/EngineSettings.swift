/// Every number of the law that is a setting, with the defaults of the HANDBOOK.
package struct EngineSettings: Hashable, Sendable {
    package var gates = GateSettings()
    package var crossing = CrossingSettings()
    package var window = WindowSettings()

    package init() {}
}
