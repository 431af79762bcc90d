// Used by macro_in_include.okl.
#define UPDATE(x) @atomic sqrt(x)
#define SUM_ALL(x, i) UPDATE(x[i])
