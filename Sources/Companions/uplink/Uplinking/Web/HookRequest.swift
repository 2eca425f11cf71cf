import Bytes
import HTTP
import Time

/// A batch of CloudEvents as a request, signed as Standard Webhooks has it (standardwebhooks.com).
enum HookRequest {
    /// - Parameters:
    ///   - isBatched: an array, also of one; otherwise one event as it is.
    ///   - keys: of the signatures; none: unsigned.
    ///   - time: UTC; receivers refuse one that is minutes off.
    static func make(
        _ batch: SendWindow.Batch, to address: WebAddress, _ box: BoxName, log: String,
        isBatched: Bool = true, keys: [[UInt8]], time: UTCTime
    ) -> HTTPRequest {
        var request = HTTPRequest(address)
        let body = isBatched ? batch.array : batch.bodies[0]
        let numbers = "\(batch.numbers[0])-\(batch.numbers[batch.numbers.count - 1])"
        let id = "\(box.tenant).\(box.box).\(log).\(numbers)"
        let timestamp = "\(time.nanoseconds / 1_000_000_000)"
        request.fields = [
            ("Content-Type", isBatched ? CloudEvent.batchMediaType : CloudEvent.mediaType),
            ("webhook-id", id),
            ("webhook-timestamp", timestamp), ("Idempotency-Key", id),
        ]
        let signed = Array("\(id).\(timestamp).".utf8) + body
        let signatures = keys.map { "v1," + Base64.text(SHA256.authenticate(signed, key: $0)) }
        if !signatures.isEmpty {
            request.fields.append(("webhook-signature", signatures.joined(separator: " ")))
        }
        request.body = body
        return request
    }

    /// The key in a secret: Base64, with or without `whsec_` before it; nil for anything else.
    static func key(_ secret: String) -> [UInt8]? {
        let prefix = "whsec_"
        let text = secret.hasPrefix(prefix) ? secret.dropFirst(prefix.count) : secret[...]
        guard let key = Base64.bytes(text), key.count >= 16 else { return nil }
        return key
    }
}
