// Sizes and layouts shared by the two-dimensional kernels.
#pragma once

// p_N is the order; everything else follows from it.
#ifndef p_N
#define p_N 3
#endif
#define p_Nq (p_N + 1)
#define p_cubNq (p_N + 3)
#define p_NpQuad (p_Nq * p_Nq)
#define p_NpTri ((p_N + 1) * (p_N + 2) / 2)
#define p_Nfp (p_N + 1)
#define p_NfacesTri 3
#define p_NfaceNodes (p_Nfp * p_NfacesTri)

// Elements of a block. Compilers for CPUs do better with fewer.
#if defined(BROOK_BACKEND_OPENMP)
#define p_NblockV 2
#define p_NblockS 1
#else
#define p_NblockV 5
#define p_NblockS 2
#endif

#if p_NpTri > p_NfaceNodes
#define p_maxNodes p_NpTri
#else
#define p_maxNodes p_NfaceNodes
#endif

// Geometric factors of quadrilaterals, node by node.
#define p_G00 0
#define p_G01 1
#define p_G11 2
#define p_GWJ 3
#define p_NggeoQuad 4

// Geometric factors of triangles, constant on an element.
#define p_RX 0
#define p_RY 1
#define p_SX 2
#define p_SY 3
#define p_J 4
#define p_NvgeoTri 5

// Surface factors of triangles, constant on a face.
#define p_NX 0
#define p_NY 1
#define p_SJ 2
#define p_IJ 3
#define p_IH 4
#define p_Nsgeo 5
