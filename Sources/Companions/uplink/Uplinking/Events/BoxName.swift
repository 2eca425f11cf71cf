import MQTT
import Settings

/// Who this box is for the back end.
package struct BoxName: Hashable, Sendable {
    /// 1 to 64 of `[A-Za-z0-9_-]`.
    package let tenant: String
    /// 1 to 64 of `[A-Za-z0-9_-]`.
    package let box: String

    package init(tenant: String, box: String) {
        self.tenant = tenant
        self.box = box
    }

    /// Takes `Tenant=` and `Box=`, which must be there.
    init(from file: inout ProgramSettings) {
        var names: [String] = []
        for key in ["Tenant", "Box"] {
            let name = file.text("Uplink", key) ?? ""
            if !TopicLevel.isPlain(name) {
                file.refuse(
                    "Uplink", key,
                    name.isEmpty
                        ? "is missing" : "\(name): not 1 to 64 of A-Z, a-z, 0-9, - and _")
            }
            names.append(name)
        }
        self.init(tenant: names[0], box: names[1])
    }
}
