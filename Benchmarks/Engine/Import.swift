import FenceFiles
import Model
import Storage
import Time

/// A fence file into a store, without daemon and bus; as the set of an origin of that name, if given.
func runImport(state: String, file: String, _ options: Options) throws {
    let store = try open(state)
    let watch = Stopwatch()
    let reader = try FenceFileReader(path: file)
    let origin = options.text("origin").map { FenceOrigin.named($0) } ?? .bus
    let change = try store.replaceAll(origin: origin) { try reader.next() }
    say("load_s", watch.seconds)
    say("cpu_s", watch.processorSeconds)
    say("fences", change.changed)
}
