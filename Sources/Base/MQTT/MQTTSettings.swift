/// How a broker is reached, and as whom.
package struct MQTTSettings: Hashable, Sendable {
    /// A name or an address.
    package var host: String
    /// TCP.
    package var port: UInt16
    /// Nil: without TLS.
    package var tls: TLS?
    /// Nil: the broker asks for none, or takes it from the certificate.
    package var user: String?
    /// Only with a user.
    package var password: String?
    /// Unique at the broker; the second of two with one id ends the first.
    package var clientID: String
    /// s between two packets, 5 to 65 535.
    package var keepAlive: Int = 240
    /// What the broker says when the connection ends without a goodbye.
    package var will: Will?
    /// Bytes of messages that may wait for the loop; what exceeds it is dropped and counted.
    package var waitingLimit: Int = 1 << 20
    /// Bytes of the longest packet that the broker may send (OASIS, MQTT 5.0, 3.1.2.11.4): it drops
    /// longer ones, and a broker that sends them is left.
    package var packetLimit: UInt32 = 1 << 20
    /// Publications with QoS 1 that are under way at the same time; the others wait in libmosquitto.
    package var inFlight: UInt16 = 20

    package init(host: String, port: UInt16, clientID: String) {
        self.host = host
        self.port = port
        self.clientID = clientID
    }

    /// With TLS where the address says so.
    package init(_ address: BrokerAddress, clientID: String) {
        self.init(host: address.host, port: address.port, clientID: clientID)
        if address.isSecure { tls = TLS() }
    }

    /// TLS 1.2 or later; the broker's name is always checked.
    package struct TLS: Hashable, Sendable {
        /// Path of a PEM file of authorities; nil: those of the system.
        package var authorities: String?
        /// Paths of the client's certificate and its key, PEM.
        package var identity: Identity?

        package init(authorities: String? = nil, identity: Identity? = nil) {
            self.authorities = authorities
            self.identity = identity
        }
    }

    /// A client certificate.
    package struct Identity: Hashable, Sendable {
        /// Path.
        package var certificate: String
        /// Path; the key is not encrypted.
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// A retained message, QoS 1.
    package struct Will: Hashable, Sendable {
        /// Where.
        package var topic: String
        /// What.
        package var payload: [UInt8]
        /// s after the end of the connection, so that a short break says nothing.
        package var delay: UInt32

        package init(topic: String, payload: [UInt8], delay: UInt32) {
            self.topic = topic
            self.payload = payload
            self.delay = delay
        }
    }
}
