import Foundation
import JSON
import SystemTestKit
import Testing

/// A server in Python that takes events, as a web hook at `/hook` and as an entity set at
/// `/svc/Events`, and misbehaves as it is told. Signatures are checked with Python's own hmac.
@MainActor
final class HookServer {
    /// What it does with the next requests.
    enum Mode: String {
        case good
        /// Has it, and breaks off without an answer, once.
        case dropOnce = "drop-once"
        /// Has it, and breaks off without an answer.
        case drop
        /// 503 with `Retry-After: 1`, once.
        case busyOnce = "busy-once"
        /// 400 for a request that has an event of the fence `bad`.
        case refuseBad = "refuse-bad"
        /// Sends everybody to its login, as the network of a hotel does.
        case redirect
        /// Answers with its login.
        case portal
        /// 413 for what is longer than 2,000 bytes.
        case small
        /// 400 for everything.
        case refuseAll = "refuse-all"
        /// Forgets the token against forged requests, once.
        case forgetOnce = "forget-once"
        /// Its clock is a day ahead, and it refuses requests whose time is another.
        case tomorrow
    }

    /// What a request of a hook had.
    struct Request {
        let id: String
        let isSigned: Bool
        /// Numbers of the events.
        let numbers: [Int64]
        /// The digest of its content.
        let content: String
    }

    static let secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private let directory = TemporaryDirectory()
    private let server: Subprocess
    /// `http://127.0.0.1:PORT`.
    let address: String

    init() throws {
        directory.write(Self.program, to: "server.py")
        directory.write("good", to: "mode")
        let server = Subprocess(["python3", directory.file("server.py"), directory.path])
        self.server = server
        let port = directory.file("port")
        try #require(
            waitUntil { server.hasEnded || FileManager.default.fileExists(atPath: port) })
        try #require(!server.hasEnded, "\(server.errorsSoFar)")
        address = "http://127.0.0.1:\(try String(contentsOfFile: port, encoding: .utf8))"
    }

    func set(_ mode: Mode) { directory.write(mode.rawValue, to: "mode") }

    /// The requests to the hook, in order, those that were refused included.
    var requests: [Request] {
        lines("hook").map { line in
            Request(
                id: line["id"]?.string ?? "", isSigned: line["signed"]?.bool ?? false,
                numbers: (line["numbers"]?.array ?? []).compactMap(\.integer),
                content: line["content"]?.string ?? "")
        }
    }

    /// Numbers of the events that the hook has taken, in order of their arrival.
    var taken: [Int64] { lines("taken").compactMap { $0["seq"]?.integer } }

    /// Requests that a portal has answered.
    var seenByPortal: Int { lines("portal").count }

    /// The entities that were made, in order.
    var entities: [JSONValue] { lines("entities") }

    private func lines(_ file: String) -> [JSONValue] {
        let text = try? String(contentsOfFile: directory.file(file), encoding: .utf8)
        // The last line may be half written.
        return (text ?? "").split(separator: "\n").compactMap {
            try? JSONValue(parsing: String($0))
        }
    }

    private static let program = """
        import base64, email.utils, hashlib, hmac, http.server, json, os, sys, time
        folder = sys.argv[1]
        made = {}
        token = ["t1"]
        def note(name, value):
            with open(os.path.join(folder, name), "a") as file: file.write(json.dumps(value) + "\\n")
        def mode(): return open(os.path.join(folder, "mode")).read()
        def once(name):
            if mode() != name: return False
            with open(os.path.join(folder, "mode.new"), "w") as file: file.write("good")
            os.rename(os.path.join(folder, "mode.new"), os.path.join(folder, "mode"))
            return True
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *arguments): pass
            def now(self): return time.time() + (86400 if mode() == "tomorrow" else 0)
            def date_time_string(self, timestamp=None):
                return email.utils.formatdate(self.now(), usegmt=True)
            def answer(self, status, fields={}, body=b"{}"):
                self.send_response(status)
                for name, value in fields.items(): self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def drop(self):
                self.close_connection = True
            def portal(self):
                if mode() == "redirect": self.answer(302, {"Location": "http://127.0.0.1/login"})
                if mode() == "portal":
                    self.answer(200, {"Content-Type": "text/html"}, b"<html>Log in</html>")
                return mode() in ("redirect", "portal")
            def do_GET(self):
                if self.portal(): return
                if self.headers.get("X-CSRF-Token") == "Fetch":
                    return self.answer(
                        200, {"x-csrf-token": token[0], "Set-Cookie": "s=1; Path=/; HttpOnly"})
                self.answer(200 if self.path in made else 404)
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.portal(): return note("portal", {"path": self.path})
                if mode() == "refuse-all": return self.answer(400)
                if mode() == "small" and len(body) > 2000: return self.answer(413)
                events = json.loads(body)
                if self.path == "/hook": return self.hook(body, events)
                self.entity(events)
            def hook(self, body, events):
                id, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
                code = hmac.new(base64.b64decode("\(secret)"), f"{id}.{at}.".encode() + body,
                                hashlib.sha256).digest()
                signed = "v1," + base64.b64encode(code).decode() in (
                    self.headers.get("webhook-signature", "").split())
                numbers = [int(event["id"]) for event in events]
                note("hook", {"id": id, "signed": signed, "numbers": numbers,
                              "content": hashlib.sha256(body).hexdigest()})
                if once("busy-once"): return self.answer(503, {"Retry-After": "1"})
                if abs(int(at) - self.now()) > 300: return self.answer(401)
                if mode() == "refuse-bad" and any(e.get("subject") == "bad" for e in events):
                    return self.answer(400)
                for number in numbers: note("taken", {"seq": number})
                self.drop() if mode() == "drop" or once("drop-once") else self.answer(200)
            def entity(self, event):
                if once("forget-once"): token[0] = "t2"
                if self.headers.get("X-CSRF-Token") != token[0] or (
                        self.headers.get("Cookie") != "s=1"):
                    return self.answer(403, {"x-csrf-token": "Required"})
                path = f"/svc/Events(Log='{event['Log']}',Seq={event['Seq']})"
                # As pyslet says it, and as SAP Gateway does.
                if path in made: return self.answer(403 if event["Seq"] % 2 else 400)
                made[path] = event
                note("entities", event)
                self.drop() if once("drop-once") else self.answer(201)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        with open(os.path.join(folder, "port.new"), "w") as file:
            file.write(str(server.server_address[1]))
        os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
        server.serve_forever()
        """
}
