import CSystemd
import Glibc

/// Descriptors that outlive this process: the service manager keeps them, and hands them to the next
/// one (FDSTORE of sd_notify(3)). Outside of a service nothing is kept.
@MainActor
package final class DescriptorStore {
    private let manager: ServiceManager
    /// What the process before this one has left, and nobody has taken yet.
    private var left: [(name: String, descriptor: Int32)]

    /// The descriptors that the manager has given to this process, which are ours from now on.
    package convenience init(_ manager: ServiceManager) {
        self.init(manager, left: (try? ServiceManager.takeDescriptors()) ?? [])
    }

    /// - Parameter left: what an earlier process has left; taken over.
    package init(_ manager: ServiceManager, left: [(name: String, descriptor: Int32)]) {
        self.manager = manager
        self.left = left
    }

    /// Whether an earlier process has left nothing that nobody has taken.
    package var isEmpty: Bool { left.isEmpty }

    /// What was kept under this name, once; the caller closes it.
    package func take(_ name: String) -> Int32? {
        guard let index = left.firstIndex(where: { $0.name == name }) else { return nil }
        return left.remove(at: index).descriptor
    }

    /// Closes what nobody has taken, here and in the store.
    package func dropRest() {
        for (name, descriptor) in left {
            // The other end is to know, whether or not the manager hears that it may close it.
            shutdown(descriptor, Int32(SHUT_RDWR))
            close(descriptor)
            manager.forget(name: name)
        }
        left = []
    }

    /// Has a descriptor kept by a name as ``ServiceManager/store(_:name:)`` takes it; it stays the
    /// caller's as well. The manager lets go of it when the other end closes it.
    package func keep(_ descriptor: Int32, name: String) {
        manager.store([descriptor], name: name)
    }

    /// Ends the connection, which the next process would take for one that lives.
    package func drop(_ descriptor: Int32, name: String) {
        shutdown(descriptor, Int32(SHUT_RDWR))
        manager.forget(name: name)
    }
}
