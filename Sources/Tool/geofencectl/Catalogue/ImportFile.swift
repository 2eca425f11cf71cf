import FenceFiles
import Files
import Formats
import Glibc
import Model
import Program

/// A file of fences that can be read more than once.
@MainActor
final class ImportFile {
    let name: String
    private var file: OpenFile
    private var size: Int64 = 0

    /// Remarks about the whole file, from its first entries.
    private(set) var remarks: [String] = []

    /// Entries that are examined before the file is passed on.
    private static let lookedAt = 1000

    /// Input that cannot be read twice, or that the daemon would read without these options, is
    /// copied to an unnamed file.
    init(operand: String, options: FenceFileReader.Options) throws {
        name = operand == "-" ? "standard input" : operand
        let given = try Failure.at(operand) { () throws(Errno) in try OpenFile(operand: operand) }
        let kind = try? given.status().st_mode & S_IFMT
        if kind == S_IFREG, lseek(given.descriptor, 0, SEEK_CUR) == 0 {
            file = given
        } else {
            file = try .scratch()
            try file.append(given, name)
        }
        rewind()
        let first = FenceFileReader(descriptor: descriptor, name: name, options: options)
        if case .refused(let problem)? = first.nextEntry(), problem.isFatal {
            try nameRefusals(options)
        }
        for _ in 1..<Self.lookedAt where first.nextEntry() == nil { break }
        remarks = first.remarks(options)
        rewind()
        if options.changesReading || first.mayMakeIDs {
            let read = file
            defer { withExtendedLifetime(read) {} }
            file = try .scratch()
            remarks = try Self.convert(read, to: file, name, options)
        }
        size = Int64(lseek(descriptor, 0, SEEK_END))
        rewind()
    }

    var descriptor: Int32 { file.descriptor }

    /// The daemon reads through the same open file, so that its offset shows the progress.
    var progress: Double {
        size > 0 ? Double(lseek(descriptor, 0, SEEK_CUR)) / Double(size) : 0
    }

    /// Reports every refused entry, if there is one.
    /// - Throws: ``Failure`` in that case.
    func nameRefusals(_ options: FenceFileReader.Options) throws {
        rewind()
        try Self.nameRefusals(
            of: FenceFileReader(descriptor: descriptor, name: name, options: options)
        ) { _ in }
    }

    private func rewind() { lseek(descriptor, 0, SEEK_SET) }

    private static func convert(
        _ source: OpenFile, to target: OpenFile, _ name: String, _ options: FenceFileReader.Options
    ) throws -> [String] {
        var writer = FenceFileWriter { try writeAll($0, to: target.descriptor, "a temporary file") }
        let reader = FenceFileReader(descriptor: source.descriptor, name: name, options: options)
        do {
            try nameRefusals(of: reader) { try writer.append($0) }
        } catch {
            for remark in reader.remarks(options) { StandardError.warn("\(remark): \(name)") }
            throw error
        }
        try writer.finish()
        return reader.remarks(options)
    }

    private static func nameRefusals(
        of reader: FenceFileReader, _ body: (Fence) throws -> Void
    ) throws {
        var refused = 0
        while let entry = reader.nextEntry() {
            switch entry {
            case .fence(let fence, _, _): if refused == 0 { try body(fence) }
            case .refused(let problem):
                refused += 1
                StandardError.say("\(Failure(problem))")
            }
        }
        guard refused == 0 else {
            throw Failure("\(refused) refused, nothing imported", reader.name)
        }
    }
}
