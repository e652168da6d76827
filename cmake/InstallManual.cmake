# SPDX-License-Identifier: GPL-2.0-or-later
# Run by `cmake --install`: the manual pages in `pages`, which name the folder
# `configured`, with the name of `datadir` below the prefix of this time.
cmake_path(ABSOLUTE_PATH datadir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}"
  NORMALIZE OUTPUT_VARIABLE share)
# As roff wants them: "-" alone would be a hyphen.
foreach(name configured share)
  string(REPLACE "\\" "\\e" ${name} "${${name}}")
  string(REPLACE "-" "\\-" ${name} "${${name}}")
endforeach()
foreach(page fsmatrix.1 fsmatrix-matrix.5 fsmatrix-db.5)
  file(READ "${pages}/${page}" text)
  string(REPLACE "${configured}/" "${share}/" text "${text}")
  file(WRITE "${pages}/installed/${page}" "${text}")
endforeach()
