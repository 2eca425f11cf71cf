import Time

extension TimeSpan {
    /// To the millisecond.
    var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}
