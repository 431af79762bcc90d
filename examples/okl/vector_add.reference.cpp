// Sequential reference for vector_add.okl.

void addVectors(const int entries, const float *a, const float *b, float *ab) {
  for (int i = 0; i < entries; ++i) {
    ab[i] = a[i] + b[i];
  }
}

void addVectorsByBlock(const int entries, const double *a, const double *b, double *ab) {
  for (int i = 0; i < entries; ++i) {
    ab[i] = a[i] + b[i];
  }
}

void addVectorsBackwards(const int entries, const int *a, const int *b, int *ab) {
  for (int i = 0; i < entries; ++i) {
    ab[i] = a[i] + b[i];
  }
}
