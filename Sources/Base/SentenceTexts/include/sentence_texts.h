#ifndef GEOFENCED_SENTENCE_TEXTS_H
#define GEOFENCED_SENTENCE_TEXTS_H

/* The sentences in English, as `Translation` reads them: UTF-8, with a zero behind its end, which lives as
 * long as the program. */
const char *sentences_in_english(void);

#endif
