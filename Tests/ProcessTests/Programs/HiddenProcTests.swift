import SystemTestKit
import Testing

@Suite(
    "Without /proc, as in a bare chroot",
    .enabled(if: !isMemorySanitized, "for builds without the sanitizer, which needs /proc itself"))
struct HiddenProcTests {
    @Test(
        "no program runs as if it had no options", .needs(.mounts),
        arguments: programs, [[], ["--version"]])
    func usage(_ program: String, _ options: [String]) throws {
        let run = Subprocess(
            MountNamespace.making + [
                "sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh", builtProgram(program),
            ] + options)
        let ending = try #require(run.wait(seconds: 20), "it runs on")
        #expect(ending.status == 2 && ending.output.isEmpty)
        #expect(
            ending.errors == "\(program): the command line cannot be read: is /proc mounted?\n")
    }
}
