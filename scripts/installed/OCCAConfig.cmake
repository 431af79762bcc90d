# OCCA's interface over brook, for CMake.
#
#   find_package(OCCA REQUIRED)
#   target_link_libraries(program PRIVATE OCCA::libocca)          for C++, C and Fortran

get_filename_component(_occa_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET OCCA::libocca)
  add_library(OCCA::libocca SHARED IMPORTED)
  set_target_properties(OCCA::libocca PROPERTIES
    IMPORTED_LOCATION "${_occa_prefix}/lib/libocca.so"
    IMPORTED_SONAME "libocca.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_occa_prefix}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_11)
endif()
# The Fortran module, where it has been installed. What is linked as Fortran gets it with OCCA::libocca.
if(EXISTS "${_occa_prefix}/lib/libocca_fortran.so" AND NOT TARGET OCCA::libocca_fortran)
  add_library(OCCA::libocca_fortran SHARED IMPORTED)
  set_target_properties(OCCA::libocca_fortran PROPERTIES
    IMPORTED_LOCATION "${_occa_prefix}/lib/libocca_fortran.so"
    IMPORTED_SONAME "libocca_fortran.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_occa_prefix}/include"
    INTERFACE_LINK_LIBRARIES OCCA::libocca)
  if(NOT CMAKE_VERSION VERSION_LESS 3.18)
    set_property(TARGET OCCA::libocca APPEND PROPERTY
      INTERFACE_LINK_LIBRARIES "$<$<LINK_LANGUAGE:Fortran>:${_occa_prefix}/lib/libocca_fortran.so>")
  endif()
endif()
set(OCCA_LIBRARIES OCCA::libocca)
set(OCCA_INCLUDE_DIRS "${_occa_prefix}/include")
unset(_occa_prefix)
