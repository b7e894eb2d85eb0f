/* SPDX-License-Identifier: MIT */
/* What delays.hpp is for C++, for C sources: clones push and pop by these builtins. */
#pragma once

/* In each C++ source of the preset. */
void saguaro_test_delay(unsigned place);

#define SG_DELAYED(operation, ...) (saguaro_test_delay(__LINE__), operation(__VA_ARGS__))
#define __atomic_load_n(...) SG_DELAYED(__atomic_load_n, __VA_ARGS__)
#define __atomic_store_n(...) SG_DELAYED(__atomic_store_n, __VA_ARGS__)
#define __atomic_exchange_n(...) SG_DELAYED(__atomic_exchange_n, __VA_ARGS__)
#define __atomic_fetch_add(...) SG_DELAYED(__atomic_fetch_add, __VA_ARGS__)
