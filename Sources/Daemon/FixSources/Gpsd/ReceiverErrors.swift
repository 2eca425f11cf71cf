import Model

/// Makes 95 % radii of the errors that gpsd states: "Where the error comes from" in the law.
struct ReceiverErrors {
    private let scale: [String: Double]
    /// gpsd's names of the drivers, by receiver.
    private var drivers: [String: String] = [:]
    /// More than a gpsd has receivers.
    private static let limit = 64

    init(_ settings: ReceiverSettings) { scale = settings.errorScale }

    /// The driver of a receiver; nil if that is not known.
    func driver(of device: String) -> String? { drivers[device] }

    /// gpsd has said by which driver it reads a receiver.
    mutating func note(_ driver: String, of device: String) {
        guard drivers.count < Self.limit || drivers[device] != nil else { return }
        drivers[device] = driver
    }

    /// A report with the error that it should have stated.
    func scaled(_ report: PositionReport, of device: String?) -> PositionReport {
        guard let error = report.error, let device, let driver = drivers[device],
            let factor = scale[driver]
        else { return report }
        var report = report
        report.error = error * factor
        return report
    }
}
