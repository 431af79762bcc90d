# OCCA's interface over brook, for CMake.
#
#   find_package(OCCA REQUIRED)
#   target_link_libraries(program PRIVATE OCCA::libocca)

get_filename_component(_occa_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET OCCA::libocca)
  add_library(OCCA::libocca SHARED IMPORTED)
  set_target_properties(OCCA::libocca PROPERTIES
    IMPORTED_LOCATION "${_occa_prefix}/lib/libocca.so"
    IMPORTED_SONAME "libocca.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_occa_prefix}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_11)
endif()
set(OCCA_LIBRARIES OCCA::libocca)
set(OCCA_INCLUDE_DIRS "${_occa_prefix}/include")
unset(_occa_prefix)
