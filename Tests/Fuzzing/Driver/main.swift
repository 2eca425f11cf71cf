import CLibFuzzer
import Fuzzing
import Glibc

// fuzz TARGET [libFuzzer's arguments], or fuzz targets: see `make fuzz`.
let names = FuzzTarget.allCases.map(\.rawValue)
if CommandLine.arguments.dropFirst() == ["targets"] {
    print(names.joined(separator: "\n"))
    exit(0)
}
/// When libFuzzer starts this program again (to merge, to fork), it keeps only its own arguments.
let inherited = getenv("FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }
let named = CommandLine.arguments.dropFirst().first.flatMap { FuzzTarget(rawValue: $0) }
guard let target = named ?? inherited else {
    print("usage: fuzz \(names.joined(separator: "|")) [ARGUMENT OF LIBFUZZER]... [CORPUS]...")
    print("       fuzz targets")
    exit(2)
}
setenv("FUZZ_TARGET", target.rawValue, 1)

/// The callback of libFuzzer takes no context, and would capture variables bound by a guard.
let entry = target
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
if named != nil {
    // The name of the program stays first: libFuzzer starts it again.
    CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
    count -= 1
    arguments = CommandLine.unsafeArgv + 1
}
let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
    if let flaw = entry.flaw(Array(UnsafeBufferPointer(start: bytes, count: size))) {
        fatalError(flaw)
    }
    return 0
}
exit(status)
