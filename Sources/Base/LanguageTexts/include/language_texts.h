#ifndef GEOFENCED_LANGUAGE_TEXTS_H
#define GEOFENCED_LANGUAGE_TEXTS_H

/* The sentences in a language but English, as `Translation` reads them: UTF-8, with a zero behind its end,
 * which lives as long as the program. NULL for a code that there are none of. */
const char *language_text(const char *code);

#endif
