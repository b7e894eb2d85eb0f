/* SPDX-License-Identifier: MIT */
/* Calls MPI when it may not: MPI_Comm_size before MPI_Init ("before"), or MPI_Barrier behind
   MPI_Finalize, although errors are to be returned ("after"). "allowed" makes only those calls that
   may be made at any time. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int make_the_allowed_calls(void) {
    int flag = 0, version = 0, subversion = 0, length = 0, class = 0, provided = 0, failed = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Info info;
    MPI_Errhandler handler;
    MPI_Session session;
    failed += MPI_Initialized(&flag) != 0;
    failed += MPI_Finalized(&flag) != 0;
    failed += MPI_Get_version(&version, &subversion) != 0;
    failed += MPI_Get_library_version(text, &length) != 0;
    failed += MPI_Error_class(MPI_ERR_ARG, &class) != 0;
    failed += MPI_Error_string(MPI_ERR_ARG, text, &length) != 0;
    failed += MPI_Add_error_class(&class) != 0;
    failed += MPI_Info_create(&info) != 0;
    failed += MPI_Info_set(info, "key", "value") != 0;
    failed += MPI_Info_get_nkeys(info, &length) != 0 || length != 1;
    failed += MPI_Info_free(&info) != 0;
    failed += MPI_Session_create_errhandler((MPI_Session_errhandler_function *)0, &handler) == 0 &&
              MPI_Errhandler_free(&handler) != 0;
    failed += MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != 0;
    failed += MPI_T_cvar_get_num(&length) != 0;
    failed += MPI_T_finalize() != 0;
    failed += MPI_Wtime() < 0;
    /* A session ends the need for MPI_Init, but not behind MPI_Finalize. */
    if (flag == 0) {
        failed += MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != 0;
        failed += MPI_Session_get_num_psets(session, MPI_INFO_NULL, &length) != 0;
        failed += MPI_Session_finalize(&session) != 0;
    }
    return failed;
}

int main(int count, char **words) {
    const char *const what = count > 1 ? words[1] : "";
    int size = 0;
    if (strcmp(what, "before") == 0)
        printf("%d\n", MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (strcmp(what, "allowed") == 0 && make_the_allowed_calls() != 0)
        return 3;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Finalize();
    if (strcmp(what, "after") == 0)
        printf("%d\n", MPI_Barrier(MPI_COMM_WORLD));
    return strcmp(what, "allowed") == 0 && make_the_allowed_calls() != 0 ? 4 : 0;
}
