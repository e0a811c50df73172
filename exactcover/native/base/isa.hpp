// The namespace of code that is compiled more than once.
//
// search/search.cpp is compiled once for each instruction set, and all of these objects are linked into one module. Of
// an inline function or an instance of a template that several objects define under one name the linker keeps one
// copy, which may hold instructions that this processor does not have. So everything that such an object defines has
// the instruction set in its name: it lives in this namespace, or is a template over a type that does. What remains
// shared with other objects (problem.hpp, search.hpp) is data, or defined in a source file that is compiled once.
//
// Objects that are compiled once use the same headers under the name `baseline`.
#pragma once

#if !defined(EXACTCOVER_ISA)
#define EXACTCOVER_ISA baseline
#endif

namespace exactcover {
inline namespace EXACTCOVER_ISA {}
}  // namespace exactcover
