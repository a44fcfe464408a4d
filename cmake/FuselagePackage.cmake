# cmake --install and the .deb by CPack.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fuselage)
set(FUSELAGE_MAINTAINER "The Fuselage developers <fuselage@example.org>" CACHE STRING "Who packages: a name and an address")
set(CPACK_PACKAGE_CONTACT "${FUSELAGE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explorer of tile-and-fuse for MLIR")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Fuselage opens MLIR modules of any dialect, shows which ops share a
dispatch and why others do not, steps through tiling, fusion and
bufferization with diffs of the IR and of the graph, compiles the kernels,
and runs and checks them on the host, Vulkan and CUDA.
.
It has a window, a command line, and an mlir-opt with its passes.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LLVM_LIBRARY_DIRS})
# dpkg-shlibdeps does not see what is loaded when it is needed.
get_property(lazy_libraries GLOBAL PROPERTY FUSELAGE_LAZY_LIBRARIES)
find_program(DPKG_QUERY_PROGRAM dpkg-query)
foreach(library IN LISTS lazy_libraries)
  file(REAL_PATH ${library} library)
  execute_process(COMMAND ${DPKG_QUERY_PROGRAM} -S ${library} OUTPUT_VARIABLE owner ERROR_QUIET)
  if(owner MATCHES "^([^:]+):")
    list(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ${CMAKE_MATCH_1})
  endif()
endforeach()
list(JOIN CPACK_DEBIAN_PACKAGE_DEPENDS ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz, mesa-vulkan-drivers, fonts-dejavu-core")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)

set(package_dir ${CMAKE_BINARY_DIR}/package)
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/fuselage)
find_program(GZIP_PROGRAM gzip REQUIRED)

# A file, compressed as Debian asks for it.
function(fuselage_compressed name)
  add_custom_command(OUTPUT ${package_dir}/${name}.gz
    COMMAND ${GZIP_PROGRAM} -9nkf ${package_dir}/${name}
    DEPENDS ${package_dir}/${name} VERBATIM)
  set_property(GLOBAL APPEND PROPERTY FUSELAGE_PACKAGE_FILES ${package_dir}/${name}.gz)
endfunction()

# fuselage_manual(program summary): its manual page, from its --help and that of its commands.
function(fuselage_manual program summary)
  add_custom_command(OUTPUT ${package_dir}/${program}.1
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${program}> -DNAME=${program} "-DSUMMARY=${summary}"
      -DVERSION=${PROJECT_VERSION} -DOUT=${package_dir}/${program}.1
      -P ${CMAKE_SOURCE_DIR}/cmake/ManPage.cmake
    DEPENDS ${program} ${CMAKE_SOURCE_DIR}/cmake/ManPage.cmake VERBATIM)
  fuselage_compressed(${program}.1)
  install(FILES ${package_dir}/${program}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()

fuselage_manual(fuselage "the command line of an explorer of tile-and-fuse")
if(FUSELAGE_GUI)
  fuselage_manual(fuselage-gui "the window of an explorer of tile-and-fuse")
endif()
configure_file(resources/package/fuselage-opt.1.in ${package_dir}/fuselage-opt.1 @ONLY)
fuselage_compressed(fuselage-opt.1)
install(FILES ${package_dir}/fuselage-opt.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

string(TIMESTAMP FUSELAGE_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(resources/package/changelog.in ${package_dir}/changelog @ONLY)
fuselage_compressed(changelog)
install(FILES ${package_dir}/changelog.gz resources/package/copyright DESTINATION ${doc_dir})
install(FILES resources/package/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME fuselage)

get_property(package_files GLOBAL PROPERTY FUSELAGE_PACKAGE_FILES)
add_custom_target(package-files ALL DEPENDS ${package_files})

# What is installed has its licence and manuals; the package is what Debian's checker takes, where it is there.
add_test(NAME install WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMAND sh -ec "
  rm -rf package/root && '${CMAKE_COMMAND}' --install . --prefix package/root >/dev/null
  grep -q 'LLVM Exceptions' package/root/${doc_dir}/copyright
  gzip -dc package/root/${CMAKE_INSTALL_MANDIR}/man1/fuselage.1.gz >package/fuselage.page
  commands=$('$<TARGET_FILE:fuselage>' --help | sed -n '/^Commands:/,/^$/s/^  \\([a-z]*\\) .*/\\1/p')
  test -n \"$commands\"
  for command in $commands; do grep -q \"usage: fuselage $command\" package/fuselage.page; done
  gzip -t package/root/${CMAKE_INSTALL_MANDIR}/man1/fuselage-opt.1.gz")
find_program(LINTIAN_PROGRAM lintian)
if(LINTIAN_PROGRAM)
  add_test(NAME package WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMAND sh -ec "
    rm -rf package/deb && '${CMAKE_CPACK_COMMAND}' -G DEB -B package/deb >/dev/null
    '${LINTIAN_PROGRAM}' --allow-root --fail-on error,warning package/deb/*.deb")
  set_tests_properties(package PROPERTIES TIMEOUT 600)
endif()
