/// Version 14: one time that cannot be hides no position of a box, and one number that is none no area of a
/// tenant; a week whose file was lost takes again what boxes still have. Of a trip the columns are called as the members of its event: elsewhere `origin` is whose fences
/// these are.
enum Strays {
    static let sql = """
        \(Positions.lastPlace(version: 14))

        \(Areas.area(version: 14))

        \(Archived.leaveOut(version: 14))

        ALTER VIEW fleet.trip RENAME COLUMN origin TO from_fence;
        ALTER VIEW fleet.trip RENAME COLUMN origin_title TO from_title;
        ALTER VIEW fleet.trip RENAME COLUMN destination TO to_fence;
        ALTER VIEW fleet.trip RENAME COLUMN destination_title TO to_title;
        ALTER VIEW fleet.trip RENAME COLUMN length TO duration;
        """
}
