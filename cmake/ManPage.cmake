# A manual page from a program's --help, and from that of each command that it lists under "Commands:":
#   cmake -DPROGRAM=path -DNAME=name -DSUMMARY=... -DVERSION=... -DOUT=file -P ManPage.cmake
function(help_of result)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env QT_QPA_PLATFORM=offscreen ASAN_OPTIONS=detect_leaks=0 ${PROGRAM} ${ARGN} --help
    OUTPUT_VARIABLE text RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ${ARGN} --help ended with ${code}")
  endif()
  set(${result}_plain "${text}" PARENT_SCOPE)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  # A line of roff that begins with one of these is a request.
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${result} ".nf\n${text}\n.fi\n" PARENT_SCOPE)
endfunction()

string(TOUPPER ${NAME} title)
help_of(text)
set(page ".TH ${title} 1 \"\" \"fuselage ${VERSION}\"\n.SH NAME\n${NAME} \\- ${SUMMARY}\n.SH DESCRIPTION\n${text}")
string(REGEX MATCH "\nCommands:\n(  [^\n]*\n)+" table "${text_plain}")
string(REGEX MATCHALL "\n  [a-z]+" commands "${table}")
foreach(command ${commands})
  string(STRIP "${command}" command)
  help_of(text ${command})
  string(TOUPPER ${command} title)
  string(APPEND page ".SH ${title}\n${text}")
endforeach()
file(WRITE ${OUT} "${page}")
