//! What code may ask of a processor: the macros by which compilers say what they make use of, and the words by which
//! Linux says what a processor can do.

use std::collections::BTreeSet;

/// Macros of GCC and Clang, with the kernel's words. No word: code with it runs everywhere, or only what programs call
/// by name needs it.
const NAMES: &[(&str, &str)] = &[
    ("__SSE3__", "pni"),
    ("__SSSE3__", "ssse3"),
    ("__SSE4_1__", "sse4_1"),
    ("__SSE4_2__", "sse4_2"),
    ("__SSE4A__", "sse4a"),
    ("__POPCNT__", "popcnt"),
    ("__LZCNT__", "abm"),
    ("__ABM__", "abm"),
    ("__CRC32__", "sse4_2"),
    ("__LAHF_SAHF__", "lahf_lm"),
    ("__MOVBE__", "movbe"),
    ("__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16", "cx16"),
    ("__AVX__", "avx"),
    ("__AVX2__", "avx2"),
    ("__F16C__", "f16c"),
    ("__FMA__", "fma"),
    ("__FMA4__", "fma4"),
    ("__XOP__", "xop"),
    ("__TBM__", "tbm"),
    ("__BMI__", "bmi1"),
    ("__BMI2__", "bmi2"),
    ("__ADX__", "adx"),
    ("__AES__", "aes"),
    ("__PCLMUL__", "pclmulqdq"),
    ("__SHA__", "sha_ni"),
    ("__GFNI__", "gfni"),
    ("__VAES__", "vaes"),
    ("__VPCLMULQDQ__", "vpclmulqdq"),
    ("__RDRND__", ""),
    ("__RDSEED__", ""),
    ("__FSGSBASE__", ""),
    ("__PRFCHW__", "3dnowprefetch"),
    ("__FXSR__", ""),
    ("__XSAVE__", ""),
    ("__XSAVEC__", ""),
    ("__XSAVEOPT__", ""),
    ("__XSAVES__", ""),
    ("__CLFLUSHOPT__", ""),
    ("__CLWB__", ""),
    ("__CLZERO__", ""),
    ("__RDPID__", ""),
    ("__MOVDIRI__", "movdiri"),
    ("__MOVDIR64B__", ""),
    ("__RTM__", "rtm"),
    ("__HLE__", "hle"),
    ("__AVX512F__", "avx512f"),
    ("__AVX512CD__", "avx512cd"),
    ("__AVX512DQ__", "avx512dq"),
    ("__AVX512BW__", "avx512bw"),
    ("__AVX512VL__", "avx512vl"),
    ("__AVX512ER__", "avx512er"),
    ("__AVX512PF__", "avx512pf"),
    ("__AVX512IFMA__", "avx512ifma"),
    ("__AVX512VBMI__", "avx512vbmi"),
    ("__AVX512VBMI2__", "avx512_vbmi2"),
    ("__AVX512VNNI__", "avx512_vnni"),
    ("__AVX512BITALG__", "avx512_bitalg"),
    ("__AVX512VPOPCNTDQ__", "avx512_vpopcntdq"),
    ("__AVX512BF16__", "avx512_bf16"),
    ("__AVX512FP16__", "avx512_fp16"),
    ("__AVX512VP2INTERSECT__", "avx512_vp2intersect"),
    ("__AVX5124FMAPS__", "avx512_4fmaps"),
    ("__AVX5124VNNIW__", "avx512_4vnniw"),
    ("__AVXVNNI__", "avx_vnni"),
    ("__AVXIFMA__", "avx_ifma"),
    ("__AVXVNNIINT8__", "avx_vnni_int8"),
    ("__AVXNECONVERT__", "avx_ne_convert"),
    ("__AMX_TILE__", "amx_tile"),
    ("__AMX_INT8__", "amx_int8"),
    ("__AMX_BF16__", "amx_bf16"),
    ("__SERIALIZE__", ""),
    ("__WAITPKG__", ""),
    ("__CLDEMOTE__", ""),
    ("__SHSTK__", ""),
    ("__EVEX256__", ""),
    ("__EVEX512__", ""),
    ("__MWAITX__", ""),
    ("__WBNOINVD__", ""),
    ("__PKU__", ""),
    ("__INVPCID__", ""),
    ("__PTWRITE__", ""),
    ("__PCONFIG__", ""),
    ("__SGX__", ""),
    ("__ENQCMD__", ""),
    ("__TSXLDTRK__", ""),
    ("__UINTR__", ""),
    ("__HRESET__", ""),
    ("__KL__", ""),
    ("__WIDEKL__", ""),
    ("__PREFETCHI__", ""),
];

/// What code asks of a processor that was compiled with these macros, beyond those of the least processor of its
/// family. What is not known by name is asked for by the macro's, so that only the very same processor has it.
pub(crate) fn asked(macros: &BTreeSet<String>, least: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for name in macros.difference(least) {
        match NAMES.iter().find(|(known, _)| known == name) {
            Some((_, "")) => {}
            Some((_, word)) => {
                found.insert(word.to_string());
            }
            None if is_feature(name) => {
                found.insert(name.clone());
            }
            None => {}
        }
    }
    found
}

/// Compilers write the names of processors in small letters, and what a feature means for arithmetic without an end
/// of its own.
fn is_feature(name: &str) -> bool {
    let large = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    let own = name.starts_with("__") && name.ends_with("__") && name.bytes().all(large);
    own || name.starts_with("__ARM_FEATURE") || name.starts_with("__riscv_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|n| n.to_string()).collect()
    }

    #[test]
    fn features_are_what_the_least_processor_has_not() {
        let least = set(&["__SSE2__", "__x86_64__", "__k8__"]);
        let macros = set(&[
            "__SSE2__",
            "__x86_64__",
            "__znver4__",
            "__tune_znver4__",
            "__FP_FAST_FMA",
            "__AVX2__",
            "__SHSTK__",
            "__NEW_THING__",
        ]);
        assert_eq!(asked(&macros, &least), set(&["avx2", "__NEW_THING__"]));
        let arm = set(&["__ARM_FEATURE_SVE", "__ARM_FP"]);
        assert_eq!(
            asked(&arm, &set(&["__ARM_FP"])),
            set(&["__ARM_FEATURE_SVE"])
        );
    }

    #[test]
    fn no_macro_is_listed_twice() {
        let names: BTreeSet<&str> = NAMES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), NAMES.len());
    }
}
