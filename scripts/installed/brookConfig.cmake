# brook for CMake.
#
#   find_package(brook REQUIRED)
#   add_executable(program main.cpp)
#   brook_add_kernels(program solver.okl EMBED)
#   brook_add_kernels(program a.br b.br DEFINES N=10)
#
# brook::brook is the library with its headers, brook::command the command.
#
#   brook_add_kernels(TARGET FILE...
#     [EMBED]                     OKL: the sources and all that they include become part of the target
#     [NAME name]                 OKL: what the object is called, and its header; TARGET_kernels without it
#     [BASE dir]                  OKL: sources are called by their paths below it; the current folder of sources without it
#     [DEFINES A B=1 ...] [INCLUDE_DIRECTORIES dir ...] [FLAGS flag ...]   as the command takes them
#     [DEVICES target ...]        OKL: compiles for these as well, as `brook compile --device` does
#     [DESTINATION dir])          and installs what was compiled, NAME.brk, instead of making it part of the target
#
# .br files are translated to C++ that is added to the target, whose other files may include their headers: "a.h", "b.h".
# .okl files are what a program builds when it runs: from the object of "NAME.h" by brook::Program::embedded(device, NAME,
# "solver.okl"), or brook_program_build_embedded in C. Without EMBED they stay where they are.
#
# What is included is followed: a changed header makes again what it was part of. That takes CMake 3.20, or Ninja; with
# make and an older CMake, headers are looked for as those of C++ are.

cmake_policy(PUSH)
cmake_policy(VERSION 3.13...3.25)

get_filename_component(_brook_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET brook::brook)
  add_library(brook::brook SHARED IMPORTED)
  set_target_properties(brook::brook PROPERTIES
    IMPORTED_LOCATION "${_brook_prefix}/lib/@LIBRARY@"
    INTERFACE_INCLUDE_DIRECTORIES "${_brook_prefix}/include")
  get_property(_brook_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST _brook_languages)
    set_property(TARGET brook::brook PROPERTY INTERFACE_COMPILE_FEATURES cxx_std_11)
  endif()
  unset(_brook_languages)
  if(UNIX AND NOT APPLE)
    set_target_properties(brook::brook PROPERTIES IMPORTED_SONAME "@LIBRARY@")
  endif()
endif()
if(NOT TARGET brook::command)
  add_executable(brook::command IMPORTED)
  set_target_properties(brook::command PROPERTIES IMPORTED_LOCATION "${_brook_prefix}/bin/brook")
endif()
unset(_brook_prefix)

# A rule that makes RESULTS of SOURCES with the command, whose other arguments follow, and follows includes. What is said of
# BESIDE is written only where it changes, so that what includes it stays as it is.
function(_brook_add_rule comment results beside sources)
  list(GET results 0 first)
  set(depfile DEPFILE "${first}.d")
  set(arguments ${ARGN} --depfile "${first}.d")
  if(CMAKE_VERSION VERSION_LESS 3.20 AND CMAKE_GENERATOR MATCHES "Ninja")
    # Ninja knows results by their paths from there, and that CMake does not see to it.
    string(REPLACE "${CMAKE_BINARY_DIR}/" "" arguments "${arguments}")
    list(APPEND depfile WORKING_DIRECTORY "${CMAKE_BINARY_DIR}")
  elseif(CMAKE_VERSION VERSION_LESS 3.20)
    set(depfile)
    foreach(source IN LISTS sources)
      list(APPEND depfile CXX "${source}")
    endforeach()
    set(depfile IMPLICIT_DEPENDS ${depfile})
  endif()
  add_custom_command(
    OUTPUT ${results}
    BYPRODUCTS ${beside}
    COMMAND brook::command ${arguments}
    DEPENDS ${sources} brook::command
    ${depfile}
    COMMENT "${comment}"
    VERBATIM)
endfunction()

function(brook_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 BROOK "EMBED" "NAME;BASE;DESTINATION" "FLAGS;DEFINES;INCLUDE_DIRECTORIES;DEVICES")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.brook")
  file(MAKE_DIRECTORY "${folder}")
  set(flags ${BROOK_FLAGS})
  foreach(define IN LISTS BROOK_DEFINES)
    list(APPEND flags -D "${define}")
  endforeach()
  foreach(directory IN LISTS BROOK_INCLUDE_DIRECTORIES)
    get_filename_component(path "${directory}" ABSOLUTE)
    list(APPEND flags -I "${path}")
  endforeach()
  set(streams)
  set(kernels)
  set(results)
  foreach(file IN LISTS BROOK_UNPARSED_ARGUMENTS)
    get_filename_component(path "${file}" ABSOLUTE)
    if(NOT file MATCHES "\\.bri?$")
      list(APPEND kernels "${path}")
      continue()
    endif()
    get_filename_component(stem "${file}" NAME_WE)
    get_filename_component(beside "${path}" DIRECTORY)
    list(APPEND streams "${path}")
    list(APPEND results "${folder}/${stem}.cpp" "${folder}/${stem}.h")
    target_include_directories(${target} PRIVATE "${beside}")
    # Old programs are full of what compilers warn of today.
    set_source_files_properties("${folder}/${stem}.cpp" PROPERTIES COMPILE_OPTIONS -w)
  endforeach()
  if(NOT streams AND NOT kernels)
    message(FATAL_ERROR "brook_add_kernels(${target}): no .br or .okl file is given")
  endif()
  if(streams)
    # All at once, since they may include each other's headers.
    _brook_add_rule("Translating kernels of ${target}" "${results}" "" "${streams}"
      build --sources "${folder}" ${flags} ${streams})
  endif()
  if(kernels)
    _brook_add_okl()
  endif()
  target_sources(${target} PRIVATE ${results})
  target_include_directories(${target} PRIVATE "${folder}")
  # As PRIVATE does, for targets that are linked with or without such words: CMake refuses both in one target.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES brook::brook)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:brook::brook>")
  endif()
endfunction()

# The part of brook_add_kernels that is about OKL: adds to results, in its variables.
macro(_brook_add_okl)
  set(name "${BROOK_NAME}")
  if(NOT name)
    string(MAKE_C_IDENTIFIER "${target}_kernels" name)
  endif()
  set(package)
  set(inputs ${kernels})
  if(BROOK_DEVICES)
    set(devices)
    foreach(device IN LISTS BROOK_DEVICES)
      list(APPEND devices --device "${device}")
    endforeach()
    set(packed "${folder}/${name}.brk")
    _brook_add_rule("Compiling kernels of ${target} for ${BROOK_DEVICES}" "${packed}" "" "${kernels}"
      compile ${devices} -o "${packed}" ${flags} ${kernels})
    list(APPEND results "${packed}")
    if(BROOK_DESTINATION)
      install(FILES "${packed}" DESTINATION "${BROOK_DESTINATION}")
    else()
      set(package --package "${packed}")
      list(APPEND inputs "${packed}")
    endif()
  elseif(BROOK_DESTINATION)
    message(FATAL_ERROR "brook_add_kernels(${target}): DESTINATION is where that goes which DEVICES compiles for")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(ending c)
  if("CXX" IN_LIST languages)
    set(ending cpp)
  endif()
  set(how --paths)
  if(BROOK_EMBED)
    set(base "${CMAKE_CURRENT_SOURCE_DIR}")
    if(BROOK_BASE)
      get_filename_component(base "${BROOK_BASE}" ABSOLUTE)
    endif()
    set(how --base "${base}")
  endif()
  _brook_add_rule("Embedding kernels of ${target}" "${folder}/${name}.${ending}" "${folder}/${name}.h" "${inputs}"
    embed -o "${folder}/${name}.${ending}" ${how} ${package} ${flags} ${kernels})
  list(APPEND results "${folder}/${name}.${ending}")
endmacro()

cmake_policy(POP)
