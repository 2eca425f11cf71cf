import Alerting
import Service

runService("geofenced-alert") { (arguments: AlertArguments, log) in
    let alert = Alert(arguments, try Service(log))
    return try arguments.isTrial ? alert.rehearse() : alert.run()
}
