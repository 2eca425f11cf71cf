/// Version 14: one time that cannot be hides no position of a box, and one number that is none no area of a
/// tenant.
enum Strays {
    static let sql = """
        \(Positions.lastPlace(version: 14))

        \(Areas.area(version: 14))
        """
}
