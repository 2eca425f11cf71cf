/* What the Swift runtime of Debian sid asks of glibc, and glibc 2.36 of Debian 12 has not, in terms of
   what it has. Linked with the programs that .ci/deb-for makes for Debian 12 on arm64, and with no
   others: Debian 13 has them all (glibc 2.38 added them), and for amd64 there is a Swift that was made
   on Debian 12. It ends with that package. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* They differ from those without the prefix in one thing: base 0 and base 2 take "0b…" for a binary
   number. The runtime reads decimal and hexadecimal numbers alone. */
long __isoc23_strtol(const char *text, char **end, int base);
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }

long long __isoc23_strtoll(const char *text, char **end, int base);
long long __isoc23_strtoll(const char *text, char **end, int base) {
    return strtoll(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...);
int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

size_t strlcpy(char *room, const char *text, size_t size);
size_t strlcpy(char *room, const char *text, size_t size) {
    size_t length = strlen(text);
    if (size > 0) {
        size_t count = length < size ? length : size - 1;
        memcpy(room, text, count);
        room[count] = 0;
    }
    return length;
}
