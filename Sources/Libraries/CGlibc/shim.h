#include <link.h>

/* dl_iterate_phdr(3). <link.h> has it for GNU programs only; Swift's module of the same headers is not
   made for these, and one program cannot have both. */
struct glibc_object {
    ElfW(Addr) dlpi_addr;
    const char *dlpi_name;
    const ElfW(Phdr) *dlpi_phdr;
    ElfW(Half) dlpi_phnum;
    unsigned long long dlpi_adds;
    unsigned long long dlpi_subs;
};

int glibc_each_object(int (*each)(struct glibc_object *, size_t, void *), void *data)
    __asm__("dl_iterate_phdr");

/* mallopt(3), which is in no module either. */
int glibc_mallopt(int parameter, int value) __asm__("mallopt");
enum { glibc_mmap_threshold = -3 };

/* Of the machine's word. */
typedef ElfW(Phdr) glibc_segment;
