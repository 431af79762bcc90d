// Included by helpers.okl.
#pragma once

#define SQUARE(x) ((x) * (x))

inline float scaled(float value, float by) { return value * SQUARE(by); }
