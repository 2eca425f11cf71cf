print("geofenced")
