// What most tests of core include.
#pragma once
#include "core/support/Pch.h"
#include <gtest/gtest.h>
