package import Geofence1
import Systemd

extension DaemonClient {
    /// The durable consumers, in order of name.
    package func consumers() throws(ClientError) -> [ToldConsumer] {
        let answer = try call("ListConsumers", interactive: asksUser)
        return (answer.first?.asArray ?? []).compactMap(ToldConsumer.init(bus:))
    }

    /// Removes a consumer; one that does not exist is not an error.
    package func removeConsumer(_ name: String) throws(ClientError) {
        _ = try call("UnregisterConsumer", [.string(name)], interactive: true)
    }
}
