/// One sentence with a correct checksum: `GPRMC,124022.00,A,…`, without `$` and `*hh`.
struct NmeaSentence {
    /// The sentences with content about a fix; all others are skipped.
    enum Kind: UInt8 {
        case rmc, gga, gns, gll, vtg, gst, zda, gsa
    }

    let kind: Kind
    private let text: [UInt8]
    /// Where each field begins; field 0 is the address.
    private let starts: [Int]

    /// Nil for an irrelevant sentence: proprietary ones, which begin with P (`PGRMC` is Garmin's
    /// configuration and not an RMC), and every kind that is not in ``Kind``. Any talker is
    /// accepted.
    init?(_ text: [UInt8]) {
        guard text.count > 5, text[5] == UInt8(ascii: ","), text[0] != UInt8(ascii: "P"),
            let kind = Kind(text[2], text[3], text[4])
        else { return nil }
        self.kind = kind
        self.text = text
        var starts = [0]
        starts.reserveCapacity(20)
        for (index, byte) in text.enumerated() where byte == UInt8(ascii: ",") {
            starts.append(index + 1)
        }
        self.starts = starts
    }

    /// A field by its number in the standard, the address being 0; empty if the sentence is
    /// shorter.
    func field(_ number: Int) -> ArraySlice<UInt8> {
        guard number < starts.count else { return [] }
        let end = number + 1 < starts.count ? starts[number + 1] - 1 : text.count
        return text[starts[number]..<end]
    }

    /// The first character of a field that holds a status or a mode.
    func letter(_ number: Int) -> Character? {
        field(number).first.map { Character(UnicodeScalar($0)) }
    }
}

extension NmeaSentence.Kind {
    fileprivate init?(_ a: UInt8, _ b: UInt8, _ c: UInt8) {
        switch (Unicode.Scalar(a), Unicode.Scalar(b), Unicode.Scalar(c)) {
        case ("R", "M", "C"): self = .rmc
        case ("G", "G", "A"): self = .gga
        case ("G", "N", "S"): self = .gns
        case ("G", "L", "L"): self = .gll
        case ("V", "T", "G"): self = .vtg
        case ("G", "S", "T"): self = .gst
        case ("Z", "D", "A"): self = .zda
        case ("G", "S", "A"): self = .gsa
        default: return nil
        }
    }
}
