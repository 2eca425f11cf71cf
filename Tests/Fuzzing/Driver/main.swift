import CLibFuzzer
import Fuzzing
import Glibc

// fuzz TARGET [libFuzzer's arguments]: see `make fuzz`.
let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")
guard CommandLine.arguments.count > 1,
    let target = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
    print("usage: fuzz \(names) [ARGUMENT OF LIBFUZZER]... [CORPUS]...")
    exit(2)
}

/// The callback of libFuzzer takes no context, and would capture what a guard has bound.
let entry = target
var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
    if let flaw = entry.flaw(Array(UnsafeBufferPointer(start: bytes, count: size))) {
        fatalError(flaw)
    }
    return 0
}
exit(status)
