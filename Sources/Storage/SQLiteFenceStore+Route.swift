package import Law

// The route.
extension SQLiteFenceStore {
    /// The last that was set; nil where none ever was.
    /// - Throws: ``StoreError``
    package func route() throws -> StoredRoute? { try log.route() }

    /// In place of the one before. Durable.
    /// - Throws: ``StoreError``; then the route is the one of before.
    package func setRoute(_ route: StoredRoute) throws { try log.setRoute(route) }

    /// What is kept of the route of that number; where it has ended its line is deleted. Durable.
    /// - Throws: ``StoreError``
    package func noteRoute(_ progress: RouteProgress) throws { try log.noteRoute(progress) }
}
