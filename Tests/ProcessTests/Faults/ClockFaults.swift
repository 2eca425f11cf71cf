import Foundation
import Glibc
import SystemTestKit
import Testing

extension DaemonTests {
    /// The wall clock is set while the vehicle drives, as by NTP, a dead battery or a person. The
    /// monotonic clock is not affected.
    @MainActor
    @Suite("faults: the wall clock")
    struct ClockFaults {
        /// The clock's settings, in order along the drive, s since 1970 or s ahead.
        private static let steps: [Clock] = [
            .ahead(6 * 3600), .ahead(-6 * 3600), .ahead(3600 * 24 * 3653),
            .ahead(-3600 * 24 * 3653),
            .at(0),
            // The ends of GPS weeks 1024 and 2048, and a leap second.
            .at(1_554_595_198), .at(2_173_910_398), .at(1_483_228_798),
            // A clock with an empty battery: 2099.
            .at(4_102_444_799), .ahead(0),
        ]

        enum Clock: CustomTestStringConvertible {
            case ahead(Int64)
            case at(Int64)

            var testDescription: String { "\(self)" }
        }

        private let bench: DaemonBench
        private let offset: String

        init() throws {
            bench = try DaemonBench()
            offset = bench.directory.file("offset")
            let source = bench.directory.write(Self.wallClock, to: "clock.c")
            let library = bench.directory.file("clock.so")
            let compiled = Subprocess(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"])
            try #require(compiled.wait(seconds: 120)?.status == 0, "\(compiled.errorsSoFar)")
            bench.environment = ["LD_PRELOAD": library, "WALL_CLOCK_OFFSET": offset]
            set(.ahead(0))
        }

        /// The wall clock, offset from the real one by the seconds in the file at that moment.
        private static let wallClock = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <stdlib.h>
            #include <sys/time.h>
            #include <time.h>
            #include <unistd.h>
            static long offset(void) {
                long seconds = 0;
                int file = open(getenv("WALL_CLOCK_OFFSET"), O_RDONLY | O_CLOEXEC);
                if (file < 0 || read(file, &seconds, sizeof seconds) != sizeof seconds) abort();
                close(file);
                return seconds;
            }
            int clock_gettime(clockid_t clock, struct timespec *now) {
                static int (*real)(clockid_t, struct timespec *);
                if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
                int result = real(clock, now);
                if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
                    now->tv_sec += offset();
                return result;
            }
            int gettimeofday(struct timeval *now, void *zone) {
                struct timespec time;
                clock_gettime(CLOCK_REALTIME, &time);
                now->tv_sec = time.tv_sec, now->tv_usec = time.tv_nsec / 1000;
                return 0;
            }
            time_t time(time_t *result) {
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                if (result) *result = now.tv_sec;
                return now.tv_sec;
            }
            """

        /// Atomically: a half written file is not a time.
        private func set(_ clock: Clock) {
            var seconds: Int64 =
                switch clock {
                case .ahead(let seconds): seconds
                case .at(let seconds): seconds - Int64(Date().timeIntervalSince1970)
                }
            let file = open(offset, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            write(file, &seconds, 8)
            close(file)
        }

        @Test("set ten times along a drive from gpsd: the events are those without")
        func gpsd() throws {
            let drive = try RecordedDrive()
            try FileManager.default.copyItem(
                atPath: RecordedDrive.fences, toPath: bench.directory.file("fences.d/a.geojson"))
            let gpsd = try GpsdStandIn()
            bench.source = gpsd.uri
            try bench.startAndWait()
            try gpsd.accept()
            var done = 0
            gpsd.say(drive.lines) { number in
                guard number % 350 == 140, done < Self.steps.count else { return }
                set(Self.steps[done])
                done += 1
            }
            try #require(bench.waits(forFixAt: drive.end), "\(bench.errors)")
            #expect(done == Self.steps.count)
            expectSame(try bench.events(), try drive.oracle())
            #expect(bench.property("State") == "\"running\"")
            #expect(try bench.stop().status == 0)
        }

        @Test(
            "a receiver without gpsd and with dates, the clock wrong at the start and set on the way",
            arguments: [Clock.at(0), .at(4_102_444_799)])
        func nmea(_ start: Clock) throws {
            let trace = try Trace.drive()
            let events = try drive(trace, from: start)
            // The dates of this receiver are one week-number rollover in the past: they are
            // corrected independently of the clock.
            #expect(events.allSatisfy { $0.time.hasPrefix("2025-05-12T01:") }, "\(events)")
            #expect(events.map(\.timeless) == (try trace.golden().map(\.timeless)))
            expectGapless(events)
        }

        @Test("a receiver without dates: its day is the one of the start, and no step moves it")
        func dateless() throws {
            let trace = try Trace("munich-gga-only")
            let events = try drive(trace, from: .at(9 * 3600))
            // The clock is read when three epochs have come without a date.
            let lines = trace.epochs.joined().split(separator: "\r\n").dropFirst(4)
            expectSame(events, try replay(lines.joined(separator: "\r\n"), trace.fences))
            #expect(events.count >= 10)
            expectGapless(events)
        }

        private func drive(_ trace: Trace, from start: Clock) throws -> [LoggedLine] {
            set(start)
            let fifo = bench.directory.file("receiver")
            try #require(mkfifo(fifo, 0o600) == 0)
            bench.source = "nmea:\(fifo)"
            try bench.installFences(of: trace)
            try bench.startAndWait()
            let line = try #require(FileHandle(forWritingAtPath: fifo))
            let golden = try trace.golden()
            // The log of a receiver without RMC is split at its lines.
            let epochs =
                trace.epochs.count > 1
                ? trace.epochs : trace.epochs.joined().split(separator: "\r\n").map { "\($0)\r\n" }
            let every = epochs.count / (Self.steps.count + 1)
            for (number, epoch) in epochs.enumerated() {
                if number % every == every - 1, number / every < Self.steps.count {
                    set(Self.steps[number / every])
                }
                try line.write(contentsOf: Data(epoch.utf8))
                usleep(2000)
            }
            try #require(
                waitUntil(seconds: 60) { bench.property("LastSeq") == "\(golden.count)" },
                "\(bench.errors)\(bench.output)")
            return try bench.events()
        }
    }
}

extension LoggedLine {
    /// Without the dates and the metres: for the same drive at another time.
    fileprivate var timeless: String {
        "\(crossing) \(time.dropFirst(10)) \(fixTime.dropFirst(10)) \(reason ?? "") \(stay ?? 0)"
    }
}
