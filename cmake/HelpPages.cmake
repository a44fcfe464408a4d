# Help pages as C++: fuselage_help_pages(variable folder) sets `variable` to a case of an
# llvm::StringSwitch for each page, by its name. A page that is added shows up when CMake runs again.
function(fuselage_help_pages variable folder)
  file(GLOB_RECURSE pages CONFIGURE_DEPENDS ${folder}/*.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages})
  set(cases "")
  foreach(page ${pages})
    get_filename_component(code ${page} NAME_WE)
    file(READ ${page} text)
    string(APPEND cases "      .Case(\"${code}\", R\"fuselage(${text})fuselage\")\n")
  endforeach()
  set(${variable} "${cases}" PARENT_SCOPE)
endfunction()
