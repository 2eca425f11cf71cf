import Program

runProgram("geofenced-roads") { (arguments: Arguments) in
    try compile(arguments)
    return .good
}
