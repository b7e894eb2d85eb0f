// SPDX-License-Identifier: MIT
// Everything that Saguaro offers to C++ programs.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/arena.hpp"
#include "saguaro/blocking.hpp"
#include "saguaro/cancellable_scope.hpp"
#include "saguaro/dotmix.hpp"
#include "saguaro/holder.hpp"
#include "saguaro/monoids.hpp"
#include "saguaro/ostream_reducer.hpp"
#include "saguaro/parallel_find.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_for_2d.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/parallel_reduce.hpp"
#include "saguaro/parallel_scan.hpp"
#include "saguaro/parallel_sort.hpp"
#include "saguaro/parallel_transform.hpp"
#include "saguaro/pedigree.hpp"
#include "saguaro/race.h"
#include "saguaro/reducer.hpp"
#include "saguaro/run.hpp"
#include "saguaro/scope.hpp"
#include "saguaro/task_group.hpp"
