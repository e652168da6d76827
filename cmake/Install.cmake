# SPDX-License-Identifier: GPL-2.0-or-later
# What `cmake --install` puts where, and the Debian package of it.

set(data "${CMAKE_INSTALL_DATADIR}/fsmatrix")
install(TARGETS fsmatrix RUNTIME)
# The prefix may be another than the one configured: the pages name this one.
install(CODE "set(pages \"${PROJECT_BINARY_DIR}/man\")
set(datadir \"${CMAKE_INSTALL_DATADIR}\")
set(configured \"${CMAKE_INSTALL_FULL_DATADIR}\")")
install(SCRIPT cmake/InstallManual.cmake)
install(FILES "${PROJECT_BINARY_DIR}/man/installed/fsmatrix.1"
  DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${PROJECT_BINARY_DIR}/man/installed/fsmatrix-matrix.5"
  "${PROJECT_BINARY_DIR}/man/installed/fsmatrix-db.5"
  DESTINATION "${CMAKE_INSTALL_MANDIR}/man5")
install(FILES runner/completion/fsmatrix.bash RENAME fsmatrix
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES runner/completion/fsmatrix.zsh RENAME _fsmatrix
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES runner/completion/fsmatrix.fish
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
# Side by side as here, so that the examples' "$schema" holds.
install(DIRECTORY matrices DESTINATION "${data}" FILES_MATCHING PATTERN *.json)
install(FILES schema/matrix.schema.json DESTINATION "${data}/schema")
install(FILES README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE
  cmake/copyright
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# What the README shows and leads to.
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(PROGRAMS tools/chart DESTINATION "${CMAKE_INSTALL_DOCDIR}/tools")
# Units of systemd, which finds the program by its name.
set(units)
foreach(unit fsmatrix.service fsmatrix.timer)
  if(EXISTS "${PROJECT_SOURCE_DIR}/tools/${unit}")
    list(APPEND units "tools/${unit}")
  endif()
endforeach()
if(units)
  install(FILES ${units} DESTINATION lib/systemd/system)
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/tools/fsmatrix.cron")
  install(FILES tools/fsmatrix.cron
    DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples")
endif()

# The packages that make and serve filesystems are listed in one place.
file(STRINGS tools/install-deps lines)
string(REGEX MATCH "filesystems=\"([^\"]*)\"" found "${lines}")
string(REGEX REPLACE "[; ]+" ", " recommends "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^, " "" recommends "${recommends}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fsmatrix)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER
  "The fsmatrix maintainers <maintainers@fsmatrix.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "${recommends}, bash-completion, sqlite3")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/postinst"
  "${PROJECT_SOURCE_DIR}/cmake/prerm" "${PROJECT_SOURCE_DIR}/cmake/postrm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "fsmatrix makes, mounts, writes and reads every combination of a matrix of
volumes, filesystems and workloads, keeps every sample in one SQLite file,
and prints which filesystem is faster, by how many percent, and whether that
difference is real.")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/Debian.cmake")
include(CPack)
