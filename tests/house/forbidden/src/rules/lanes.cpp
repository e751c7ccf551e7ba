#include "loop/event.hpp"
