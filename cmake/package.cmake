# The Debian package: `ninja -C build/release deb`, or `cpack --config CPackConfig.cmake` in a built folder. Its version may
# be another one than the program's: cpack -D CPACK_DEBIAN_PACKAGE_VERSION=0.1.0-2.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tgkeep)
set(CPACK_PACKAGE_CONTACT "tgkeep contributors <tgkeep@packages.debian.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "keeps every Telegram update until a bot is done with it")
set(CPACK_PACKAGE_DESCRIPTION
  "tgkeep polls Telegram or takes its webhook, writes each update to disk
before it confirms it, and hands it to a bot over HTTP, in order within a
chat, until the bot says that it is done. Calls that the bot leaves behind
are sent from a second queue. A crash, a full disk or a bot that is away
for a while loses nothing.
.
It runs as a service of its own user, with a command line, a dashboard and
metrics for Prometheus. It also brings a Bot API server to test bots with,
offline.")

set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION}-1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nginx | caddy, prometheus")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "")
foreach(script preinst postinst prerm postrm conffiles)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/${script})
endforeach()

# The older package must know which stores it can't read (packaging/debian/preinst.in).
file(STRINGS src/store/sqlite/schema.hpp schema_line REGEX "kSchemaVersion = [0-9]+")
string(REGEX REPLACE ".*kSchemaVersion = ([0-9]+).*" "\\1" TGKEEP_SCHEMA "${schema_line}")
if(NOT TGKEEP_SCHEMA MATCHES "^[0-9]+$")
  message(FATAL_ERROR "src/store/sqlite/schema.hpp: no kSchemaVersion to be found")
endif()
configure_file(packaging/debian/preinst.in debian/preinst @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
foreach(script postinst prerm postrm conffiles)
  configure_file(packaging/debian/${script} debian/${script} COPYONLY)
endforeach()

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
install(TARGETS tgkeep RUNTIME DESTINATION bin COMPONENT debian EXCLUDE_FROM_ALL)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};tgkeep;debian;/")
# Everything else, much of it said by the program itself.
set(CPACK_TGKEEP_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/stage.cmake)
include(CPack)

add_custom_target(deb COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} DEPENDS tgkeep USES_TERMINAL)
