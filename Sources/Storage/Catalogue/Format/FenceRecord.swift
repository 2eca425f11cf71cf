import Bytes
import Geodesy
import Model
import Time

/// One fence in the bytes of a ``FenceCell``. Little-endian; [what is in brackets] is there only if
/// the form says so:
///
///     UInt8  slot: the fence's number less that of its cell
///     UInt8  form
///     plain: Int32 latitude, longitude in 1e-7 degrees, varint radius in mm
///     for beacons: nothing
///     else:  Float32 west, east, south, north, rounded outward
///     UInt8  length of the id, then the id
///     varint generation it was added in, [varint generation of its last change]
///     [varint number of its origin]
///     [UInt8 flags, Int64 dwell in ns, varint length and text of title, of description]
///     [varint length and text of the metadata]
///     [varint length and bytes of the approach, as ``ApproachCoding`` writes it]
///     [varint length and bytes of the terms, as ``FenceTermsCoding`` writes them]
///     for beacons: the rule as ``BeaconRuleCoding`` writes it, to the end
///     else, if not plain: the area as ``AreaCoding`` writes it, to the end
///
/// What a search reads of a million fences comes first; a property that a fence does not have takes
/// no space. A circle is plain when its numbers come back bit for bit, which they do if they were
/// written with at most 7 and 3 decimals: 11 bytes instead of 34.
struct FenceRecord {
    let bytes: ByteView
    let slot: UInt8
    let form: Form
    /// Whether its bytes are those that were written, as far as a check can say.
    let isProven: Bool

    struct Form: OptionSet {
        let rawValue: UInt8
        static let plain = Form(rawValue: 1)
        static let changed = Form(rawValue: 2)
        static let origin = Form(rawValue: 4)
        static let details = Form(rawValue: 8)
        static let metadata = Form(rawValue: 16)
        static let approach = Form(rawValue: 32)
        static let beacons = Form(rawValue: 64)
        static let terms = Form(rawValue: 128)
    }

    /// A plain circle; degrees and m.
    struct PlainCircle {
        var center: Coordinate
        var radius: Double
    }

    /// A plain circle as stored, in parts of a degree and of a metre.
    struct RawCircle {
        var latitude: Int32
        var longitude: Int32
        var radius: UInt64

        @inline(__always)
        func measured() throws(DamagedRecord) -> PlainCircle {
            let latitude = Double(latitude) / degreeParts
            guard latitude.magnitude <= 90 else { throw DamagedRecord() }
            return PlainCircle(
                center: Coordinate(
                    latitude: latitude, longitude: Double(longitude) / degreeParts),
                radius: Double(radius) / metreParts)
        }
    }

    /// - Parameter isProven: false for one of a cell that an older program wrote.
    init(_ bytes: ByteView, isProven: Bool = true) throws(DamagedRecord) {
        guard bytes.count >= 2 else { throw DamagedRecord() }
        self.bytes = bytes
        self.isProven = isProven
        slot = bytes[0]
        form = Form(rawValue: bytes[1])
        guard !form.isSuperset(of: [.plain, .beacons]) else { throw DamagedRecord() }
    }

    /// It has no area.
    var isOfBeacons: Bool { form.contains(.beacons) }

    /// The circle, if it is a plain one.
    @inline(__always)
    func plainCircle() throws(DamagedRecord) -> PlainCircle? { try rawCircle()?.measured() }

    /// The circle as stored, if it is a plain one.
    @inline(__always)
    func rawCircle() throws(DamagedRecord) -> RawCircle? {
        guard form.contains(.plain) else { return nil }
        var reader = ByteReader(bytes, from: 2)
        return try Self.circle(&reader)
    }

    /// Contains the whole area, with a small margin; nil if there is none.
    func box() throws(DamagedRecord) -> GeoBox? {
        if isOfBeacons { return nil }
        if let circle = try plainCircle() {
            return GeoBox(around: circle.center, radius: circle.radius)
        }
        var reader = ByteReader(bytes, from: 2)
        var edges: (Float, Float, Float, Float) = (0, 0, 0, 0)
        edges.0 = Float(bitPattern: try reader.read(UInt32.self))
        edges.1 = Float(bitPattern: try reader.read(UInt32.self))
        edges.2 = Float(bitPattern: try reader.read(UInt32.self))
        edges.3 = Float(bitPattern: try reader.read(UInt32.self))
        return GeoBox(
            west: Double(edges.0), south: Double(edges.2), east: Double(edges.1),
            north: Double(edges.3))
    }

    /// The bytes of the id.
    func id() throws(DamagedRecord) -> ByteView {
        var reader = ByteReader(bytes, from: 2)
        try Self.skipPlace(&reader, form)
        return try reader.take(UInt64(try reader.byte()))
    }

    /// Its bytes up to the end of the id, of which ``slot`` and ``id()`` can be read.
    func head() throws(DamagedRecord) -> [UInt8] {
        var reader = ByteReader(bytes, from: 2)
        try Self.skipPlace(&reader, form)
        _ = try reader.take(UInt64(try reader.byte()))
        return Array(bytes.part(0..<reader.position))
    }

    /// Its origin and generations, without the fence itself.
    struct History {
        var added: Generation
        var changed: Generation
        var origin: Int64
    }

    func history() throws(DamagedRecord) -> History {
        var reader = ByteReader(bytes, from: 2)
        try Self.skipPlace(&reader, form)
        _ = try reader.take(UInt64(try reader.byte()))
        return try Self.history(&reader, form)
    }

    /// The bytes of the place and the id, and those after its origin and generations.
    func contents() throws(DamagedRecord) -> (head: ByteView, rest: ByteView) {
        var reader = ByteReader(bytes, from: 2)
        try Self.skipPlace(&reader, form)
        _ = try reader.take(UInt64(try reader.byte()))
        let end = reader.position
        _ = try Self.history(&reader, form)
        return (bytes.part(2..<end), bytes.part(from: reader.position))
    }

    /// The whole fence.
    func fence() throws -> (fence: Fence, history: History) {
        var reader = ByteReader(bytes, from: 2)
        var circle: PlainCircle?
        if form.contains(.plain) {
            circle = try Self.circle(&reader).measured()
        } else {
            try Self.skipPlace(&reader, form)
        }
        // Replaced characters would make it another fence's.
        let id = try reader.string(UInt64(try reader.byte()))
        let history = try Self.history(&reader, form)
        var flags: UInt8 = Self.usualFlags
        var dwell: Int64 = 0
        var title = ""
        var description = ""
        if form.contains(.details) {
            flags = try reader.byte()
            dwell = try reader.read(Int64.self)
            title = try reader.text()
            description = try reader.text()
        }
        let metadata = form.contains(.metadata) ? try reader.text() : "{}"
        let approach =
            form.contains(.approach)
            ? try ApproachCoding.decode(try reader.take(try reader.varint())) : nil
        let terms =
            form.contains(.terms)
            ? try FenceTermsCoding.decode(try reader.take(try reader.varint())) : nil
        let subject: FenceSubject
        if let circle {
            guard reader.isAtEnd else { throw DamagedRecord() }
            subject = .area(try Self.area(of: circle))
        } else if isOfBeacons {
            guard approach == nil, terms == nil else { throw DamagedRecord() }
            subject = .beacons(try BeaconRuleCoding.decode(reader.rest))
        } else {
            subject = .area(try AreaCoding.decode(reader.rest))
        }
        var fence = Fence(
            id: id, subject: subject, title: title, description: description,
            dwell: TimeSpan(nanoseconds: dwell), notifyOnEntry: flags & 1 != 0,
            notifyOnExit: flags & 2 != 0, initialEnter: flags & 4 != 0, metadata: metadata,
            approach: approach)
        if let terms { fence.terms = terms }
        if let approach, case .area(let area) = subject, !approach.fits(area.geometry) {
            throw DamagedRecord()
        }
        return (fence, history)
    }

    /// Whether it is alone in its cell, and found without a place: see ``CellTable``.
    func isFoundAtOnce() throws(DamagedRecord) -> Bool {
        if isOfBeacons { return true }
        return try isFollowed()
    }

    /// Whether the way to the fence is followed.
    func isFollowed() throws(DamagedRecord) -> Bool {
        guard form.contains(.terms), let terms = try readToTerms() else { return false }
        return terms.arrive > .zero
    }

    /// Whether everything but the area can be read; for a record whose area has been read.
    func check() throws(DamagedRecord) {
        _ = try readToTerms()
    }

    private func readToTerms() throws(DamagedRecord) -> FenceTerms? {
        var reader = ByteReader(bytes, from: 2)
        try Self.skipPlace(&reader, form)
        _ = try reader.string(UInt64(try reader.byte()))
        _ = try Self.history(&reader, form)
        if form.contains(.details) {
            _ = try reader.take(9)
            _ = try reader.take(try reader.varint())
            _ = try reader.take(try reader.varint())
        }
        if form.contains(.metadata) { _ = try reader.take(try reader.varint()) }
        if form.contains(.approach) {
            _ = try ApproachCoding.decode(try reader.take(try reader.varint()))
        }
        var terms: FenceTerms?
        if form.contains(.terms) {
            terms = try FenceTermsCoding.decode(try reader.take(try reader.varint()))
        }
        guard let circle = try plainCircle() else { return terms }
        guard reader.isAtEnd else { throw DamagedRecord() }
        _ = try Self.area(of: circle)
        return terms
    }

    private static func area(of circle: PlainCircle) throws(DamagedRecord) -> Area {
        do throws(AreaError) {
            return try Area(
                stored: .circle(center: circle.center, radius: circle.radius), inradii: [],
                size: .pi * circle.radius * circle.radius)
        } catch { throw DamagedRecord() }
    }

    @inline(__always)
    private static func circle(_ reader: inout ByteReader) throws(DamagedRecord) -> RawCircle {
        RawCircle(
            latitude: try reader.read(Int32.self), longitude: try reader.read(Int32.self),
            radius: try reader.varint())
    }

    private static func skipPlace(
        _ reader: inout ByteReader, _ form: Form
    ) throws(DamagedRecord) {
        if form.contains(.beacons) { return }
        guard form.contains(.plain) else {
            _ = try reader.take(16)
            return
        }
        _ = try reader.take(8)
        _ = try reader.varint()
    }

    private static func history(
        _ reader: inout ByteReader, _ form: Form
    ) throws(DamagedRecord) -> History {
        let added = try reader.varint()
        let changed = form.contains(.changed) ? try reader.varint() : added
        let origin = form.contains(.origin) ? try reader.varint() : 0
        guard let origin = Int64(exactly: origin) else { throw DamagedRecord() }
        return History(added: added, changed: changed, origin: origin)
    }
}

// MARK: - Writing

extension FenceRecord {
    static let degreeParts = 1e7
    static let metreParts = 1e3
    /// Both crossings are announced.
    private static let usualFlags: UInt8 = 3

    /// The record of a valid fence.
    static func bytes(of fence: Fence, slot: UInt8, history: History) -> [UInt8] {
        var buffer = ByteBuffer()
        append(fence, slot: slot, history: history, to: &buffer)
        return Array(buffer.bytes)
    }

    /// Appends ``bytes(of:slot:history:)``.
    static func append(
        _ fence: Fence, slot: UInt8, history: History, to bytes: inout ByteBuffer
    ) {
        let plain = fence.area.flatMap { plainForm(of: $0.geometry) }
        var form: Form = []
        if plain != nil { form.insert(.plain) }
        if fence.beacons != nil { form.insert(.beacons) }
        if history.changed != history.added { form.insert(.changed) }
        if history.origin != 0 { form.insert(.origin) }
        let flags = UInt8(truncatingIfNeeded: fence.flags)
        if flags != usualFlags || fence.dwell != .zero || !fence.title.isEmpty
            || !fence.description.isEmpty
        {
            form.insert(.details)
        }
        if fence.metadata != "{}" { form.insert(.metadata) }
        if fence.approach != nil { form.insert(.approach) }
        if fence.hasTerms { form.insert(.terms) }
        bytes.append(slot)
        bytes.append(form.rawValue)
        if let plain {
            bytes.append(raw: plain.latitude)
            bytes.append(raw: plain.longitude)
            bytes.append(varint: plain.radius)
        } else if let box = fence.area?.boundingBox {
            bytes.append(raw: rounded(box.west, .down).bitPattern)
            bytes.append(raw: rounded(box.east, .up).bitPattern)
            bytes.append(raw: rounded(box.south, .down).bitPattern)
            bytes.append(raw: rounded(box.north, .up).bitPattern)
        }
        // An id has at most 255 bytes.
        bytes.append(UInt8(truncatingIfNeeded: fence.id.utf8.count))
        bytes.append(fence.id)
        bytes.append(varint: history.added)
        if form.contains(.changed) { bytes.append(varint: history.changed) }
        if form.contains(.origin) { bytes.append(varint: UInt64(history.origin)) }
        if form.contains(.details) {
            bytes.append(flags)
            bytes.append(raw: fence.dwell.nanoseconds)
            bytes.append(counted: fence.title)
            bytes.append(counted: fence.description)
        }
        if form.contains(.metadata) { bytes.append(counted: fence.metadata) }
        if let approach = fence.approach {
            let encoded = ApproachCoding.encode(approach)
            bytes.append(varint: UInt64(encoded.count))
            encoded.withByteView { bytes.append($0) }
        }
        if fence.hasTerms {
            let encoded = FenceTermsCoding.encode(fence.terms)
            bytes.append(varint: UInt64(encoded.count))
            encoded.withByteView { bytes.append($0) }
        }
        switch fence.subject {
        case .area(let area) where plain == nil:
            AreaCoding.encode(area).withByteView { bytes.append($0) }
        case .area: break
        case .beacons(let rule):
            BeaconRuleCoding.encode(rule).withByteView { bytes.append($0) }
        }
    }

    private static func plainForm(
        of geometry: Geometry
    ) -> (latitude: Int32, longitude: Int32, radius: UInt64)? {
        guard case .circle(let center, let radius) = geometry,
            let latitude = Int32(exactly: (center.latitude * degreeParts).rounded()),
            let longitude = Int32(exactly: (center.longitude * degreeParts).rounded()),
            let parts = UInt64(exactly: (radius * metreParts).rounded()), parts < 1 << 40,
            // Equal to the bit, including the sign of zero.
            (Double(latitude) / degreeParts).bitPattern == center.latitude.bitPattern,
            (Double(longitude) / degreeParts).bitPattern == center.longitude.bitPattern,
            Double(parts) / metreParts == radius
        else { return nil }
        return (latitude, longitude, parts)
    }

    private static func rounded(_ value: Double, _ rule: FloatingPointRoundingRule) -> Float {
        let float = Float(value)
        if rule == .down { return Double(float) > value ? float.nextDown : float }
        return Double(float) < value ? float.nextUp : float
    }
}

extension Fence {
    /// The three flags in one number, as stored.
    var flags: Int64 {
        (notifyOnEntry ? 1 : 0) | (notifyOnExit ? 2 : 0) | (initialEnter ? 4 : 0)
    }
}
