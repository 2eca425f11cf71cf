import CSystemd
import Glibc

/// Descriptors that outlive this process: the service manager keeps them, and passes them to the
/// next one (FDSTORE of sd_notify(3)). Outside of a service nothing is kept.
@MainActor
package final class DescriptorStore {
    private let manager: ServiceManager
    /// Descriptors left by the previous process that have not been taken yet.
    private var left: [(name: String, descriptor: Int32)]

    /// The descriptors that the manager has passed to this process, which we own from now on.
    package convenience init(_ manager: ServiceManager) {
        self.init(manager, left: (try? ServiceManager.takeDescriptors()) ?? [])
    }

    /// - Parameter left: descriptors left by an earlier process; this takes ownership of them.
    package init(_ manager: ServiceManager, left: [(name: String, descriptor: Int32)]) {
        self.manager = manager
        self.left = left
    }

    /// Whether no descriptors of an earlier process remain to be taken.
    package var isEmpty: Bool { left.isEmpty }

    /// The first descriptor kept under such a name, once; the caller closes it.
    package func take(where isWanted: (String) -> Bool) -> (name: String, descriptor: Int32)? {
        guard let index = left.firstIndex(where: { isWanted($0.name) }) else { return nil }
        return left.remove(at: index)
    }

    /// Closes the descriptors not taken, here and in the store.
    package func dropRest() {
        for (name, descriptor) in left {
            // Notifies the other end, even if the manager does not close its copy.
            shutdown(descriptor, Int32(SHUT_RDWR))
            close(descriptor)
            manager.forget(name: name)
        }
        left = []
    }

    /// Stores a descriptor under a name as in ``ServiceManager/store(_:name:)``; the caller keeps
    /// its own. The manager drops it when the other end closes it.
    package func keep(_ descriptor: Int32, name: String) {
        manager.store([descriptor], name: name)
    }

    /// Stores a descriptor under another name. The manager compares descriptors, and would ignore one
    /// that it has: it forgets the old name first.
    package func rename(_ descriptor: Int32, from old: String, to new: String) {
        manager.forget(name: old)
        keep(descriptor, name: new)
    }

    /// Ends the connection, which the next process would otherwise take for a live one.
    package func drop(_ descriptor: Int32, name: String) {
        shutdown(descriptor, Int32(SHUT_RDWR))
        manager.forget(name: name)
    }
}
