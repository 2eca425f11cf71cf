import Program
import Sentences
import Systemd
import Testing

@testable import Alerting

@Suite("The command line of geofenced-alert")
struct AlertArgumentsTests {
    @Test("options may have their value attached or behind them")
    func options() throws {
        let arguments = try AlertArguments([
            "--speak=espeak-ng -v de", "--tone", "off", "--notify=off", "--units", "us", "--bus",
            "unix:path=/run/x", "--language", "pt_BR", "--config=x.conf", "--try",
        ])
        var expected = try AlertArguments([])
        #expect(expected.speech == .auto && expected.hasTone && expected.notifies)
        #expect(
            expected.bus == .system && expected.units == nil && expected.language == nil
                && !expected.isTrial)
        expected.speech = .command(["espeak-ng", "-v", "de"])
        expected.hasTone = false
        expected.notifies = false
        expected.units = .us
        expected.language = DriverLanguage(language: .portuguese, region: "BR")
        expected.config = "x.conf"
        expected.bus = .address("unix:path=/run/x")
        expected.isTrial = true
        #expect(arguments == expected)
    }

    @Test(
        "what is wrong is named",
        arguments: [
            (["--speak"], "option needs a value: --speak"),
            (["--speak= "], "neither auto nor off nor a command: --speak"),
            (["--tone", "loud"], "neither on nor off: --tone loud"),
            (["--notify=no"], "neither auto nor off: --notify no"),
            (["--units", "yd"], "not one of sign, metric, imperial, us: --units yd"),
            (["--language", "sv"], "there are no sentences in it: --language sv"),
            (["--bus", "x"], "neither system nor session nor a bus address: --bus x"),
            (["--try=1"], "option takes no value: --try"), (["x"], "unexpected argument: x"),
        ])
    func usage(arguments: [String], reason: String) {
        #expect(throws: Failure.usage(reason)) {
            try AlertArguments(arguments)
        }
    }
}
