#ifndef GEOFENCED_CCURL_SHIM_H
#define GEOFENCED_CCURL_SHIM_H

#include <curl/curl.h>

/* Options and results are variadic in libcurl, which Swift does not import. The type of the argument
 * belongs to the number of the option: CURLOPTTYPE_* in curl.h. */

static inline CURLcode geofenced_curl_set_long(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode geofenced_curl_set_size(CURL *handle, CURLoption option, int64_t value)
{
    return curl_easy_setopt(handle, option, (curl_off_t)value);
}

/* libcurl copies the text, except that of CURLOPT_POSTFIELDS. */
static inline CURLcode geofenced_curl_set_text(CURL *handle, CURLoption option, const char *value)
{
    return curl_easy_setopt(handle, option, value);
}

/* The size comes first: CURLOPT_COPYPOSTFIELDS uses it. */
static inline CURLcode geofenced_curl_copy_body(CURL *handle, const void *bytes, int64_t count)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes ? bytes : "");
}

static inline CURLcode geofenced_curl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *list)
{
    return curl_easy_setopt(handle, option, list);
}

static inline CURLcode geofenced_curl_set_body_callback(
    CURL *handle, curl_write_callback callback, void *user)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, user);
}

static inline CURLcode geofenced_curl_set_head_callback(
    CURL *handle, curl_write_callback callback, void *user)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, user);
}

static inline long geofenced_curl_status(CURL *handle)
{
    long status = 0;
    (void)curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* The status of a proxy's answer to CONNECT; 0 if there was none. */
static inline long geofenced_curl_connect_status(CURL *handle)
{
    long status = 0;
    (void)curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &status);
    return status;
}

/* The addresses of the errors' texts are valid as long as the handle. */
static inline CURLcode geofenced_curl_set_error_buffer(CURL *handle, char *buffer)
{
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLMcode geofenced_curl_set_socket_callback(
    CURLM *multi, curl_socket_callback callback, void *user)
{
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, user);
}

static inline CURLMcode geofenced_curl_set_timer_callback(
    CURLM *multi, curl_multi_timer_callback callback, void *user)
{
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, user);
}

/* The result of the first transfer that is over, and its handle; null when there is none. */
static inline CURL *geofenced_curl_next_done(CURLM *multi, CURLcode *result)
{
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return 0;
}

/* Once in a process, before its first thread. */
static inline CURLcode geofenced_curl_start(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

#endif
