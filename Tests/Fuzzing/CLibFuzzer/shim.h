#ifndef GEOFENCED_CLIBFUZZER_SHIM_H
#define GEOFENCED_CLIBFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* compiler-rt has it in the library and in no header that is installed. */
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*one_input)(const uint8_t *data, size_t size));

#endif
