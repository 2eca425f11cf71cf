/// The numbers of the law by which a fence is judged, and the vehicle.
package struct LawNumbers {
    /// Section 3, with the terms of section 11.
    package var crossing: CrossingSettings
    /// Section 8.
    package var approaches: ApproachRules

    package init(crossing: CrossingSettings, approaches: ApproachRules) {
        self.crossing = crossing
        self.approaches = approaches
    }
}
