# brook for CMake.
#
#   find_package(brook REQUIRED)
#   add_executable(program main.cpp)
#   brook_add_kernels(program a.br b.br FLAGS -D N=10)
#
# brook::brook is the library with its headers, brook::command the command. brook_add_kernels() translates .br
# files, adds what they become to a target, and lets its other files include their headers: "a.h", "b.h".

get_filename_component(_brook_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET brook::brook)
  add_library(brook::brook SHARED IMPORTED)
  set_target_properties(brook::brook PROPERTIES
    IMPORTED_LOCATION "${_brook_prefix}/lib/@LIBRARY@"
    INTERFACE_INCLUDE_DIRECTORIES "${_brook_prefix}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_11)
  if(UNIX AND NOT APPLE)
    set_target_properties(brook::brook PROPERTIES IMPORTED_SONAME "@LIBRARY@")
  endif()
endif()
if(NOT TARGET brook::command)
  add_executable(brook::command IMPORTED)
  set_target_properties(brook::command PROPERTIES IMPORTED_LOCATION "${_brook_prefix}/bin/brook")
endif()
unset(_brook_prefix)

function(brook_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 BROOK "" "" "FLAGS")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.brook")
  set(sources)
  set(results)
  foreach(file IN LISTS BROOK_UNPARSED_ARGUMENTS)
    get_filename_component(path "${file}" ABSOLUTE)
    get_filename_component(stem "${file}" NAME_WE)
    get_filename_component(beside "${path}" DIRECTORY)
    list(APPEND sources "${path}")
    list(APPEND results "${folder}/${stem}.cpp" "${folder}/${stem}.h")
    target_include_directories(${target} PRIVATE "${beside}")
    # Old programs are full of what compilers warn of today.
    set_source_files_properties("${folder}/${stem}.cpp" PROPERTIES COMPILE_OPTIONS -w)
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "brook_add_kernels(${target}): no .br file is given")
  endif()
  # All at once, since they may include each other's headers.
  add_custom_command(
    OUTPUT ${results}
    COMMAND brook::command build --sources "${folder}" ${BROOK_FLAGS} ${sources}
    DEPENDS ${sources} brook::command
    COMMENT "Translating kernels of ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE ${results})
  target_include_directories(${target} PRIVATE "${folder}")
  target_link_libraries(${target} PRIVATE brook::brook)
endfunction()
