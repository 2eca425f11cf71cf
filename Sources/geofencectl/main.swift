print("geofencectl")
