#pragma once
#define THIRD 3
