// Launches with a number of arguments that is known: Fortran has no others. argc says it again.
#ifndef OCCA_C_KERNEL_FORTRAN_INTERFACE_H
#define OCCA_C_KERNEL_FORTRAN_INTERFACE_H

#include <occa/c/types.h>

OCCA_START_EXTERN_C

#define OCCA_C_ARGS_1 occaType arg01
#define OCCA_C_ARGS_2 OCCA_C_ARGS_1, occaType arg02
#define OCCA_C_ARGS_3 OCCA_C_ARGS_2, occaType arg03
#define OCCA_C_ARGS_4 OCCA_C_ARGS_3, occaType arg04
#define OCCA_C_ARGS_5 OCCA_C_ARGS_4, occaType arg05
#define OCCA_C_ARGS_6 OCCA_C_ARGS_5, occaType arg06
#define OCCA_C_ARGS_7 OCCA_C_ARGS_6, occaType arg07
#define OCCA_C_ARGS_8 OCCA_C_ARGS_7, occaType arg08
#define OCCA_C_ARGS_9 OCCA_C_ARGS_8, occaType arg09
#define OCCA_C_ARGS_10 OCCA_C_ARGS_9, occaType arg10
#define OCCA_C_ARGS_11 OCCA_C_ARGS_10, occaType arg11
#define OCCA_C_ARGS_12 OCCA_C_ARGS_11, occaType arg12
#define OCCA_C_ARGS_13 OCCA_C_ARGS_12, occaType arg13
#define OCCA_C_ARGS_14 OCCA_C_ARGS_13, occaType arg14
#define OCCA_C_ARGS_15 OCCA_C_ARGS_14, occaType arg15
#define OCCA_C_ARGS_16 OCCA_C_ARGS_15, occaType arg16
#define OCCA_C_ARGS_17 OCCA_C_ARGS_16, occaType arg17
#define OCCA_C_ARGS_18 OCCA_C_ARGS_17, occaType arg18
#define OCCA_C_ARGS_19 OCCA_C_ARGS_18, occaType arg19
#define OCCA_C_ARGS_20 OCCA_C_ARGS_19, occaType arg20

void occaKernelRunF01(occaKernel kernel, const int argc, OCCA_C_ARGS_1);
void occaKernelRunF02(occaKernel kernel, const int argc, OCCA_C_ARGS_2);
void occaKernelRunF03(occaKernel kernel, const int argc, OCCA_C_ARGS_3);
void occaKernelRunF04(occaKernel kernel, const int argc, OCCA_C_ARGS_4);
void occaKernelRunF05(occaKernel kernel, const int argc, OCCA_C_ARGS_5);
void occaKernelRunF06(occaKernel kernel, const int argc, OCCA_C_ARGS_6);
void occaKernelRunF07(occaKernel kernel, const int argc, OCCA_C_ARGS_7);
void occaKernelRunF08(occaKernel kernel, const int argc, OCCA_C_ARGS_8);
void occaKernelRunF09(occaKernel kernel, const int argc, OCCA_C_ARGS_9);
void occaKernelRunF10(occaKernel kernel, const int argc, OCCA_C_ARGS_10);
void occaKernelRunF11(occaKernel kernel, const int argc, OCCA_C_ARGS_11);
void occaKernelRunF12(occaKernel kernel, const int argc, OCCA_C_ARGS_12);
void occaKernelRunF13(occaKernel kernel, const int argc, OCCA_C_ARGS_13);
void occaKernelRunF14(occaKernel kernel, const int argc, OCCA_C_ARGS_14);
void occaKernelRunF15(occaKernel kernel, const int argc, OCCA_C_ARGS_15);
void occaKernelRunF16(occaKernel kernel, const int argc, OCCA_C_ARGS_16);
void occaKernelRunF17(occaKernel kernel, const int argc, OCCA_C_ARGS_17);
void occaKernelRunF18(occaKernel kernel, const int argc, OCCA_C_ARGS_18);
void occaKernelRunF19(occaKernel kernel, const int argc, OCCA_C_ARGS_19);
void occaKernelRunF20(occaKernel kernel, const int argc, OCCA_C_ARGS_20);

OCCA_END_EXTERN_C

#endif
