// Included by pp_include_in_function_body.okl, once for each STEP.
for (int i = 0; i < 4; ++i; @inner) {
#if STEP == 1
  s[i] = 10 * g + i;
#else
  if (i % STEP) s[i] += s[i - 1];
#endif
}
