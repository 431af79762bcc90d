#include "../amount.h"
