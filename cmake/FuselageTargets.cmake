# How every target of ours is compiled, in one place.

add_library(fuselage_options INTERFACE)
# -pthread everywhere: a precompiled header only fits where the same macros are defined.
target_compile_options(fuselage_options INTERFACE -pthread -Wall -Wextra $<$<BOOL:${FUSELAGE_WERROR}>:-Werror>)
target_link_options(fuselage_options INTERFACE -pthread)
# GCC 12 warns about std::string's own operator+ when it optimises (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(fuselage_options INTERFACE $<$<CONFIG:Release>:-Wno-restrict>)
endif()
# For ccache: the same headers make the same precompiled header.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(fuselage_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
  # std::stable_sort of libstdc++ 12 calls what that library itself deprecates.
  target_compile_options(fuselage_options INTERFACE -Wno-deprecated-declarations)
endif()
target_include_directories(fuselage_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
if(FUSELAGE_SANITIZE)
  target_compile_options(fuselage_options INTERFACE
    -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
    # libMLIR is built without RTTI for many classes' vtables to compare against.
    -fno-sanitize=vptr)
  target_link_options(fuselage_options INTERFACE -fsanitize=address,undefined)
endif()

# Races between threads of ours; libMLIR and Qt are as they are (tests/support/tsan.supp).
if(FUSELAGE_TSAN)
  target_compile_options(fuselage_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(fuselage_options INTERFACE -fsanitize=thread)
endif()

# The fuzzer watches all code of ours; libMLIR is as it is.
if(FUSELAGE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "FUSELAGE_FUZZ needs clang (libFuzzer); set CMAKE_CXX_COMPILER")
  endif()
  target_compile_options(fuselage_options INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize=vptr,function
    -fno-sanitize-recover=undefined)
  target_link_options(fuselage_options INTERFACE -fsanitize=address,undefined)
endif()

# A static library of ours: fuselage_library(name SOURCES a.cpp ... LINK other ...).
# Libraries that see MLIR share one precompiled header; pass NO_MLIR for those that must not.
function(fuselage_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC fuselage_options ${ARG_LINK})
  # As LLVM is built: nothing throws, and what would clean up after it takes a twelfth of the time to compile.
  target_compile_options(${name} PRIVATE -fno-exceptions)
  if(NOT ARG_NO_MLIR)
    fuselage_use_mlir(${name})
  endif()
endfunction()

# A library of the window: Qt's headers are precompiled for all of them.
function(fuselage_view_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  fuselage_library(${name} NO_MLIR SOURCES ${ARG_SOURCES} LINK ${ARG_LINK})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_precompile_headers(${name} REUSE_FROM fuselage_views_common)
endfunction()

# fuselage_apart(files ..): sources of this folder whose own names others of their target have, too, so that they cannot be
# compiled together with them, as the presets release and ci do (CMAKE_UNITY_BUILD).
function(fuselage_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Makes MLIR's headers and its shared library available to a target.
function(fuselage_use_mlir name)
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_link_libraries(${name} PUBLIC MLIR LLVM)
  # Headers must be seen as the library was built: some declare more where assertions are on.
  if(NOT LLVM_ENABLE_ASSERTIONS)
    target_compile_definitions(${name} PUBLIC NDEBUG)
  endif()
  if(TARGET fuselage_pch AND NOT name STREQUAL "fuselage_pch")
    target_precompile_headers(${name} REUSE_FROM fuselage_pch)
  endif()
endfunction()

# fuselage_lazy_library(target source NAME): lets the source load the library of pkg_check_modules's NAME when it is needed
# (core/support/LazyLibrary.h), by FUSELAGE_NAME_SONAME; packages depend on it.
function(fuselage_lazy_library target source name)
  list(GET ${name}_LINK_LIBRARIES 0 file)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  if(NOT headers MATCHES "SONAME +([^ \n]+)")
    message(FATAL_ERROR "${file} says no name to load it by")
  endif()
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS FUSELAGE_${name}_SONAME="${CMAKE_MATCH_1}")
  target_include_directories(${target} SYSTEM PRIVATE ${${name}_INCLUDE_DIRS})
  set_property(GLOBAL APPEND PROPERTY FUSELAGE_LAZY_LIBRARIES ${file})
  set_property(GLOBAL APPEND PROPERTY FUSELAGE_LAZY_SONAMES ${CMAKE_MATCH_1})
endfunction()

# fuselage_passes(Name): declarations of the passes in this folder's Passes.td, as Passes.h.inc, made by the
# target Fuselage<Name>PassesIncGen.
function(fuselage_passes name)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${name} EXTRA_INCLUDES ${MLIR_INCLUDE_DIRS})
  add_public_tablegen_target(Fuselage${name}PassesIncGen)
endfunction()
