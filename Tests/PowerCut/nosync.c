/* For the control run (CONTROL=nosync): a service that believes its data durable too early. */
int fsync(int descriptor) { (void)descriptor; return 0; }
int fdatasync(int descriptor) { (void)descriptor; return 0; }
