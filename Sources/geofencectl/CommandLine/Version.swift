/// As `--version` says it.
let version = "0.1.0"
