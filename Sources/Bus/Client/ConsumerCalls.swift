package import Geofence1
import Systemd

extension DaemonClient {
    /// The durable consumers, in order of name.
    package func consumers() throws(ClientError) -> [ToldConsumer] {
        let answer = try call(.listConsumers, interactive: asksUser)
        return (answer.first?.asArray ?? []).compactMap(ToldConsumer.init(bus:))
    }

    /// Removes a consumer; one that does not exist is not an error.
    package func removeConsumer(_ name: String) throws(ClientError) {
        _ = try call(.unregisterConsumer, [.string(name)], interactive: true)
    }
}
