// Put before every hand.cpp: LAUNCHER(f) exports a function under the name by which the OpenMP driver finds
// kernels, with a pointer to each argument.
#include <cstddef>
#include <type_traits>
#include <utility>

template <class... P, std::size_t... I>
static inline void launch(void (*function)(P...), void **arguments, std::index_sequence<I...>) {
  function(*static_cast<std::remove_cv_t<P> *>(arguments[I])...);
}

#define LAUNCHER(name, ...)                                                       \
  extern "C" void brook_launch_##name(void **arguments) {                         \
    launch_all(__VA_ARGS__, arguments);                                           \
  }

template <class... P>
static inline void launch_all(void (*function)(P...), void **arguments) {
  launch(function, arguments, std::index_sequence_for<P...>());
}
