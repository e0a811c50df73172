// Reading options from Python objects, and giving secondary items their final numbers.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "bindings/bindings.hpp"

namespace exactcover {

namespace {

constexpr std::size_t kSignalsEvery = 1u << 12;  // options
constexpr std::size_t kMostAtOnce = 1u << 16;    // options
constexpr Py_ssize_t kMostNumbers = 1 << 30;     // of items and colors

// Reads plain options as they are yielded: a label and a tuple or list of items. Whatever else is yielded, or is wrong,
// is left to the caller, without entries; only new items and colors in it keep the numbers that they got. Primary items
// have the numbers 0, 1, ..., secondary items -1, -2, ..., and colors 1, 2, ... in the dictionaries, which the caller
// owns and may change between two calls.
class OptionReader {
public:
    OptionReader(nb::dict positions, nb::dict numbers, nb::dict colors, std::optional<nb::list> primary,
                 nb::object colored)
        : positions_(std::move(positions)),
          numbers_(std::move(numbers)),
          colors_(std::move(colors)),
          primary_(std::move(primary)),
          colored_(std::move(colored)),
          item_name_(nb::str("item")),
          color_name_(nb::str("color")) {
        if (!PyType_Check(colored_.ptr())) throw nb::type_error("colored must be a class");
    }

    nb::object read(nb::handle iterator) {
        if (!PyIter_Check(iterator.ptr())) throw nb::type_error("options must be an iterator");
        for (std::size_t count = 0; count < kMostAtOnce; ++count) {
            if (count % kSignalsEvery == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
            nb::object option = nb::steal(PyIter_Next(iterator.ptr()));
            if (!option.is_valid()) {
                if (PyErr_Occurred()) throw nb::python_error();
                return nb::none();
            }
            const std::size_t begin = entries_.size();
            if (!append(option)) {
                entries_.resize(begin);
                colors_read_.resize(begin);
                return nb::make_tuple(option);
            }
        }
        return nb::make_tuple();
    }

    nb::tuple take() {
        nb::tuple taken = nb::make_tuple(to_bytes(entries_), to_bytes(colors_read_), to_bytes(ends_));
        entries_.clear();
        colors_read_.clear();
        ends_.clear();
        return taken;
    }

private:
    // Append an option; return false if it is not plain.
    bool append(nb::handle option) {
        if (!PyTuple_CheckExact(option.ptr()) || PyTuple_Size(option.ptr()) != 2) return false;
        const nb::object label = nb::borrow(PyTuple_GetItem(option.ptr(), 0));
        const nb::object items = nb::borrow(PyTuple_GetItem(option.ptr(), 1));
        const bool is_list = PyList_CheckExact(items.ptr());
        if (!is_list && !PyTuple_CheckExact(items.ptr())) return false;
        ++stamp_;
        bool has_primary = false;
        for (Py_ssize_t place = 0; place < (is_list ? PyList_Size(items.ptr()) : PyTuple_Size(items.ptr())); ++place) {
            PyObject *entry = is_list ? PyList_GetItem(items.ptr(), place) : PyTuple_GetItem(items.ptr(), place);
            if (!append_item(nb::borrow(entry), has_primary)) return false;
        }
        return has_primary && add_label(label);
    }

    bool append_item(nb::object item, bool &has_primary) {
        i32 color = 0;
        if (PyObject_TypeCheck(item.ptr(), reinterpret_cast<PyTypeObject *>(colored_.ptr()))) {
            if (!nb::handle(reinterpret_cast<PyObject *>(Py_TYPE(item.ptr()))).is(colored_)) return false;
            const nb::object name = item.attr(color_name_);
            if (name.is_none()) return false;
            const std::optional<Py_ssize_t> number = find_number(colors_, name);
            if (!number) return false;
            const Py_ssize_t next = PyDict_Size(colors_.ptr()) + 1;
            color = static_cast<i32>(*number != 0 ? *number : add_number(colors_, name, next));
            item = item.attr(item_name_);
        }
        std::optional<Py_ssize_t> number = find_number(numbers_, item, true);
        if (!number) return false;
        if (*number >= 0 && color != 0) return false;
        std::vector<u32> &last = *number < 0 ? last_secondary_ : last_primary_;
        const std::size_t place = static_cast<std::size_t>(*number < 0 ? -1 - *number : *number);
        if (place >= last.size()) last.resize(2 * place + 16, 0);
        if (last[place] == stamp_) return false;  // the option contains it twice
        last[place] = stamp_;
        has_primary |= *number >= 0;
        entries_.push_back(static_cast<i32>(*number));
        colors_read_.push_back(color);
        return true;
    }

    // The number of a name: 0 for a new color; a new primary item gets the next one. Nothing if it has none.
    std::optional<Py_ssize_t> find_number(const nb::dict &dict, const nb::object &name, bool is_item = false) {
        PyObject *found = PyDict_GetItemWithError(dict.ptr(), name.ptr());
        if (found == nullptr) {
            if (PyErr_Occurred()) return forget_error();
            if (!is_item) return 0;
            if (!primary_) return std::nullopt;
            const Py_ssize_t number = add_number(dict, name, PyList_Size(primary_->ptr()));
            if (PyList_Append(primary_->ptr(), name.ptr()) != 0) throw nb::python_error();
            return number;
        }
        const Py_ssize_t number = PyLong_AsSsize_t(found);
        if (number == -1 && PyErr_Occurred()) throw nb::python_error();
        const Py_ssize_t most = PyDict_Size(dict.ptr());
        if (number > most || number < -most) throw nb::value_error("the numbers of items or colors have gaps");
        return number;
    }

    static Py_ssize_t add_number(const nb::dict &dict, const nb::object &name, Py_ssize_t number) {
        if (number > kMostNumbers) throw nb::value_error("there are too many items or colors");
        const nb::object value = nb::steal(PyLong_FromSsize_t(number));
        if (!value.is_valid() || PyDict_SetItem(dict.ptr(), name.ptr(), value.ptr()) != 0) throw nb::python_error();
        return number;
    }

    // Give a label the next position; return false if it is taken or not hashable.
    bool add_label(const nb::object &label) {
        const Py_ssize_t position = PyDict_Size(positions_.ptr());
        PyObject *taken = PyDict_GetItemWithError(positions_.ptr(), label.ptr());
        if (taken != nullptr) return false;
        if (PyErr_Occurred()) return forget_error().has_value();
        const nb::object value = nb::steal(PyLong_FromSsize_t(position));
        if (!value.is_valid() || PyDict_SetItem(positions_.ptr(), label.ptr(), value.ptr()) != 0)
            throw nb::python_error();
        ends_.push_back(static_cast<i64>(entries_.size()));
        return true;
    }

    // A name that is not hashable is reported by the caller; other errors are passed on.
    static std::optional<Py_ssize_t> forget_error() {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
        PyErr_Clear();
        return std::nullopt;
    }

    nb::dict positions_, numbers_, colors_;
    std::optional<nb::list> primary_;
    nb::object colored_;
    nb::str item_name_, color_name_;
    std::vector<i32> entries_, colors_read_;
    std::vector<i64> ends_;
    std::vector<u32> last_primary_, last_secondary_;  // the stamp of the option that held each item last
    u32 stamp_ = 0;
};

// Move secondary items, numbered -1, -2, ..., behind the primary ones.
void move_secondary(nb::ndarray<i32, nb::ndim<1>, nb::c_contig, nb::device::cpu> entries, i32 primary) {
    if (primary < 0) throw nb::value_error("the number of primary items must not be negative");
    i32 *entry = entries.data();
    for (std::size_t place = 0; place < entries.size(); ++place)
        if (entry[place] < 0) entry[place] = primary - 1 - entry[place];
}

}  // namespace

void bind_reading(nb::module_ &module) {
    nb::class_<OptionReader>(module, "OptionReader", "Reads plain options from Python objects; used by one thread.")
        .def(nb::init<nb::dict, nb::dict, nb::dict, std::optional<nb::list>, nb::object>(), "positions"_a, "numbers"_a,
             "colors"_a, "primary"_a.none(), "colored"_a, Guarded(),
             "Take the dictionaries of labels, items and colors, the list of primary items if new items are primary, "
             "and the class of colored items.")
        .def("read", &OptionReader::read, "options"_a, Guarded(),
             "Read from an iterator; return the first thing that is not a plain option, in a tuple; an empty tuple "
             "after many options; or None at the end.")
        .def("take", &OptionReader::take, Guarded(),
             "Return the items and the colors of the options read since the last call, and where each option ends, as "
             "the bytes of arrays.");
    module.def("move_secondary", &move_secondary, "entries"_a, "primary"_a, Guarded(),
               "Move secondary items, which have negative numbers, behind this many primary ones.");
}

}  // namespace exactcover
