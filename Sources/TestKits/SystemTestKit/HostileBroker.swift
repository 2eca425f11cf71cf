/// A broker of MQTT 5, in Python, that heeds nothing of what a client asks for: it takes one
/// connection after another, and sends to each what no client can want.
package final class HostileBroker {
    /// What it sends as soon as somebody is connected.
    package enum Attack: String, CaseIterable, Sendable {
        /// One publication, as fast as it is read.
        case blast
        /// One publication, in pieces, each of which is read before the next.
        case drip
        /// Answers to subscriptions that nobody has asked for.
        case answers
        /// Publications with QoS 2 that it never completes.
        case unfinished
    }

    /// Of 127.0.0.1.
    package let port: UInt16
    private let process: Subprocess
    private let directory = TemporaryDirectory()

    /// - Parameters:
    ///   - size: bytes of what is sent, of all packets together.
    ///   - topic: of publications.
    /// - Returns: nil if it does not start.
    package init?(_ attack: Attack, size: Int, topic: String) {
        directory.write(Self.program, to: "broker.py")
        guard let port = freePort() else { return nil }
        self.port = port
        process = Subprocess([
            "python3", directory.file("broker.py"), "\(port)", attack.rawValue, "\(size)", topic,
        ])
        guard waitUntil(seconds: 30, { connects(to: port) }) else { return nil }
    }

    /// The packet sizes that clients have asked for in CONNECT, one for each connection; -1: none.
    package var asked: [Int] { numbers(after: "asked") }
    /// The bytes that were sent over each connection that has ended.
    package var sent: [Int] { numbers(after: "sent") }

    private func numbers(after word: String) -> [Int] {
        process.outputSoFar.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 && words[0] == word ? Int(words[1]) : nil
        }
    }

    private static let program = """
        import socket, struct, sys, time
        port, attack, size, topic = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
        name = topic.encode()
        def length(value):
            out = b""
            while True:
                out += bytes([value % 128 | (128 if value > 127 else 0)])
                value //= 128
                if not value: return out
        def packet(stream):
            kind = stream.read(1)
            if not kind: raise ConnectionError
            value = shift = 0
            while True:
                byte = stream.read(1)[0]
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128: return kind[0] >> 4, stream.read(value)
        def asked(connect):
            # Name, version, flags, keep-alive; the properties of at most 127 bytes.
            properties, place = connect[11:11 + connect[10]], 0
            sizes = {0x11: 4, 0x21: 2, 0x27: 4, 0x22: 2, 0x19: 1, 0x17: 1}
            while place < len(properties):
                kind, place = properties[place], place + 1
                if kind == 0x27: return struct.unpack(">I", properties[place:place + 4])[0]
                place += sizes[kind]
            return -1
        def publication(size):
            head = struct.pack(">H", len(name)) + name + b"\\0"
            return b"\\x31" + length(len(head) + size) + head
        def serve(connection):
            sent = 0
            def send(data):
                nonlocal sent
                connection.sendall(data)
                sent += len(data)
            try:
                stream = connection.makefile("rb")
                kind, body = packet(stream)
                print("asked", asked(body), flush=True)
                connection.sendall(b"\\x20\\3\\0\\0\\0")
                piece = b"x" * 65536
                if attack in ("blast", "drip"):
                    send(publication(size))
                    while sent < size:
                        send(piece)
                        if attack == "drip": time.sleep(0.002)
                elif attack == "answers":
                    answer = b"\\x90\\4\\0\\1\\0\\1"
                    while sent < size: send(answer * 10000)
                else:
                    number = 0
                    while sent < size:
                        number = number % 65535 + 1
                        head = (struct.pack(">H", len(name)) + name + struct.pack(">H", number)
                                + b"\\0")
                        send(b"\\x34" + length(len(head) + 1000) + head + b"x" * 1000)
                while stream.read(1): pass
            except (ConnectionError, OSError, IndexError): pass
            print("sent", sent, flush=True)
            connection.close()
        server = socket.create_server(("127.0.0.1", port))
        while True: serve(server.accept()[0])
        """
}
