// The Python module.
#include "bindings/bindings.hpp"
#include "search/search.hpp"

using namespace exactcover;

namespace {

constexpr const char *kOnlyMain =
    "the native engine of exactcover works only in the main interpreter of a process, not in a subinterpreter";

bool is_main_interpreter() { return PyInterpreterState_GetID(PyInterpreterState_Get()) == 0; }

}  // namespace

NB_MODULE(native_of_main, module) {
    if (!is_main_interpreter()) throw nb::import_error(kOnlyMain);  // Python 3.13 has called PyInit in the main one
    nb::set_leak_warnings(false);  // a thread that still works when the process ends holds its objects
    module.doc() = "The C++ part of the engines; use it through exactcover.engines.";
    nb::list sets;
    for (const char *name : instruction_sets()) sets.append(nb::str(name));
    module.attr("instruction_sets") = nb::tuple(sets);
#if defined(NDEBUG)
    module.attr("build_type") = "release";
#else
    module.attr("build_type") = "debug";
#endif
    module.attr("version") = EXACTCOVER_VERSION;
    module.def(
        "leave",
        [](double seconds) {
            nb::gil_scoped_release release;
            return Presence::leave(seconds);
        },
        "seconds"_a,
        "Make other threads leave native code because Python exits, and wait at most this long for them; return "
        "whether none is left.");
    nb::register_exception_translator([](const std::exception_ptr &error, void *) {
        try {
            std::rethrow_exception(error);
        } catch (const Leaving &) {
            PyErr_SetNone(PyExc_SystemExit);
        }
    });
    nb::exception<TooLarge>(module, "TooLargeError", PyExc_ValueError);
    bind_searches(module);
    bind_instances(module);
    bind_counting(module);
    bind_symmetry(module);
    bind_certificates(module);
    bind_steps(module);
    bind_reading(module);
}

// Python calls this in each interpreter that imports the module, before nanobind, which serves one interpreter only, does
// anything there.
extern "C" NB_EXPORT PyObject *PyInit__native() {
    if (is_main_interpreter()) return PyInit_native_of_main();
    PyErr_SetString(PyExc_ImportError, kOnlyMain);
    return nullptr;
}
