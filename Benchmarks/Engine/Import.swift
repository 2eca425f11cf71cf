import Engine
import Formats
import Storage
import Time

/// A fence file into a store, without daemon and bus.
func runImport(state: String, file: String) throws {
    let store = try open(state)
    let watch = Stopwatch()
    let reader = try FenceFileReader(path: file)
    let change = try store.replaceAll(origin: .bus) { try reader.next() }
    say("load_s", watch.seconds)
    say("cpu_s", watch.processorSeconds)
    say("fences", change.changed)
}
