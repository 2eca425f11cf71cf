import FenceFiles
import Formats
import Model
import Storage

/// A fence file; the fences read are written, and must be read back identically. Read as a route, too.
enum FenceFileFuzz {
    static func flaw(_ bytes: [UInt8]) -> String? {
        let options = FenceFileReader.Options(radius: 50, makesIDs: true)
        let (fences, _) = read(FenceFileReader(bytes, name: "first", options: options))
        var text: [UInt8] = []
        var writer = FenceFileWriter { text += $0 }
        do {
            for fence in fences { try writer.append(fence) }
            try writer.finish()
        } catch {
            return "cannot be written: \(error)"
        }
        var again = options
        again.mayBeEmpty = true
        let (fencesAgain, problems) = read(FenceFileReader(text, name: "again", options: again))
        if let problem = problems.first { return "\(problem) of \(fences)" }
        guard fencesAgain == fences else { return "\(fencesAgain) was \(fences)" }
        _ = try? RouteFile.positions(of: bytes, most: 1_000)
        return nil
    }

    private static func read(
        _ reader: FenceFileReader
    ) -> (fences: [Fence], problems: [FenceFileProblem]) {
        var fences: [Fence] = []
        var problems: [FenceFileProblem] = []
        while let entry = reader.nextEntry() {
            switch entry {
            case .fence(let fence, _, _): fences.append(fence)
            case .refused(let problem): problems.append(problem)
            }
        }
        return (fences, problems)
    }
}
