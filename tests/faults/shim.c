/* A library to preload (LD_PRELOAD) that makes chosen system calls of a program fail.
 *
 * It stands between the program and the C library, and counts the calls that concern files below
 * one folder. Environment variables say which calls count, and what happens at one of them:
 *
 *   FAULT_FOLDER  the folder, as an absolute path without links; calls on other paths pass
 *   FAULT_CALLS   the calls that count, separated by commas, or `all`:
 *                   open    opens a file                  create   the same with O_CREAT
 *                   read    read, pread, readv            write    write, pwrite, writev
 *                   sync    fsync, fdatasync              truncate ftruncate
 *                   stat    stat, lstat, fstat, statx     mmap     maps a file
 *                   rename  mkdir  rmdir  unlink          lock     flock
 *                   opendir readdir closedir; opendir is also open with O_DIRECTORY
 *                 and, wherever they come from, but not with `all`:
 *                   thread  pthread_create                memory   anonymous mmap
 *   FAULT_AT      the number of the call, from 1; `7+` means the 7th and all that follow
 *   FAULT_DO      what happens there:
 *                   EIO, ENOSPC, ENOENT, EACCES, ...      the call fails and does nothing; closedir
 *                                                         closes the folder, then fails
 *                   short                                 it reads or writes only half
 *                   kill                                  SIGKILL before the call
 *                   pause:FILE                            creates FILE before the call, and goes on
 *                                                         when somebody has removed FILE
 *   FAULT_TRACE   a file that gets a line for each call that counts: `7 rename /a/b`
 *   FAULT_CLOCK   the time of day, in seconds from 1970, if it is to be another
 *
 * Calls are counted across threads, so a run with one thread can be repeated.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum deed { PASS, FAIL, SHORT, PAUSE, KILL };

static const char *folder, *calls, *trace, *pause_file, *clock_said;
static long at;
static int from_then_on, error_number;
static enum deed deed;
static atomic_long counted;

static int number_of_error(const char *name) {
    static const struct { const char *name; int number; } errors[] = {
        {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"ENOENT", ENOENT}, {"EACCES", EACCES},
        {"ESTALE", ESTALE}, {"EINTR", EINTR}, {"EAGAIN", EAGAIN}, {"EROFS", EROFS},
        {"EDQUOT", EDQUOT}, {"EFBIG", EFBIG}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
        {"ENOLCK", ENOLCK}, {"ENOTEMPTY", ENOTEMPTY}, {"EEXIST", EEXIST}, {"EBUSY", EBUSY},
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (!strcmp(errors[i].name, name)) return errors[i].number;
    fprintf(stderr, "shim: FAULT_DO=%s is unknown\n", name);
    _exit(99);
}

__attribute__((constructor)) static void read_environment(void) {
    folder = getenv("FAULT_FOLDER");
    calls = getenv("FAULT_CALLS");
    trace = getenv("FAULT_TRACE");
    clock_said = getenv("FAULT_CLOCK");
    const char *when = getenv("FAULT_AT"), *what = getenv("FAULT_DO");
    if (!when || !what) return;
    char *rest;
    at = strtol(when, &rest, 10);
    from_then_on = *rest == '+';
    if (!strcmp(what, "kill")) deed = KILL;
    else if (!strcmp(what, "short")) deed = SHORT;
    else if (!strncmp(what, "pause:", 6)) deed = PAUSE, pause_file = what + 6;
    else deed = FAIL, error_number = number_of_error(what);
}

/* Whether FAULT_CALLS has this name. */
static int is_listed(const char *call, int all) {
    if (!calls) return 0;
    if (all && !strcmp(calls, "all")) return 1;
    size_t length = strlen(call);
    for (const char *name = calls; name; name = strchr(name, ',')) {
        name += *name == ',';
        if (!strncmp(name, call, length) && (name[length] == ',' || !name[length])) return 1;
    }
    return 0;
}

/* Counts a call, and says what happens to it. Sets errno if it fails. The actions in here are plain
 * system calls, which do not come back to this file. */
static enum deed count(const char *call, const char *path) {
    long number = atomic_fetch_add(&counted, 1) + 1;
    if (trace) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%ld %s %s\n", number, call, path);
        int file = syscall(SYS_openat, AT_FDCWD, trace, O_WRONLY | O_APPEND | O_CREAT, 0666);
        if (file >= 0) {
            syscall(SYS_write, file, line, length);
            syscall(SYS_close, file);
        }
    }
    if (number != at && !(from_then_on && number > at)) return PASS;
    switch (deed) {
    case FAIL:
        errno = error_number;
        break;
    case KILL:
        syscall(SYS_kill, getpid(), SIGKILL);
        break;
    case PAUSE: {
        int file = syscall(SYS_openat, AT_FDCWD, pause_file, O_WRONLY | O_CREAT, 0666);
        if (file >= 0) syscall(SYS_close, file);
        while (syscall(SYS_faccessat, AT_FDCWD, pause_file, F_OK) == 0) {
            struct timespec moment = {0, 1000000};
            syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, NULL);
        }
        return PASS;
    }
    default:
        break;
    }
    return deed;
}

static int is_below(const char *path) {
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static int path_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    return length >= 0;
}

/* Counts a call on an open file. */
static enum deed on_file(const char *call, int file) {
    char path[PATH_MAX];
    int before = errno;
    if (!folder || !is_listed(call, 1)) return PASS;
    enum deed done = path_of(file, path) && is_below(path) ? count(call, path) : PASS;
    if (done != FAIL) errno = before;
    return done;
}

/* Counts a call on a path, which may start from an open folder or the current one. */
static enum deed on_path(const char *call, int start, const char *path) {
    char whole[2 * PATH_MAX];
    if (!folder || !path || !is_listed(call, 1)) return PASS;
    if (!*path) return on_file(call, start);
    if (*path != '/') {
        if (start == AT_FDCWD ? !getcwd(whole, PATH_MAX) : !path_of(start, whole)) return PASS;
        size_t length = strlen(whole);
        snprintf(whole + length, PATH_MAX, "/%s", path);
        path = whole;
    }
    return is_below(path) ? count(call, path) : PASS;
}

#define REAL(result, name, ...)                                                                    \
    static result (*real)(__VA_ARGS__);                                                            \
    if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static const char *opening(int flags) {
    return flags & O_CREAT ? "create" : flags & O_DIRECTORY ? "opendir" : "open";
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        REAL(int, name, const char *, int, ...);                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                    \
        va_end(rest);                                                                              \
        if (on_path(opening(flags), AT_FDCWD, path) == FAIL) return -1;                            \
        return real(path, flags, mode);                                                            \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
    int name(int start, const char *path, int flags, ...) {                                        \
        REAL(int, name, int, const char *, int, ...);                                              \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                    \
        va_end(rest);                                                                              \
        if (on_path(opening(flags), start, path) == FAIL) return -1;                               \
        return real(start, path, flags, mode);                                                     \
    }
OPENAT(openat)
OPENAT(openat64)

/* Half of it, but at least a byte: nothing would mean the end of the file. */
static size_t half(enum deed done, size_t length) {
    return done == SHORT && length > 1 ? length / 2 : length;
}

ssize_t read(int file, void *bytes, size_t length) {
    REAL(ssize_t, read, int, void *, size_t);
    enum deed done = on_file("read", file);
    return done == FAIL ? -1 : real(file, bytes, half(done, length));
}

ssize_t write(int file, const void *bytes, size_t length) {
    REAL(ssize_t, write, int, const void *, size_t);
    enum deed done = on_file("write", file);
    return done == FAIL ? -1 : real(file, bytes, half(done, length));
}

#define POSITIONED(name, call, pointer, offset_type)                                               \
    ssize_t name(int file, pointer bytes, size_t length, offset_type offset) {                     \
        REAL(ssize_t, name, int, pointer, size_t, offset_type);                                    \
        enum deed done = on_file(call, file);                                                      \
        return done == FAIL ? -1 : real(file, bytes, half(done, length), offset);                  \
    }
POSITIONED(pread, "read", void *, off_t)
POSITIONED(pread64, "read", void *, off64_t)
POSITIONED(pwrite, "write", const void *, off_t)
POSITIONED(pwrite64, "write", const void *, off64_t)

#define VECTOR(name, call)                                                                         \
    ssize_t name(int file, const struct iovec *parts, int number) {                                \
        REAL(ssize_t, name, int, const struct iovec *, int);                                       \
        enum deed done = on_file(call, file);                                                      \
        return done == FAIL ? -1 : real(file, parts, done == SHORT ? 1 : number);                  \
    }
VECTOR(readv, "read")
VECTOR(writev, "write")

#define ONE_FILE(name, call)                                                                       \
    int name(int file) {                                                                           \
        REAL(int, name, int);                                                                      \
        return on_file(call, file) == FAIL ? -1 : real(file);                                      \
    }
ONE_FILE(fsync, "sync")
ONE_FILE(fdatasync, "sync")

int flock(int file, int operation) {
    REAL(int, flock, int, int);
    return on_file("lock", file) == FAIL ? -1 : real(file, operation);
}

#define TRUNCATE(name, length_type)                                                                \
    int name(int file, length_type length) {                                                       \
        REAL(int, name, int, length_type);                                                         \
        return on_file("truncate", file) == FAIL ? -1 : real(file, length);                        \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    return on_path("rename", AT_FDCWD, to) == FAIL ? -1 : real(from, to);
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, mkdir, const char *, mode_t);
    return on_path("mkdir", AT_FDCWD, path) == FAIL ? -1 : real(path, mode);
}

int rmdir(const char *path) {
    REAL(int, rmdir, const char *);
    return on_path("rmdir", AT_FDCWD, path) == FAIL ? -1 : real(path);
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    return on_path("unlink", AT_FDCWD, path) == FAIL ? -1 : real(path);
}

int unlinkat(int start, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    const char *call = flags & AT_REMOVEDIR ? "rmdir" : "unlink";
    return on_path(call, start, path) == FAIL ? -1 : real(start, path, flags);
}

DIR *opendir(const char *path) {
    REAL(DIR *, opendir, const char *);
    return on_path("opendir", AT_FDCWD, path) == FAIL ? NULL : real(path);
}

DIR *fdopendir(int file) {
    REAL(DIR *, fdopendir, int);
    return on_file("opendir", file) == FAIL ? NULL : real(file);
}

#define READDIR(name, entry)                                                                       \
    struct entry *name(DIR *listed) {                                                              \
        REAL(struct entry *, name, DIR *);                                                         \
        return on_file("readdir", dirfd(listed)) == FAIL ? NULL : real(listed);                    \
    }
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

int closedir(DIR *listed) {
    REAL(int, closedir, DIR *);
    enum deed done = on_file("closedir", dirfd(listed));
    int closed = real(listed);
    if (done != FAIL) return closed;
    errno = error_number;
    return -1;
}

#define STAT(name, buffer)                                                                         \
    int name(const char *path, struct buffer *found) {                                             \
        REAL(int, name, const char *, struct buffer *);                                            \
        return on_path("stat", AT_FDCWD, path) == FAIL ? -1 : real(path, found);                   \
    }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define FSTAT(name, buffer)                                                                        \
    int name(int file, struct buffer *found) {                                                     \
        REAL(int, name, int, struct buffer *);                                                     \
        return on_file("stat", file) == FAIL ? -1 : real(file, found);                             \
    }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

int statx(int start, const char *path, int flags, unsigned mask, struct statx *found) {
    REAL(int, statx, int, const char *, int, unsigned, struct statx *);
    return on_path("stat", start, path) == FAIL ? -1 : real(start, path, flags, mask, found);
}

#define MMAP(name, offset_type)                                                                    \
    void *name(void *place, size_t length, int allowed, int flags, int file, offset_type offset) { \
        REAL(void *, name, void *, size_t, int, int, int, offset_type);                            \
        enum deed done = PASS;                                                                     \
        if (!(flags & MAP_ANONYMOUS)) done = on_file("mmap", file);                                \
        else if (is_listed("memory", 0)) done = count("memory", "");                               \
        return done == FAIL ? MAP_FAILED : real(place, length, allowed, flags, file, offset);      \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *of) {
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (is_listed("thread", 0) && count("thread", "") == FAIL) return error_number;
    return real(thread, how, start, of);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock == CLOCK_REALTIME && clock_said) {
        *now = (struct timespec){atol(clock_said), 0};
        return 0;
    }
    return syscall(SYS_clock_gettime, clock, now);
}
