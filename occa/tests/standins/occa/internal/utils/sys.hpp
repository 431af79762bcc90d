// Stands in for a header that a public test includes from inside of OCCA and uses nothing of.
#ifndef OCCA_STANDINS_SYS_HPP
#define OCCA_STANDINS_SYS_HPP

#include <occa.hpp>

#endif
