import FenceSync
import Service

runService("geofenced-sync") { (arguments: SyncArguments, log) in try Sync(arguments, log).run() }
