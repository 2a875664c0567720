/* Make chosen system calls on the files of one folder fail or come up short.

   Loaded before the C library with LD_PRELOAD, this counts the calls of each kind on files below a folder, by every
   library of the process and in all threads. `arm` chooses the folder and which call goes wrong; every counted call is
   written to a log, one a line: its kind, then the path. Files elsewhere, such as the interpreter's, are left alone. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, FSYNC, RENAME, MMAP, CLOSE, TRUNCATE, KINDS };
static const char *names[KINDS] = {"open", "read", "write", "fsync", "rename", "mmap", "close", "truncate"};
enum { FINE, SHORT, FAILED };

static char folder[PATH_MAX];
static int log_to = -1, chosen = -1, first, last, problem; /* problem: an errno, or 0 to come up short */
static atomic_int counted[KINDS];

void arm(const char *below, int log, int kind, int from, int to, int how) {
    snprintf(folder, sizeof folder, "%s", below);
    log_to = log, chosen = kind, first = from, last = to, problem = how;
    for (int k = 0; k < KINDS; k++)
        counted[k] = 0;
}

static int inside(const char *path) {
    size_t size = strlen(folder);
    return size && !strncmp(path, folder, size) && (path[size] == '/' || path[size] == 0);
}

/* Count a call on a path, and say how it is to go. */
static int judge(int kind, const char *path) {
    if (!path || !inside(path))
        return FINE;
    int number = ++counted[kind];
    if (log_to >= 0) {
        char line[PATH_MAX + 32];
        int size = snprintf(line, sizeof line, "%s %s\n", names[kind], path);
        syscall(SYS_write, log_to, line, size);
    }
    if (kind != chosen || number < first || number > last)
        return FINE;
    errno = problem;
    return problem ? FAILED : SHORT;
}

static int judge_file(int kind, int file) {
    char name[64], path[PATH_MAX];
    if (!folder[0] || file < 0)
        return FINE;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t size = readlink(name, path, sizeof path - 1);
    if (size < 0)
        return FINE;
    path[size] = 0;
    return judge(kind, path);
}

static size_t part(int how, size_t size) { return how == SHORT && size > 1 ? size / 2 : size; }

static int opened(int at, const char *path, int flags, mode_t mode) {
    if (judge(OPEN, path) == FAILED)
        return -1;
    return syscall(SYS_openat, at, path, flags, mode);
}

#define MODE(last)                                  \
    mode_t mode = 0;                                \
    if (flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
        va_list more;                               \
        va_start(more, last);                       \
        mode = va_arg(more, mode_t);                \
        va_end(more);                               \
    }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(at, path, flags, mode); }

ssize_t read(int file, void *to, size_t size) {
    int how = judge_file(READ, file);
    return how == FAILED ? -1 : syscall(SYS_read, file, to, part(how, size));
}
ssize_t pread(int file, void *to, size_t size, off_t at) {
    int how = judge_file(READ, file);
    return how == FAILED ? -1 : syscall(SYS_pread64, file, to, part(how, size), at);
}
ssize_t pread64(int file, void *to, size_t size, off_t at) { return pread(file, to, size, at); }
ssize_t __read_chk(int file, void *to, size_t size, size_t room) { return read(file, to, size); }

ssize_t write(int file, const void *from, size_t size) {
    int how = judge_file(WRITE, file);
    return how == FAILED ? -1 : syscall(SYS_write, file, from, part(how, size));
}
ssize_t pwrite(int file, const void *from, size_t size, off_t at) {
    int how = judge_file(WRITE, file);
    return how == FAILED ? -1 : syscall(SYS_pwrite64, file, from, part(how, size), at);
}
ssize_t pwrite64(int file, const void *from, size_t size, off_t at) { return pwrite(file, from, size, at); }
ssize_t writev(int file, const struct iovec *parts, int count) {
    int how = judge_file(WRITE, file);
    return how == FAILED ? -1 : syscall(SYS_writev, file, parts, how == SHORT && count > 1 ? count / 2 : count);
}

int fsync(int file) { return judge_file(FSYNC, file) == FAILED ? -1 : syscall(SYS_fsync, file); }
int fdatasync(int file) { return judge_file(FSYNC, file) == FAILED ? -1 : syscall(SYS_fdatasync, file); }

int rename(const char *from, const char *to) {
    return judge(RENAME, to) == FAILED ? -1 : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int a, const char *from, int b, const char *to) {
    return judge(RENAME, to) == FAILED ? -1 : syscall(SYS_renameat2, a, from, b, to, 0);
}

void *mmap(void *at, size_t size, int allowed, int flags, int file, off_t offset) {
    if (judge_file(MMAP, file) == FAILED)
        return (void *)-1;
    return (void *)syscall(SYS_mmap, at, size, allowed, flags, file, offset);
}
void *mmap64(void *at, size_t size, int allowed, int flags, int file, off_t offset) {
    return mmap(at, size, allowed, flags, file, offset);
}

int close(int file) { /* a file that could not be closed in order is closed all the same */
    int how = judge_file(CLOSE, file), problem_then = errno, status = syscall(SYS_close, file);
    if (how == FAILED)
        errno = problem_then, status = -1;
    return status;
}

int ftruncate(int file, off_t size) { return judge_file(TRUNCATE, file) == FAILED ? -1 : syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
