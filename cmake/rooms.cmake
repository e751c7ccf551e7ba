# One target per room, so that a room can only include what it links (design: who may include whom).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(TGKEEP_CCACHE ccache)
if(TGKEEP_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TGKEEP_CCACHE})
endif()

# What everybody who includes a header of ours must have, bots included. The defines must be the same in every file: mixing
# them breaks the one-definition rule.
add_library(tgkeep_interface INTERFACE)
target_include_directories(tgkeep_interface INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_features(tgkeep_interface INTERFACE cxx_std_20)
target_compile_definitions(tgkeep_interface INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED)
target_link_libraries(tgkeep_interface INTERFACE Boost::headers Threads::Threads)
if(TGKEEP_SANITIZE)
  target_compile_definitions(tgkeep_interface INTERFACE BOOST_ASIO_DISABLE_AWAITABLE_FRAME_RECYCLING)
  target_compile_options(tgkeep_interface INTERFACE -fsanitize=${TGKEEP_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(tgkeep_interface INTERFACE -fsanitize=${TGKEEP_SANITIZE})
endif()

# Between rooms, and for tests.
add_library(tgkeep_flags INTERFACE)
target_include_directories(tgkeep_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(tgkeep_flags INTERFACE $<$<BOOL:${TGKEEP_MUTANTS}>:TGKEEP_MUTANTS>)
target_link_libraries(tgkeep_flags INTERFACE tgkeep_interface)
if(TGKEEP_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(tgkeep_flags INTERFACE -Wno-tsan)
endif()

# Ours only: dependencies keep their own warnings.
add_library(tgkeep_warnings INTERFACE)
target_compile_options(tgkeep_warnings INTERFACE -Wall -Wextra -Wpedantic $<$<BOOL:${TGKEEP_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms at -O2: about std::string (GCC bug 105329), and about coroutine frames whose own operator new is
  # inlined and operator delete is not (GCC bug 109224).
  target_compile_options(tgkeep_warnings INTERFACE -Wno-restrict -Wno-mismatched-new-delete)
endif()

# tgkeep_room(NAME SOURCES file… LINK target…): the room src/NAME as target tgkeep_NAME.
function(tgkeep_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK" ${ARGN})
  add_library(tgkeep_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(tgkeep_${name} PUBLIC tgkeep_flags PRIVATE tgkeep_warnings)
  target_link_libraries(tgkeep_${name} PUBLIC ${ROOM_LINK})
endfunction()

# tgkeep_test(NAME LABEL unit|contract|crash|client SOURCES file… LINK target… [ENVIRONMENT VAR=value…]
#             [TIMEOUT seconds]): a GoogleTest program.
function(tgkeep_test name)
  cmake_parse_arguments(TEST "" "LABEL;TIMEOUT" "SOURCES;LINK;ENVIRONMENT" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  add_executable(test_${name} ${TEST_SOURCES})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE ${TEST_LINK} tgkeep_warnings GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(test_${name} PRIVATE TGKEEP_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(test_${name} DISCOVERY_TIMEOUT 120
    PROPERTIES LABELS ${TEST_LABEL} TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT "${TEST_ENVIRONMENT}")
endfunction()
