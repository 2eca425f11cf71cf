/// Version 14. An event whose time is wrong hides no later position of its box, and a radius or width that is
/// not a number no other area. A week whose file was lost takes again what boxes still have. The columns of a
/// trip are called as the members of its event: elsewhere `origin` is whose fences these are.
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
