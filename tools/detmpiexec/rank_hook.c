/* SPDX-License-Identifier: MIT */
/* A library that the launcher has loaded into ranks which may start an MPI program: when a process
   ends, it tells the launcher of another MPI library that the process has loaded. */
#define _GNU_SOURCE
#include "implements_mpi.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* It also runs in children of vfork and in signal handlers: it takes no memory of malloc's, no
   lock, and about 1 KB of stack, since a handler's may have 8 KB. */

/* What needs more, in pages that are mapped while it lasts. */
typedef struct {
    char text[2 * PATH_MAX]; /* of /proc/self/maps */
    char path[PATH_MAX];
} scratch;

/* A function whose frame is gone before its caller goes on. */
#define OWN_FRAME __attribute__((noinline))

typedef int exec_call(const char *, char *const[], char *const[]);
typedef int spawn_call(pid_t *, const char *, const posix_spawn_file_actions_t *,
                       const posix_spawnattr_t *, char *const[], char *const[]);

static int is_of_a_rank;
static int is_limited; /* by a filter of system calls, or about to be */
static long rank_number;
static char notes[64];            /* the launcher's file */
static char own_file[PATH_MAX];   /* as LD_PRELOAD names it */
static char own_folder[PATH_MAX]; /* with a slash: it has the project's MPI libraries */
static exec_call *real_execve;
static exec_call *real_execvpe;
static spawn_call *real_spawn;
static spawn_call *real_spawnp;
static void *(*real_dlopen)(const char *, int);

/* Gives `real` the C library's function. Constructors of the program's libraries run before this
   library's own and may call it. */
#define RESOLVE(real, name)                                                                        \
    do                                                                                             \
        if ((real) == NULL)                                                                        \
            *(void **)&(real) = dlsym(RTLD_NEXT, name);                                            \
    while (0)

/* The launcher cannot be told, for example from another namespace of processes: the process itself
   fails. */
static void fail(const char *library) {
    static const char parts[2][48] = {"saguaro: mpi: the program has loaded ",
                                      ", another MPI library\n"};
    const ssize_t written = write(STDERR_FILENO, parts[0], strlen(parts[0])) +
                            write(STDERR_FILENO, library, strlen(library)) +
                            write(STDERR_FILENO, parts[1], strlen(parts[1]));
    syscall(SYS_exit_group, written > 0 ? 1 : 2);
}

/* Whether the process may open files. A filter may kill it for any system call, also for one that
   asks for the filter. */
static int may_look(void) {
    /* Pairs with prctl's store: mostly the same thread's, so the order does not matter. */
    return is_of_a_rank && !__atomic_load_n(&is_limited, __ATOMIC_RELAXED);
}

/* While files are read: neither _exit nor a function that starts programs is a place where a thread
   may be cancelled. Returns the former state. A child of vfork must put it back, which is its
   parent's. */
static int forbid_cancellation(void) {
    int former = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &former);
    return former;
}

static void put_back_cancellation(int former) {
    pthread_setcancelstate(former, NULL);
}

static scratch *take_scratch(void) {
    void *const pages =
        mmap(NULL, sizeof(scratch), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static void give_back(scratch *taken) {
    munmap(taken, sizeof(*taken));
}

OWN_FRAME static void tell(const char *library) {
    char note[SG_NOTE_BYTES] = {0};
    const size_t length = strlen(library);
    /* Of a long name the end says more. */
    memcpy(note, library + (length < sizeof(note) ? 0 : length - sizeof(note) + 1),
           length < sizeof(note) ? length : sizeof(note) - 1);
    const int to = open(notes, O_WRONLY | O_CLOEXEC);
    struct stat about;
    /* Nothing else has its number: it is a file without a name. */
    if (to < 0 || fstat(to, &about) != 0 || !S_ISREG(about.st_mode) || about.st_nlink != 0 ||
        pwrite(to, note, sizeof(note), rank_number * (off_t)sizeof(note)) != (ssize_t)sizeof(note))
        fail(library);
    close(to);
}

OWN_FRAME static int is_own(const char *file) {
    const char *const name = strrchr(file, '/') + 1;
    char own[strlen(own_folder) + strlen(name) + 1];
    struct stat of_file;
    struct stat of_own;
    strcpy(own, own_folder);
    strcat(own, name);
    return stat(file, &of_file) == 0 && stat(own, &of_own) == 0 &&
           of_file.st_dev == of_own.st_dev && of_file.st_ino == of_own.st_ino;
}

/* Whatever its name: an extension of Python may have an MPI library inside. */
static int is_another(const char *file) {
    return sg_implements_mpi(file) != SG_NO_MPI && !is_own(file);
}

/* Returns whether the process has loaded another MPI library; its path is in the scratch then. */
static int finds_another(scratch *in) {
    char *const text = in->text;
    char *const library = in->path;
    size_t used = 0;
    int found = 0;
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    library[0] = '\0';
    while (maps >= 0 && !found) {
        const ssize_t got = read(maps, text + used, sizeof(in->text) - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
        text[used] = '\0';
        char *line = text;
        for (char *end; !found && (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            const char *const path = strchr(line, '/');
            /* "FROM-TO r-xp ...": what is only read may be what a debugger looks at. A library has
               several lines, one after the other. */
            const char *const rights = strchr(line, ' ');
            if (path == NULL || rights == NULL || rights[3] != 'x' || strlen(path) >= PATH_MAX ||
                strcmp(path, library) == 0)
                continue;
            strcpy(library, path);
            found = is_another(path);
        }
        used -= (size_t)(line - text);
        memmove(text, line, used);
    }
    if (maps >= 0)
        close(maps);
    return found;
}

static void tell_of_another(void) {
    scratch *const taken = take_scratch();
    if (taken == NULL)
        return;
    const int former = forbid_cancellation();
    if (finds_another(taken))
        tell(taken->path);
    put_back_cancellation(former);
    give_back(taken);
}

/* Of a process that ends. A note says nothing if the rank has called this library's MPI_Init. */
static void look(void) {
    if (may_look())
        tell_of_another();
}

/* When it begins: the program may end by a system call of its own, as Go's programs do. */
static void look_at_begin(void) {
    if (dlsym(RTLD_DEFAULT, "PMPI_Init") != NULL)
        tell_of_another();
}

/* Before a library is loaded that needs an MPI library: the project's of the same binary interface,
   whose functions then come before those of any other, whatever its name and place. A search path
   inside the library, or a name that is its wheel's alone, would lead past LD_LIBRARY_PATH. */
OWN_FRAME static void prepare_for(const char *library) {
    static int is_prepared[SG_MPI_NAMES];
    /* The project's library may itself load others when it is loaded. A preloaded library may have
       the model, which calls nothing. */
    static __thread int is_preparing __attribute__((tls_model("initial-exec")));
    if (!is_of_a_rank || is_preparing || library == NULL || strchr(library, '/') == NULL)
        return;
    const int former = forbid_cancellation();
    const int place = sg_needed_mpi(library);
    put_back_cancellation(former);
    /* Pairs with the store below: the library is loaded. */
    if (place == SG_MPI_NAMES || __atomic_load_n(&is_prepared[place], __ATOMIC_ACQUIRE))
        return;
    char own[strlen(own_folder) + strlen(sg_own_name(place)) + 1];
    strcpy(own, own_folder);
    strcat(own, sg_own_name(place));
    is_preparing = 1;
    /* Another thread may do the same: it waits here until the library is loaded. */
    if (real_dlopen(own, RTLD_NOW | RTLD_GLOBAL) != NULL)
        __atomic_store_n(&is_prepared[place], 1, __ATOMIC_RELEASE); /* pairs with the load above */
    is_preparing = 0;
}

/* Of a program that runs next: no library is loaded into a static one. */
static void look_at_program(const char *file) {
    if (!may_look())
        return;
    const int former = forbid_cancellation();
    if (sg_implements_mpi(file) == SG_MPI_IN_STATIC)
        tell(file);
    put_back_cancellation(former);
}

/* ---- Variables of a program that runs next ---- */

/* What leads a rank to its job and to the project's libraries. */
static const char *const ways[] = {"SAGUARO_MPI_RANK=", "SAGUARO_MPI_NOTES=", "SAGUARO_SPMC_JOB=",
                                   "LD_LIBRARY_PATH=", "MPI4PY_LIBMPI="};
/* Two more for LD_PRELOAD and the end. */
enum { WAYS = sizeof(ways) / sizeof(ways[0]), MORE = WAYS + 2 };

static char *first_ways[WAYS]; /* as they were when the process began: `env` clears its own */
static const char preload[] = "LD_PRELOAD=";

static size_t count_of(char *const words[]) {
    size_t count = 0;
    while (words != NULL && words[count] != NULL)
        ++count;
    return count;
}

/* The place of the variable, whose name ends with '='; the count of them if it is not there. */
static size_t place_of(const char *name, char *const variables[]) {
    size_t i = 0;
    for (; variables != NULL && variables[i] != NULL; ++i)
        if (strncmp(variables[i], name, strlen(name)) == 0)
            break;
    return i;
}

static int has(const char *name, char *const variables[]) {
    return variables != NULL && variables[place_of(name, variables)] != NULL;
}

/* Whether a program with these variables is a rank of another launcher's, and knows its own job. */
static int is_another_launchers(char *const variables[]) {
    return has("PMI_RANK=", variables) || has("PMIX_RANK=", variables) ||
           has("OMPI_COMM_WORLD_RANK=", variables);
}

/* Whether a program that is given these variables gets more: what a clean environment would lack,
   as after `env -i`, where the program would be the only rank of a world of its own. Nothing is
   added to a program of another launcher's, nor after this library's MPI_Init, which removes one of
   the variables. */
static int gets_more(char *const given[]) {
    if (!is_of_a_rank || (!has(ways[0], environ) && has(ways[1], environ)) ||
        is_another_launchers(given))
        return 0;
    for (size_t i = 0; i < WAYS; ++i)
        if (!has(ways[i], given) && first_ways[i] != NULL)
            return 1;
    return !has(preload, given) || strstr(given[place_of(preload, given)], own_file) == NULL;
}

/* The characters for LD_PRELOAD. */
static size_t room_for_preload(char *const given[]) {
    const size_t theirs = has(preload, given) ? strlen(given[place_of(preload, given)]) : 0;
    return sizeof(preload) + theirs + 1 + strlen(own_file);
}

/* The variables that a program is given, and of the rank's what they lack. */
static char *const *with_ways(char *const given[], char *all[], char *preloaded) {
    size_t count = count_of(given);
    memcpy(all, given, count * sizeof(*all));
    all[count] = NULL;
    for (size_t i = 0; i < WAYS; ++i)
        if (!has(ways[i], all) && first_ways[i] != NULL) {
            all[count++] = first_ways[i];
            all[count] = NULL;
        }
    const size_t place = place_of(preload, all);
    const char *const theirs = all[place] != NULL ? all[place] : preload;
    if (strstr(theirs, own_file) == NULL) {
        strcpy(preloaded, theirs);
        strcat(preloaded, theirs[sizeof(preload) - 1] != '\0' ? ":" : "");
        strcat(preloaded, own_file);
        if (all[place] == NULL)
            all[count + 1] = NULL;
        all[place] = preloaded;
    }
    return all;
}

/* Gives `name` the variables for a program that is given these. The room is on the stack: a child
   of vfork that executes a program would leave mapped pages to its parent. */
#define WITH_WAYS(name, given)                                                                     \
    const int more_##name = gets_more(given);                                                      \
    char *room_for_##name[more_##name ? count_of(given) + MORE : 1];                               \
    char preloaded_for_##name[more_##name ? room_for_preload(given) : 1];                          \
    char *const *const name =                                                                      \
        more_##name ? with_ways(given, room_for_##name, preloaded_for_##name) : (given)

/* The first program of the name in the folders of `at`. */
static int finds_program(const char *name, const char *at, char file[PATH_MAX]) {
    for (const char *end; *at != '\0'; at = *end == ':' ? end + 1 : end) {
        end = strchr(at, ':') != NULL ? strchr(at, ':') : at + strlen(at);
        const size_t length = (size_t)(end - at);
        if (length == 0 || length + 1 + strlen(name) >= PATH_MAX)
            continue;
        memcpy(file, at, length);
        file[length] = '/';
        strcpy(file + length + 1, name);
        if (access(file, X_OK) == 0)
            return 1;
    }
    return 0;
}

static void look_for_program(const char *name) {
    const char *const at = getenv("PATH");
    if (strchr(name, '/') != NULL || at == NULL) {
        look_at_program(name);
        return;
    }
    scratch *const taken = may_look() ? take_scratch() : NULL;
    if (taken == NULL)
        return;
    if (finds_program(name, at, taken->path))
        look_at_program(taken->path);
    give_back(taken);
}

/* Copies: a program may write its title over the environment that it began with. */
static void keep_ways(void) {
    size_t sizes[WAYS] = {0};
    size_t sum = 0;
    for (size_t i = 0; i < WAYS; ++i) {
        const char *const now = environ[place_of(ways[i], environ)];
        sum += sizes[i] = now != NULL ? strlen(now) + 1 : 0;
    }
    char *to = sum == 0
                   ? MAP_FAILED
                   : mmap(NULL, sum, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; to != MAP_FAILED && i < WAYS; ++i)
        if (sizes[i] != 0) {
            first_ways[i] = memcpy(to, environ[place_of(ways[i], environ)], sizes[i]);
            to += sizes[i];
        }
}

__attribute__((constructor)) static void begin(void) {
    /* "PLACE,RANK,DESCRIPTOR" */
    const char *const told = getenv("SAGUARO_MPI_RANK");
    const char *const comma = told != NULL ? strchr(told, ',') : NULL;
    const char *const file = getenv("SAGUARO_MPI_NOTES");
    Dl_info self;
    RESOLVE(real_execve, "execve");
    RESOLVE(real_execvpe, "execvpe");
    RESOLVE(real_spawn, "posix_spawn");
    RESOLVE(real_spawnp, "posix_spawnp");
    RESOLVE(real_dlopen, "dlopen");
    if (comma == NULL || file == NULL || strlen(file) >= sizeof(notes) ||
        is_another_launchers(environ) || dladdr(&rank_number, &self) == 0 ||
        self.dli_fname == NULL || strlen(self.dli_fname) >= sizeof(own_folder))
        return;
    for (const char *digit = comma + 1; *digit >= '0' && *digit <= '9'; ++digit)
        rank_number = 10 * rank_number + *digit - '0';
    strcpy(notes, file);
    strcpy(own_file, self.dli_fname);
    /* The launcher names its own descriptor where the path has a space. */
    const ssize_t length = readlink(self.dli_fname, own_folder, sizeof(own_folder) - 1);
    if (length > 0 && strncmp(self.dli_fname, "/proc/", 6) == 0)
        own_folder[length] = '\0';
    else
        strcpy(own_folder, self.dli_fname);
    char *const slash = strrchr(own_folder, '/');
    if (slash == NULL)
        return;
    slash[1] = '\0';
    keep_ways();
    is_of_a_rank = 1;
    at_quick_exit(look);
    look_at_begin();
}

__attribute__((destructor)) static void end(void) {
    look();
}

/* The C library's functions of these names, which programs call in vain of the destructor. */
#define EXPORTED __attribute__((visibility("default")))

EXPORTED void _exit(int code) {
    look();
    for (;;)
        syscall(SYS_exit_group, code);
}

EXPORTED void _Exit(int code) {
    _exit(code);
}

EXPORTED int execve(const char *file, char *const words[], char *const variables[]) {
    look();
    look_at_program(file);
    WITH_WAYS(all, variables);
    RESOLVE(real_execve, "execve");
    return real_execve(file, words, all);
}

EXPORTED int execv(const char *file, char *const words[]) {
    return execve(file, words, environ);
}

EXPORTED int execvpe(const char *name, char *const words[], char *const variables[]) {
    look();
    look_for_program(name);
    WITH_WAYS(all, variables);
    RESOLVE(real_execvpe, "execvpe");
    return real_execvpe(name, words, all);
}

EXPORTED int execvp(const char *name, char *const words[]) {
    return execvpe(name, words, environ);
}

/* The words of a call that has them as arguments, up to a null pointer, go into an array `words`;
   `list` stands behind that pointer. */
#define WORDS_OF(first)                                                                            \
    va_list list;                                                                                  \
    size_t count = 1;                                                                              \
    va_start(list, first);                                                                         \
    for (const char *each = (first); each != NULL; each = va_arg(list, const char *))              \
        ++count;                                                                                   \
    va_end(list);                                                                                  \
    char *words[count];                                                                            \
    va_start(list, first);                                                                         \
    words[0] = (char *)(uintptr_t)(first);                                                         \
    for (size_t i = 1; i < count; ++i)                                                             \
    words[i] = va_arg(list, char *)

EXPORTED int execl(const char *file, const char *first, ...) {
    WORDS_OF(first);
    va_end(list);
    return execve(file, words, environ);
}

EXPORTED int execlp(const char *name, const char *first, ...) {
    WORDS_OF(first);
    va_end(list);
    return execvpe(name, words, environ);
}

EXPORTED int execle(const char *file, const char *first, ...) {
    WORDS_OF(first);
    char *const *const variables = va_arg(list, char *const *);
    va_end(list);
    return execve(file, words, variables);
}

EXPORTED int posix_spawn(pid_t *made, const char *file, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *attributes, char *const words[],
                         char *const variables[]) {
    look_at_program(file);
    WITH_WAYS(all, variables);
    RESOLVE(real_spawn, "posix_spawn");
    return real_spawn(made, file, actions, attributes, words, all);
}

EXPORTED int posix_spawnp(pid_t *made, const char *name, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const words[],
                          char *const variables[]) {
    look_for_program(name);
    WITH_WAYS(all, variables);
    RESOLVE(real_spawnp, "posix_spawnp");
    return real_spawnp(made, name, actions, attributes, words, all);
}

/* A filter of system calls comes by this call, or by another one after this call has given up new
   privileges, which all but privileged processes must. */
EXPORTED int prctl(int what, ...) {
    unsigned long more[4];
    va_list list;
    va_start(list, what);
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); ++i)
        more[i] = va_arg(list, unsigned long);
    va_end(list);
    const int done = (int)syscall(SYS_prctl, what, more[0], more[1], more[2], more[3]);
    if (done == 0 && (what == PR_SET_SECCOMP || what == PR_SET_NO_NEW_PRIVS))
        __atomic_store_n(&is_limited, 1, __ATOMIC_RELAXED); /* pairs with the load of may_look */
    return done;
}

/* dlopen looks at its caller, whose search path counts: the call is a jump. */
EXPORTED void *dlopen(const char *file, int mode) {
    prepare_for(file);
    RESOLVE(real_dlopen, "dlopen");
    return real_dlopen(file, mode);
}
