import MapPage

/// The page of a drive.
enum DrivePage {
    /// One HTML file, UTF-8.
    static func file(
        _ record: DriveRecord, _ making: DriveJSON.Making, title: String
    ) -> [UInt8] {
        MapPage.file(title: title, data: DriveJSON.bytes(record, making))
    }
}
