// SPDX-License-Identifier: MIT
// MPI_T's functions, as ../interface/functions.hpp has the others. They return codes that begin
// with t_err and call no error handler. What a function that informs puts out may be null where the
// caller does not want it.
#pragma once

#include "mpi/core/interface/callbacks.hpp"
#include "mpi/core/interface/handles.hpp"

#include <cstdint>

namespace saguaro::mpi::core {

int t_category_changed(int *update_number);
int t_category_get_categories(int cat_index, int len, int *indices);
int t_category_get_cvars(int cat_index, int len, int *indices);
int t_category_get_events(int cat_index, int len, int *indices);
int t_category_get_index(const char *name, int *cat_index);
int t_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len,
                        int *num_cvars, int *num_pvars, int *num_categories);
int t_category_get_num(int *num_cat);
int t_category_get_num_events(int cat_index, int *num_events);
int t_category_get_pvars(int cat_index, int len, int *indices);
int t_cvar_get_index(const char *name, int *cvar_index);
int t_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, datatype *type,
                    void **enumtype, char *desc, int *desc_len, int *bind, int *scope);
int t_cvar_get_num(int *num_cvar);
int t_cvar_handle_alloc(int cvar_index, void *obj_handle, void **handle, int *count);
int t_cvar_handle_free(void **handle);
int t_cvar_read(void *handle, void *buf);
int t_cvar_write(void *handle, const void *buf);
int t_enum_get_info(void *enumtype, int *num, char *name, int *name_len);
int t_enum_get_item(void *enumtype, int indx, int *value, char *name, int *name_len);
int t_event_callback_get_info(void *event_registration, int cb_safety, info *info_used);
int t_event_callback_set_info(void *event_registration, int cb_safety, info hints);
int t_event_copy(void *event_instance, void *buffer);
int t_event_get_index(const char *name, int *event_index);
int t_event_get_info(int event_index, char *name, int *name_len, int *verbosity,
                     datatype *array_of_datatypes, std::int64_t *array_of_displacements,
                     int *num_elements, void **enumtype, info *hints, char *desc, int *desc_len,
                     int *bind);
int t_event_get_num(int *num_events);
int t_event_get_source(void *event_instance, int *source_index);
int t_event_get_timestamp(void *event_instance, std::int64_t *event_timestamp);
int t_event_handle_alloc(int event_index, void *obj_handle, info hints, void **event_registration);
int t_event_handle_free(void *event_registration, void *user_data, any_function free_cb_function);
int t_event_handle_get_info(void *event_registration, info *info_used);
int t_event_handle_set_info(void *event_registration, info hints);
int t_event_read(void *event_instance, int element_index, void *buffer);
int t_event_register_callback(void *event_registration, int cb_safety, info hints, void *user_data,
                              any_function event_cb_function);
int t_event_set_dropped_handler(void *event_registration, any_function dropped_cb_function);
int t_finalize();
int t_init_thread(int required, int *provided);
int t_pvar_get_index(const char *name, int var_class, int *pvar_index);
int t_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                    datatype *type, void **enumtype, char *desc, int *desc_len, int *bind,
                    int *readonly, int *continuous, int *atomic);
int t_pvar_get_num(int *num_pvar);
int t_pvar_handle_alloc(void *session, int pvar_index, void *obj_handle, void **handle, int *count);
int t_pvar_handle_free(void *session, void **handle);
int t_pvar_read(void *session, void *handle, void *buf);
int t_pvar_readreset(void *session, void *handle, void *buf);
int t_pvar_reset(void *session, void *handle);
int t_pvar_session_create(void **session);
int t_pvar_session_free(void **session);
int t_pvar_start(void *session, void *handle);
int t_pvar_stop(void *session, void *handle);
int t_pvar_write(void *session, void *handle, const void *buf);
int t_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len,
                      int *ordering, std::int64_t *ticks_per_second, std::int64_t *max_ticks,
                      info *hints);
int t_source_get_num(int *num_sources);
int t_source_get_timestamp(int source_index, std::int64_t *timestamp);

} // namespace saguaro::mpi::core
