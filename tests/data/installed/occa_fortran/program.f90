! Every function of the Fortran module, with results worked out by hand.
program main
  use occa

  implicit none

  interface check
    procedure check_logical, check_bool
  end interface

  integer :: failures = 0

  call values()
  call jsons()
  call types()
  call devices()
  call memories()
  call kernels()
  call scopes()
  if (failures == 0) write(*,'(a)') "all is as it should be"
  if (failures /= 0) error stop

contains

  subroutine check_logical(what, so)
    character(len=*), intent(in) :: what
    logical, intent(in) :: so
    if (so) return
    write(*,'(2a)') "not so: ", what
    failures = failures + 1
  end subroutine

  subroutine check_bool(what, so)
    character(len=*), intent(in) :: what
    logical(C_bool), intent(in) :: so
    call check_logical(what, logical(so))
  end subroutine

  logical function is(pointer, text)
    type(C_ptr), intent(in) :: pointer
    character(len=*), intent(in) :: text
    is = C_F_str(pointer) == text
  end function

  function counted(n) result(memory)
    integer, intent(in) :: n
    type(occaMemory) :: memory
    real(C_float), target :: host(100)
    integer :: i
    host = [(real(i), i = 0, 99)]
    memory = occaTypedMalloc(int(n, occaUDim_t), occaDtypeFloat, C_loc(host), occaDefault)
  end function

  real(C_float) function at(memory, i)
    type(occaMemory), intent(in) :: memory
    integer, intent(in) :: i
    real(C_float), target :: host(100)
    call occaCopyMemToPtr(C_loc(host), memory, occaAllBytes, 0_occaUDim_t, occaDefault)
    at = host(i + 1)
  end function

  subroutine values()
    type(occaType) :: value
    call check("undefined", occaIsUndefined(occaUndefined) .and. .not. occaIsUndefined(occaNull))
    call check("default", occaIsDefault(occaDefault) .and. .not. occaIsDefault(occaNull))
    call check("null", occaIsNull(occaNull) .and. .not. occaIsNull(occaTrue))
    value = occaPtr(C_null_ptr)
    call check("pointer", value%type == OCCA_C_PTR)
    value = occaBool(.true.)
    call check("true", value%type == OCCA_C_BOOL .and. value%value%data == occaTrue%value%data)
    value = occaBool(.false._C_bool)
    call check("false", value%value%data == occaFalse%value%data)
    value = occaInt(-1_C_int8_t)
    call check("int8", value%type == OCCA_C_INT8 .and. value%bytes == 1)
    value = occaInt(-1_C_int16_t)
    call check("int16", value%type == OCCA_C_INT16)
    value = occaInt(7)
    call check("int32", value%type == OCCA_C_INT32 .and. value%value%data == 7)
    value = occaInt(7_C_int64_t)
    call check("int64", value%type == OCCA_C_INT64)
    value = occaReal(0.5)
    call check("float", value%type == OCCA_C_FLOAT)
    value = occaReal(0.5d0)
    call check("double", value%type == OCCA_C_DOUBLE)
    value = occaStruct(C_null_ptr, 8_occaUDim_t)
    call check("struct", value%type == OCCA_C_STRUCT .and. value%bytes == 8)
    value = occaString("abc")
    call check("string", value%type == OCCA_C_STRING .and. value%bytes == 3)
    value = occaString(F_C_str("abc  "))
    call check("string of C", value%bytes == 3)
    call occaPrintTypeInfo(occaInt(7))
    call occaFree(value)
    call check("freed", logical(occaIsUndefined(value)))
    call check("no text", len(C_F_str(C_null_ptr)) == 0)
  end subroutine

  subroutine jsons()
    type(occaJson) :: all, list, entry
    all = occaCreateJson()
    call occaJsonObjectSet(all, F_C_str("a/b"), occaInt(3))
    call occaJsonObjectSet(all, F_C_str("text"), occaString("words"))
    call check("has", occaJsonObjectHas(all, F_C_str("a/b")) .and. .not. occaJsonObjectHas(all, F_C_str("c")))
    call check("is object", occaJsonIsObject(all) .and. .not. occaJsonIsArray(all))
    entry = occaJsonObjectGet(all, F_C_str("text"), occaDefault)
    call check("is string", occaJsonIsString(entry) .and. is(occaJsonGetString(entry), "words"))
    entry = occaJsonGetNumber(occaJsonObjectGet(all, F_C_str("a/b"), occaDefault), OCCA_C_INT32)
    call check("number", entry%value%data == 3)
    list = occaJsonParse(F_C_str("[1, true]"))
    call check("is number", occaJsonIsNumber(occaJsonArrayGet(list, 0)) .and. occaJsonIsBoolean(occaJsonArrayGet(list, 1)))
    call check("boolean", logical(occaJsonGetBoolean(occaJsonArrayGet(list, 1))))
    call occaJsonArrayPush(list, occaReal(0.5))
    call occaJsonArrayInsert(list, 0, occaNull)
    call check("size", occaJsonArraySize(list) == 4)
    call occaJsonArrayPop(list)
    call occaJsonArrayClear(list)
    call check("is array", occaJsonIsArray(list) .and. occaJsonArraySize(list) == 0)
    call occaJsonWrite(all, F_C_str("all.json"))
    entry = occaJsonRead(F_C_str("all.json"))
    call check("dump", is(occaJsonDump(occaJsonObjectGet(entry, F_C_str("a"), occaDefault), 0), '{"b": 3}'))
    call occaJsonCastToBoolean(entry)
    call check("boolean", logical(occaJsonIsBoolean(entry)))
    call occaJsonCastToNumber(entry)
    call occaJsonCastToString(entry)
    call occaJsonCastToArray(entry)
    call occaJsonCastToObject(entry)
    call check("object", logical(occaJsonIsObject(entry)))
    call occaFree(entry)
    call occaFree(list)
    call occaFree(all)
  end subroutine

  subroutine types()
    type(occaDtype) :: pair, other
    type(occaJson) :: json
    pair = occaCreateDtype(F_C_str("pair"), 0)
    call occaDtypeAddField(pair, F_C_str("a"), occaDtypeFloat)
    call occaDtypeAddField(pair, F_C_str("b"), occaDtypeInt)
    call check("struct", occaDtypeBytes(pair) == 8 .and. is(occaDtypeName(pair), "pair"))
    call occaDtypeRegisterType(pair)
    call check("registered", logical(occaDtypeIsRegistered(pair)))
    json = occaDtypeToJson(pair)
    other = occaDtypeFromJson(json)
    call check("alike", occaDtypesMatch(pair, other) .and. .not. occaDtypesAreEqual(pair, other))
    call occaFree(other)
    other = occaDtypeFromJsonString(F_C_str("{type: 'builtin', name: 'double'}"))
    call check("builtin", logical(occaDtypesAreEqual(other, occaDtypeDouble)))
    call occaFree(other)
    other = occaCreateDtypeTuple(occaDtypeDouble, 3)
    call check("tuple", occaDtypeBytes(other) == 24)
    call occaFree(other)
    call occaFree(json)
    call occaFree(pair)
    call named(occaDtypeNone, "none", 0)
    call named(occaDtypeVoid, "void", 0)
    call named(occaDtypeByte, "byte", 1)
    call named(occaDtypeBool, "bool", 1)
    call named(occaDtypeChar, "char", 1)
    call named(occaDtypeShort, "short", 2)
    call named(occaDtypeInt, "int", 4)
    call named(occaDtypeLong, "long", 8)
    call named(occaDtypeFloat, "float", 4)
    call named(occaDtypeDouble, "double", 8)
    call check("int8", occaDtypeBytes(occaDtypeInt8) == 1 .and. occaDtypeBytes(occaDtypeUint8) == 1)
    call check("int16", occaDtypeBytes(occaDtypeInt16) == 2 .and. occaDtypeBytes(occaDtypeUint16) == 2)
    call check("int32", occaDtypeBytes(occaDtypeInt32) == 4 .and. occaDtypeBytes(occaDtypeUint32) == 4)
    call check("int64", occaDtypeBytes(occaDtypeInt64) == 8 .and. occaDtypeBytes(occaDtypeUint64) == 8)
    call vectors(occaDtypeUchar2, occaDtypeUchar3, occaDtypeUchar4, "uchar", 1)
    call vectors(occaDtypeChar2, occaDtypeChar3, occaDtypeChar4, "char", 1)
    call vectors(occaDtypeUshort2, occaDtypeUshort3, occaDtypeUshort4, "ushort", 2)
    call vectors(occaDtypeShort2, occaDtypeShort3, occaDtypeShort4, "short", 2)
    call vectors(occaDtypeUint2, occaDtypeUint3, occaDtypeUint4, "uint", 4)
    call vectors(occaDtypeInt2, occaDtypeInt3, occaDtypeInt4, "int", 4)
    call vectors(occaDtypeUlong2, occaDtypeUlong3, occaDtypeUlong4, "ulong", 8)
    call vectors(occaDtypeLong2, occaDtypeLong3, occaDtypeLong4, "long", 8)
    call vectors(occaDtypeFloat2, occaDtypeFloat3, occaDtypeFloat4, "float", 4)
    call vectors(occaDtypeDouble2, occaDtypeDouble3, occaDtypeDouble4, "double", 8)
  end subroutine

  subroutine named(type, name, bytes)
    type(occaDtype), intent(in) :: type
    character(len=*), intent(in) :: name
    integer, intent(in) :: bytes
    call check(name, is(occaDtypeName(type), name) .and. occaDtypeBytes(type) == bytes)
  end subroutine

  subroutine vectors(two, three, four, name, bytes)
    type(occaDtype), intent(in) :: two, three, four
    character(len=*), intent(in) :: name
    integer, intent(in) :: bytes
    call named(two, name//"2", 2 * bytes)
    call named(three, name//"3", 3 * bytes)
    call named(four, name//"4", 4 * bytes)
  end subroutine

  subroutine devices()
    type(occaDevice) :: device, other
    type(occaJson) :: props
    type(occaStream) :: first, second
    type(occaStreamTag) :: start, end
    type(occaMemory) :: memory
    call occaPrintModeInfo()
    props = occaJsonParse(F_C_str("{mode: 'OpenMP', key: 1}"))
    device = occaCreateDevice(props)
    other = occaCreateDeviceFromString(F_C_str("{mode: 'Serial'}"))
    call check("mode", is(occaDeviceMode(device), "OpenMP") .and. is(occaDeviceMode(other), "Serial"))
    call check("device", occaDeviceIsInitialized(device) .and. .not. occaDeviceIsInitialized(occaUndefined))
    call check("properties", logical(occaJsonObjectHas(occaDeviceGetProperties(device), F_C_str("key"))))
    call check("of kernels", logical(occaJsonIsObject(occaDeviceGetKernelProperties(device))))
    call check("of memory", logical(occaJsonIsObject(occaDeviceGetMemoryProperties(device))))
    call check("of streams", logical(occaJsonIsObject(occaDeviceGetStreamProperties(device))))
    call check("arch", is(occaDeviceArch(device), "CPU"))
    call check("size", occaDeviceMemorySize(device) > 1000000)
    call check("space", .not. occaDeviceHasSeparateMemorySpace(device))
    memory = occaDeviceMalloc(device, 100_occaUDim_t, C_null_ptr, occaDefault)
    call check("allocated", occaDeviceMemoryAllocated(device) == 100)
    call occaFree(memory)
    first = occaDeviceGetStream(device)
    second = occaDeviceCreateStream(device, occaDefault)
    call occaDeviceSetStream(device, second)
    start = occaDeviceTagStream(device)
    end = occaDeviceTagStream(device)
    call occaDeviceWaitForTag(device, end)
    call check("time", occaDeviceTimeBetweenTags(device, start, end) >= 0)
    call occaStreamFinish(second)
    call occaDeviceSetStream(device, first)
    call occaDeviceFinish(device)
    call occaDeviceFinishAll(device)
    call occaFree(start)
    call occaFree(end)
    call occaFree(second)

    call check("host", is(occaDeviceMode(occaHost()), "Serial"))
    call occaSetDeviceFromString(F_C_str("{mode: 'Serial', key: 2}"))
    call check("current", logical(occaJsonObjectHas(occaDeviceProperties(), F_C_str("key"))))
    call occaSetDevice(device)
    call check("set", is(occaDeviceMode(occaGetDevice()), "OpenMP"))
    first = occaGetStream()
    second = occaCreateStream(occaDefault)
    call occaSetStream(second)
    start = occaTagStream()
    end = occaTagStream()
    call occaWaitForTag(end)
    call check("time", occaTimeBetweenTags(start, end) >= 0)
    call occaSetStream(first)
    call occaFinish()
    call occaJsonObjectSet(occaSettings(), F_C_str("something"), occaTrue)
    call check("settings", logical(occaJsonObjectHas(occaSettings(), F_C_str("something"))))
    call occaFree(start)
    call occaFree(end)
    call occaFree(second)
    call occaFree(other)
    call occaFree(props)
  end subroutine

  subroutine memories()
    real(C_float), target :: host(4) = [1.0, 2.0, 3.0, 4.0], back(4)
    type(occaDevice) :: device
    type(occaMemory) :: all, part, other
    type(occaMemoryPool) :: pool
    type(C_ptr) :: pointer, again
    device = occaGetDevice()
    all = occaDeviceTypedMalloc(device, 4_occaUDim_t, occaDtypeFloat, C_loc(host), occaDefault)
    call check("memory", occaMemoryIsInitialized(all) .and. occaMemorySize(all) == 4)
    call check("device", is(occaDeviceMode(occaMemoryGetDevice(all)), "OpenMP"))
    call check("properties", logical(occaJsonIsObject(occaMemoryGetProperties(all))))
    part = occaMemorySlice(all, 1_occaDim_t, 2_occaDim_t)
    call check("slice", occaMemorySize(part) == 2 .and. at(part, 1) == 3)
    other = occaMemoryClone(all)
    call occaCopyMemToMem(all, other, 1_occaUDim_t, 0_occaUDim_t, 3_occaUDim_t, occaDefault)
    call check("to memory", at(all, 0) == 4)
    call occaCopyPtrToMem(all, C_loc(host), 2_occaUDim_t, 2_occaUDim_t, occaDefault)
    call check("from the host", at(all, 3) == 2)
    call occaMemcpy(all, C_loc(host), 1_occaUDim_t, occaDefault)
    call check("to the beginning", at(all, 0) == 1)
    call occaCopyMemToPtr(C_loc(back), all, 2_occaUDim_t, 2_occaUDim_t, occaDefault)
    call check("to the host", back(1) == 1 .and. back(2) == 2)
    pointer = occaMemoryPtr(all)
    again = occaMemoryPtr(all, occaDefault)
    call check("pointer", C_associated(pointer, again))
    call occaMemoryDetach(other)
    call occaFree(part)
    call occaFree(all)
    all = occaMalloc(16_occaUDim_t, C_loc(host), occaDefault)
    call check("bytes", at(all, 3) == 4)
    call occaFree(all)
    all = occaWrapMemory(C_loc(host), 16_occaUDim_t, occaDefault)
    pointer = occaMemoryPtr(all)
    again = C_loc(host)
    call check("wrapped", C_associated(pointer, again))
    call occaFree(all)
    all = occaTypedWrapMemory(C_loc(host), 4_occaUDim_t, occaDtypeFloat, occaDefault)
    call check("of a type", at(all, 1) == 2)
    call occaFree(all)
    all = occaDeviceWrapMemory(device, C_loc(host), 16_occaUDim_t, occaDefault)
    call occaFree(all)
    all = occaDeviceTypedWrapMemory(device, C_loc(host), 4_occaUDim_t, occaDtypeFloat, occaDefault)
    call occaFree(all)
    all = occaWrapCpuMemory(device, C_loc(host), 16_occaUDim_t, occaDefault)
    call check("of the host", occaMemorySize(all) == 16)
    call occaFree(all)

    pool = occaDeviceCreateMemoryPool(device, occaDefault)
    call occaFree(pool)
    pool = occaCreateMemoryPool(occaDefault)
    call check("pool", occaMemoryPoolIsInitialized(pool) .and. is(occaMemoryPoolMode(pool), "OpenMP"))
    call check("device", is(occaDeviceMode(occaMemoryPoolGetDevice(pool)), "OpenMP"))
    call check("properties", logical(occaJsonIsObject(occaMemoryPoolGetProperties(pool))))
    call occaMemoryPoolSetAlignment(pool, 16_occaUDim_t)
    call occaMemoryPoolResize(pool, 64_occaUDim_t)
    all = occaMemoryPoolReserve(pool, 16_occaUDim_t)
    part = occaMemoryPoolTypedReserve(pool, 4_occaUDim_t, occaDtypeFloat)
    call check("in use", occaMemoryPoolReserved(pool) == 32 .and. occaMemoryPoolNumReservations(pool) == 2)
    call occaMemoryPoolShrinkToFit(pool)
    call check("shrunk", occaMemoryPoolSize(pool) == 32 .and. occaMemoryPoolAlignment(pool) == 16)
    call occaFree(part)
    call occaFree(all)
    call occaFree(pool)
  end subroutine

  subroutine kernels()
    character(len=*), parameter :: text = "@kernel void sum(const int n, const float a, const float *x, float *y) {"// &
        " for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) y[i] += a * x[i]; }"
    character(len=2000) :: all
    type(occaKernel) :: kernel, other
    type(occaMemory) :: x, y
    type(occaType) :: args(4), a
    type(occaDim) :: extents
    integer :: i, unit
    open(newunit=unit, file="sum.okl", status="replace")
    write(unit,'(a)') text
    close(unit)
    kernel = occaBuildKernelFromString(F_C_str(text), F_C_str("sum"), occaDefault)
    call check("kernel", occaKernelIsInitialized(kernel) .and. is(occaKernelName(kernel), "sum"))
    call check("properties", logical(occaJsonIsObject(occaKernelGetProperties(kernel))))
    call check("device", is(occaDeviceMode(occaKernelGetDevice(kernel)), "OpenMP"))
    call check("hash", len(C_F_str(occaKernelHash(kernel))) == 16 .and. len(C_F_str(occaKernelFullHash(kernel))) == 64)
    extents = occaKernelMaxOuterDims(kernel)
    call check("outer", extents%x == -1)
    extents = occaKernelMaxInnerDims(kernel)
    call check("dimensions", extents%x == -1 .and. occaKernelMaxDims(kernel) == 3)
    x = counted(50)
    y = counted(50)
    args(1) = occaInt(50)
    args(2) = occaReal(1.0)
    args(3) = x
    args(4) = y
    call occaKernelRun(kernel, occaInt(50), occaReal(1.0), x, y)
    call check("run", at(y, 9) == 18)
    call occaKernelRunN(kernel, 4, args(1), args(2), x, y)
    call check("counted", at(y, 9) == 27)
    call occaKernelRunWithArgs(kernel, 4, args)
    call check("a list", at(y, 9) == 36)
    do i = 1, 4
      call occaKernelPushArg(kernel, args(i))
    end do
    call occaKernelRunFromArgs(kernel)
    call check("pushed", at(y, 9) == 45)
    call occaKernelClearArgs(kernel)
    call occaKernelSetRunDims(kernel, occaDim(0, 1, 1), occaDim(1, 1, 1))
    call occaKernelRun(kernel, occaInt(50), occaReal(1.0), x, y)
    call check("none", at(y, 9) == 45)

    other = occaBuildKernelFromBinary(occaKernelBinaryFilenameOf(kernel), F_C_str("sum"), occaDefault)
    call occaKernelRun(other, occaInt(50), occaReal(1.0), x, y)
    call check("binary", at(y, 9) == 54)
    call occaFree(other)
    other = occaDeviceBuildKernelFromBinary(occaGetDevice(), occaKernelBinaryFilenameOf(kernel), F_C_str("sum"), occaDefault)
    call occaFree(other)
    other = occaBuildKernel(F_C_str("sum.okl"), F_C_str("sum"), occaDefault)
    call check("file", is(occaKernelSourceFilename(other), "sum.okl"))
    call occaFree(other)
    other = occaDeviceBuildKernel(occaGetDevice(), F_C_str("sum.okl"), F_C_str("sum"), occaDefault)
    call occaFree(other)
    other = occaDeviceBuildKernelFromString(occaGetDevice(), F_C_str(text), F_C_str("sum"), occaDefault)
    call occaFree(other)
    call occaFree(kernel)

    ! As many arguments as there may be: 1 + 2 + … + 19.
    all = "@kernel void f(float *out"
    do i = 1, 19
      write(all,'(a,i0)') trim(all)//", const int a", i
    end do
    all = trim(all)//") { for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) out[0] = 0"
    do i = 1, 19
      write(all,'(a,i0)') trim(all)//" + a", i
    end do
    all = trim(all)//"; }"
    kernel = occaBuildKernelFromString(F_C_str(all), F_C_str("f"), occaDefault)
    a = occaInt(10)
    call occaKernelRun(kernel, y, occaInt(1), occaInt(2), occaInt(3), occaInt(4), occaInt(5), occaInt(6), occaInt(7), &
        occaInt(8), occaInt(9), a, occaInt(11), occaInt(12), occaInt(13), occaInt(14), occaInt(15), occaInt(16), &
        occaInt(17), occaInt(18), occaInt(19))
    call check("twenty", at(y, 0) == 190)
    call occaFree(kernel)
    call occaFree(x)
    call occaFree(y)
  end subroutine

  function occaKernelBinaryFilenameOf(kernel) result(name)
    type(occaKernel), intent(in) :: kernel
    character(len=:,kind=C_char), allocatable :: name
    name = F_C_str(C_F_str(occaKernelBinaryFilename(kernel)))
  end function

  subroutine scopes()
    character(len=*), parameter :: text = "(for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) { y[i] = f * x[i]; })"
    type(occaScope) :: scope
    type(occaKernelBuilder) :: builder
    type(occaMemory) :: x, y
    x = counted(50)
    y = counted(50)
    scope = occaCreateScope(occaDefault)
    call occaScopeAddConst(scope, F_C_str("n"), occaInt(50))
    call occaScopeAddConst(scope, F_C_str("f"), occaReal(3.0))
    call occaScopeAddConst(scope, F_C_str("x"), x)
    call occaScopeAdd(scope, F_C_str("y"), y)
    builder = occaCreateKernelBuilder(F_C_str(text), F_C_str("f_x"))
    call occaKernelBuilderRun(builder, scope)
    call check("scope", at(y, 7) == 21)
    call occaFree(builder)
    builder = occaKernelBuilderFromInlinedOkl(scope, F_C_str(text), F_C_str("again"))
    call occaKernelBuilderRun(builder, scope)
    call check("again", at(y, 8) == 24)
    call occaFree(builder)
    call occaFree(scope)
    call occaFree(x)
    call occaFree(y)
  end subroutine
end program
