# cmake --install and the .deb by CPack.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fuselage)
set(CPACK_PACKAGE_CONTACT "The Fuselage developers <fuselage@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz, mesa-vulkan-drivers")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
include(CPack)
