import Bytes

extension FenceRecord {
    /// The mark of a set of this fence alone.
    func mark() throws(DamagedRecord) -> SetMark {
        SetMark(count: 1, sum: try digest(), hazards: form.contains(.approach) ? 1 : 0)
    }

    /// The same of a record in these bytes.
    static func mark(of bytes: [UInt8]) throws -> SetMark {
        try bytes.withByteView { try FenceRecord($0).mark() }
    }

    /// Of what was given: not of where it lies, whose it is, and when it came.
    private func digest() throws(DamagedRecord) -> UInt64 {
        var hash = FNV1a.hash64([form.subtracting([.changed, .origin]).rawValue])
        let (head, rest) = try contents()
        hash = FNV1a.hash64(head, after: hash)
        return FNV1a.mixed(FNV1a.hash64(rest, after: hash))
    }
}
