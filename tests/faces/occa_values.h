// JSON, numbers, types, hashes, extents: what has no device. A part of occa.cpp.

static void jsons() {
    occa::json j = occa::json::parse("{a: 1, 'b': {c: [1, 2.5, \"x\\n\"], // comment\n d: true}, /* and */ e: null,}");
    CHECK(j.isObject() && j.size() == 3 && j["a"].isNumber() && (int) j["a"] == 1 && j["e"].isNull());
    CHECK(j["b/c"].isArray() && j["b/c"].size() == 3 && (double) j["b/c"][1] == 2.5 && j["b/c"][2].string() == "x\n");
    CHECK(j["b/d"].isBool() && j["b"]["d"].boolean() && j.has("b/d") && !j.has("b/f") && !j.has("a/b"));
    CHECK(j.get("b/d", false) && j.get<int>("nothing", 7) == 7 && j.get<std::string>("b/c/0", "none") == "none");
    CHECK(j["b/c"].toVector<double>().size() == 3 && j.toVector<int>("a", {4}) == std::vector<int>{4});
    CHECK(j.keys() == (occa::strVector{"a", "b", "e"}) && j.values().size() == 3);
    const std::string text = "{\n  \"a\": [\n    1,\n    \"q\\\"\"\n  ],\n  \"b\": {}\n}";
    CHECK(occa::json::parse(text).dump() == text &&
          occa::json::parse(text).dump(0) == "{\"a\": [1, \"q\\\"\"], \"b\": {}}");
    CHECK(occa::json::parse(j.dump()) == j && j.toString() == j.dump() && (std::string) occa::json("plain") == "plain");

    // Objects are merged to their depth, everything else is replaced.
    const occa::json left{{"a", {{"x", 1}, {"y", 2}}}, {"b", 3}}, right{{"a", {{"y", 4}, {"z", 5}}}, {"b", {{"c", 6}}}};
    const occa::json both = left + right;
    CHECK((int) both["a/x"] == 1 && (int) both["a/y"] == 4 && (int) both["a/z"] == 5 && (int) both["b/c"] == 6);
    CHECK(left != right && left == occa::json(left) && (left + occa::json()) == left && (occa::json() + left) == left);
    occa::json number = 3, list = occa::json::parse("[1]"), string = "a";
    number += 4.5;
    list += 2;
    string += "b";
    CHECK((double) number == 7.5 && list.size() == 2 && string == "ab");
    FAILS(number += string, "of another kind");

    occa::json made;
    made["deep/er"] = 5u;
    made.set("flat/name", true).set<std::string>("s", "t");
    CHECK(made["deep"].isObject() && (int) made["deep/er"] == 5 && !made.has("flat/name") && made.size() == 3);
    CHECK(made.object().count("flat/name") == 1 && made["flat\\/name"].isBool());
    made.remove("deep/er").remove("not/there").remove(std::string("s"));
    CHECK(made["deep"].size() == 0 && !made.has("s") && !made["new"].isInitialized());
    occa::json sparse = occa::json().asArray();
    sparse[2] = 1;
    CHECK(sparse.size() == 3 && sparse[0].isNull() && occa::json(occa::json::none_).asBoolean().isBool());
    CHECK(occa::json("x") && !occa::json("") && !occa::json(0) && occa::json::parse("[]") && !occa::json());
    CHECK((int) occa::json("x") == 0 && occa::json(2.0).dtype() == occa::dtype::double_);
    CHECK(left.hash() == occa::json(left).hash() && left.hash() != right.hash());
    const std::string file = std::string(scratch) + "/j.json";
    made.write(file);
    CHECK(occa::json::read(file) == occa::json::parse(made.dump()));

    for (const char *bad : {"abc", "'a", "{ a: 1", "{a: 1 b: 2}", "{: 1}", "[1,", "{a 1}", "'\\u12G4'", "", "/* open", "-"}) {
        FAILS(occa::json::parse(std::string(bad)), "occa::json");
    }
    FAILS(made["new/x"] = (made["y"] = 1, made["y/z"]), "is no object");
    FAILS(occa::json(1)[0], "no array");
    FAILS(occa::json::read("/nowhere.json"), "cannot read");
}

static void numbers() {
    typedef occa::primitive P;
    CHECK((int) P("0x1F") == 31 && (int) P("-0b101") == -5 && (double) P("1.5e2") == 150 &&
          P("2.5f").type == occa::primitiveType::float_);
    CHECK(P("7").type == occa::primitiveType::int32_ && P("7ul").type == occa::primitiveType::uint64_ &&
          P("x").isNaN());
    CHECK((int64_t) P("9000000000L") == 9000000000 && P("true").isBool() && P("1e-3").source == "1e-3" &&
          (int) P("- 3") == -3);
    CHECK(P(1.0f).toString() == "1.0f" && P(0.1).toString() == "0.1" && P(int64_t(3)).toString() == "3L" &&
          P(1e300).toString() == "1e+300");
    CHECK(P(10).toBinaryString() == "0b1010" && P(uint8_t(255)).toHexString() == "0xff" && P(0).toHexString() == "0x0" &&
          P(-255).toHexString() == "-0xff" && P(true).toBinaryString() == "0b1");
    CHECK(P(int64_t(-9223372036854775807 - 1)).toHexString() == "-0x8000000000000000" &&
          P(~uint64_t(0)).toHexString() == "0xffffffffffffffff" && P(int8_t(-128)).toBinaryString() == "-0b10000000");
    CHECK(static_cast<int>(P::load(P(-1234).toHexString())) == -1234 && static_cast<int>(P::load(P(77).toBinaryString())) == 77);
    FAILS(P(1.5).toHexString(), "toHexString: it is no integer");
    FAILS(P().toBinaryString(), "toBinaryString: it is no integer");
    CHECK(P(true).toString() == "true" && P(uint8_t(200)).toString() == "200" && P().toString() == "");
    CHECK((int) P::add(P(2), P(3)) == 5 && (double) P::mult(P(2), P(1.5)) == 3 &&
          P::add(P(2), P(1.5)).type == occa::primitiveType::double_);
    CHECK((int) P::sub(P(2), P(3)) == -1 && (int) P::div(P(7), P(2)) == 3 && (int) P::mod(P(7), P(4)) == 3);
    CHECK((int) P::leftShift(P(3), P(2)) == 12 && (int) P::rightShift(P(-8), P(1)) == -4 &&
          (int) P::xor_(P(6), P(3)) == 5);
    CHECK((int) P::bitAnd(P(6), P(3)) == 2 && (int) P::bitOr(P(6), P(3)) == 7 && (int) P::tilde(P(0)) == -1);
    CHECK((bool) P::lessThan(P(1), P(2)) && !(bool) P::equal(P(1), P(2)) && (bool) P::notEqual(P(1), P(2)));
    CHECK((bool) P::greaterThanEq(P(2), P(2.0)) && (int) P::compare(P(1), P(2)) == -1 && (bool) P::and_(P(1), P(2)));
    CHECK((bool) P::or_(P(0), P(2)) && !(bool) P::not_(P(3)) && (int) P::negative(P(3)) == -3 &&
          (int) P::positive(P(3)) == 3);
    // As in C++, what is smaller than an int is an int before anything is computed.
    const P small(uint8_t(250)), yes(true);
    P q(uint8_t(255));
    CHECK((int) P::add(small, small) == 500 && (int) P::sub(P(uint16_t(1)), P(uint16_t(2))) == -1 &&
          (int) P::negative(small) == -250 && (int) P::tilde(small) == ~250 && (int) P::mult(small, small) == 62500);
    CHECK(P::add(small, small).type == occa::primitiveType::int32_ && (int) P::leftShift(small, P(uint8_t(4))) == 4000 &&
          (int) P::rightShift(P(uint8_t(200)), P(3)) == 25 && (int) P::mult(P(int8_t(100)), P(int8_t(-100))) == -10000);
    CHECK((int) P::add(yes, yes) == 2 && (int) P::negative(yes) == -1 && (int) P::mod(yes, P(3)) == 1 &&
          (int) P::bitOr(yes, P(int8_t(4))) == 5 && (int) P::leftShift(yes, P(3)) == 8 && P::leftIncrement(q).type == q.type);
    CHECK((int) P::add(P(2147483647), P(1)) == -2147483647 - 1 && (int) P::div(P(-2147483647 - 1), P(-1)) < 0 &&
          (int64_t) P::leftShift(P(1), P(int64_t(40))) == int64_t(1) << 40 && (int) P::mod(P(-7), P(-1)) == 0);
    CHECK((int) P("010") == 8 && (int) P("-017") == -15 && (int) P("08") == 8 && (int) P("0") == 0 && (double) P("010.5") == 10.5);
    P p(4);
    CHECK((int) P::rightIncrement(p) == 4 && (int) P::leftIncrement(p) == 6 && (int) P::leftDecrement(p) == 5 &&
          (int) P::rightDecrement(p) == 5);
    P::addEq(p, P(10));
    CHECK((int) p == 14 && p.sizeof_() == 4 && !p.isNull() && P(nullptr).isNull() && P(3).dtype() == occa::dtype::int_);
    FAILS((int) P(), "no number");
    FAILS(P::div(P(1), P(0)), "by 0");
    FAILS(P::bitAnd(P(1.5), P(1)), "takes integers");

    occa::float4 v(1, 2, 3, 4), w = v * 2.0f + occa::float4(1);
    CHECK(w.x == 3 && w.y == 4 && w.w == 8 && occa::dot(v, v) == 30 && occa::double2(3, 4).s1 == 4);
    CHECK(sizeof(occa::float3) == 16 && (-v).z == -3 && occa::length(occa::double2(3, 4)) == 5);
    CHECK((occa::bitfield(1) << 64) == occa::bitfield(1, 0) && !(occa::bitfield(1) >> 1) &&
          occa::areBitwiseEqual(1.0f, 0x3f800000));
    CHECK(occa::dim(2, 3) * occa::dim(4) == occa::dim(2, 8, 3, 1) && occa::dim(2, 3)[1] == 3 && occa::dim(0).isZero());
    FAILS(occa::dim(1)[3], "0 to 2");

    const occa::hash_t a = occa::hash("abc"), b = occa::hash(std::string("abd"));
    CHECK(a != b && a == occa::hash(std::string("abc")) && (a ^ b) == (b ^ a) && (a ^ b ^ b) == a && a.isInitialized());
    CHECK(occa::hash_t::fromString(a.getFullString()) == a && a.getString().size() == 16 &&
          !occa::hash_t().isInitialized());
    CHECK(occa::hash_t::random() != occa::hash_t::random());
    FAILS(occa::hash_t::fromString("12"), "64 hexadecimal");
}

static void types() {
    using namespace occa;
    CHECK(dtype::get<float>() == dtype::float_ && dtype::get<unsigned>() == dtype::uint32 &&
          dtype::get<int64_t>() == dtype::long_);
    CHECK(dtype::get<double *>() == dtype::double_ && dtype::get<occa::float4>() == dtype::float4 &&
          dtype::float4.bytes() == 16);
    CHECK((dtype::getMany<int, float>() == dtypeVector{dtype::int_, dtype::float_}) &&
          dtype_t::getBuiltin("int") == dtype::int_);
    dtype_t pair("pair"), copy = pair;
    pair.addField("a", dtype::float_).addField("b", dtype::int_, 2);
    CHECK(pair.bytes() == 12 && pair.isStruct() && pair.structFieldCount() == 2 && pair["a"] == dtype::float_ &&
          pair[1].tupleSize() == 2);
    CHECK(!copy.isStruct() && pair != copy && pair.structFieldNames()[1] == "b");
    const dtype_t read = dtype::fromJson(dtype::toJson(pair).dump());
    CHECK(read != pair && read.matches(pair) && read.canBeCastedTo(pair) && !pair.canBeCastedTo(dtype::float_));
    CHECK(dtype::float_.canBeCastedTo(dtype::float4) && !dtype::float2.canBeCastedTo(dtype::float3) &&
          pair.canBeCastedTo(dtype::byte));
    CHECK(pair.toString() == "struct pair { float a; int b[2]; }" && dtype::float2.toString("x") == "float2 x");
    CHECK(dtype_t::tuple(dtype::double_, 3).bytes() == 24 && dtype_t("opaque", 5).bytes() == 5 &&
          !dtype_t("opaque", 5).isTuple());
    dtype_t color("color");
    color.addEnumerator("red").addEnumerator("blue");
    CHECK(color.isEnum() && color.enumEnumeratorCount() == 2 && dtype::fromJson(dtype::toJson(color)).matches(color));
    dtype_t either = dtype::fromJson(std::string("{type: 'union', fields: [{name: 'i', dtype: {type: 'builtin', name: 'int'}}, "
                                                 "{name: 'd', dtype: {type: 'builtin', name: 'double'}}]}"));
    CHECK(either.isUnion() && !either.isStruct() && either.bytes() == 8 && either.unionFieldCount() == 2 &&
          either["i"] == dtype::int_ && either[1] == dtype::double_ && pair.unionFieldCount() == 0);
    either.addField("four", dtype::float_, 4);
    CHECK(either.bytes() == 16 && either.unionFieldNames()[2] == "four" &&
          either.toString("e") == "union { int i; double d; float four[4]; } e");
    CHECK(dtype::fromJson(dtype::toJson(either)).matches(either) && !either.matches(pair) && !pair.matches(either));
    CHECK(either.canBeCastedTo(dtype::byte) && !either.canBeCastedTo(dtype::int_) && either.canBeCastedTo(either));
    FAILS(either.structFieldNames(), "no struct");
    FAILS(pair.unionFieldNames(), "no union");
    FAILS(either["x"], "no field 'x'");
    FAILS(either[3], "no field number 3");
    CHECK(OCCA_OS == OCCA_LINUX_OS && (OCCA_WINUX_OS & OCCA_OS) != 0 && OCCA_USING_VS == 0 && OCCA_64_BIT + OCCA_32_BIT == 1);
    CHECK(OCCA_OPENMP_ENABLED == 1 && OCCA_CUDA_ENABLED + OCCA_HIP_ENABLED + OCCA_OPENCL_ENABLED <= 3 && OCCA_METAL_ENABLED == 0 &&
          OCCA_DPCPP_ENABLED == 0 && OCCA_UNSAFE == 0 && OCCA_THREAD_SHARABLE_ENABLED == 0 && OCCA_ARM * OCCA_ARM == OCCA_ARM);
    pair.registerType();
    CHECK(pair.isRegistered());
    FAILS(pair.addField("a", dtype::int_), "already");
    FAILS(pair["c"], "no field 'c'");
    CHECK(dtype_t::getBuiltin("int32") == dtype::int_ && dtype_t::getBuiltin("uint64") == dtype::uint64);
    const dtype_t real("real", dtype::double_);
    CHECK(real == dtype::double_ && real.bytes() == 8 && real.canBeCastedTo(dtype::double_));
    const dtype_t large = dtype_t::tuple(dtype::double_, 1 << 27);
    FAILS(dtype_t::tuple(dtype::double_, 1 << 29), "too many to count");
    FAILS(dtype_t("larger").addField("a", large).addField("b", large), "too many bytes");
    FAILS(dtype_t::getBuiltin("quad"), "no type 'quad'");
    FAILS(dtype_t(dtype::int_).addField("x", dtype::int_), "builtin");
    FAILS(dtype::fromJson(std::string("{type: 'odd'}")), "odd");
}
