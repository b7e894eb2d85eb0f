// SPDX-License-Identifier: MIT
// Everything that Saguaro offers to C++ programs.
#pragma once

#include "saguaro/monoids.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/parallel_reduce.hpp"
#include "saguaro/reducer.hpp"
#include "saguaro/run.hpp"
#include "saguaro/scope.hpp"
