# cmake -DOUT=FILE -DPAGES=a.md;b.md -P EmbedPages.cmake: the pages as string literals, separated by commas.
set(text "")
foreach(page IN LISTS PAGES)
  file(READ ${page} markdown)
  # A literal must not be too long for every compiler: it is cut between ops.
  string(REPLACE "\n### `" "\n)FUSELAGE_PAGE\" R\"FUSELAGE_PAGE(\n### `" markdown "${markdown}")
  string(APPEND text "R\"FUSELAGE_PAGE(${markdown})FUSELAGE_PAGE\",\n")
endforeach()
file(WRITE ${OUT} "${text}")
