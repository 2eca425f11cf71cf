import Glibc
import LiveMap
import Service

runService("geofenced-map") { (arguments: MapArguments, log) in
    try Map(arguments, Service(log, endedBy: [SIGTERM, SIGINT, SIGHUP])).run()
}
