//! What is called.

/// A kernel, and the types of its parameters: inputs and values, then outputs.
pub(super) struct Kernel {
    pub(super) name: &'static str,
    pub(super) inputs: &'static [Type],
    pub(super) outputs: &'static [Type],
    pub(super) text: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Float,
    Double,
    Float4,
    Int,
    UChar,
    /// A stream of another shape.
    Other,
    /// What is gathered: a stream of `Float`, and of `Other`.
    Gathered,
    OtherGathered,
    /// No stream.
    Value,
}

pub(super) use Type::{Double, Float, Float4, Gathered, Int, Other, OtherGathered, UChar, Value};

pub(super) const POOLS: [Type; 6] = [Float, Double, Float4, Int, UChar, Other];

impl Type {
    pub(super) fn name(self) -> &'static str {
        match self {
            Float | Other | Gathered | OtherGathered | Value => "float",
            Double => "double",
            Float4 => "float4",
            Int => "int",
            UChar => "unsigned char",
        }
    }

    /// Where streams for such a parameter are.
    pub(super) fn pool(self) -> Self {
        match self {
            Gathered => Float,
            OtherGathered => Other,
            own => own,
        }
    }
}

/// Products, sums and both: what compilers like to contract, and to compute once. Values that not every compiler rounds
/// in the same way stay within one kernel.
pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "axpy",
        inputs: &[Value, Float, Float],
        outputs: &[Float],
        text: "kernel void axpy(float a, float x<>, float y<>, out float z<>) { z = a * x + y; }",
    },
    Kernel {
        name: "product",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void product(float x<>, float y<>, out float z<>) { z = x * y; }",
    },
    Kernel {
        name: "sum",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void sum(float x<>, float y<>, out float z<>) { z = x + y; }",
    },
    Kernel {
        name: "two",
        inputs: &[Float, Float],
        outputs: &[Float, Float],
        text: "kernel void two(float x<>, float y<>, out float s<>, out float d<>) { s = x * y + x; d = x * y - y; }",
    },
    Kernel {
        name: "square",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void square(float x<>, out float y<>) { y = x * x * 0.125f + x * 0.5f; }",
    },
    Kernel {
        name: "copied",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void copied(float x<>, out float y<>) { y = x; }",
    },
    Kernel {
        name: "constant",
        inputs: &[Value],
        outputs: &[Float],
        text: "kernel void constant(float a, out float y<>) { y = a * 3.0f + 1.0f; }",
    },
    Kernel {
        name: "step",
        inputs: &[Double, Double, Value],
        outputs: &[Double],
        text: "kernel void step(double x<>, double v<>, float t, out double y<>) { y = x * (double)t + v * (double)t; }",
    },
    Kernel {
        name: "widened",
        inputs: &[Float, Double],
        outputs: &[Double],
        text: "kernel void widened(float x<>, double y<>, out double z<>) { z = (double)x * y + y; }",
    },
    Kernel {
        name: "narrowed",
        inputs: &[Double],
        outputs: &[Float],
        text: "kernel void narrowed(double x<>, out float z<>) { z = (float)(x * x); }",
    },
    Kernel {
        name: "vectors",
        inputs: &[Float4, Float4, Value],
        outputs: &[Float4],
        text: "kernel void vectors(float4 x<>, float4 y<>, float f, out float4 z<>) { z = x * float4(f, f, f, f) + y * x; }",
    },
    Kernel {
        name: "parted",
        inputs: &[Float4],
        outputs: &[Float, Float],
        text: "kernel void parted(float4 x<>, out float a<>, out float b<>) { a = x.x * x.y; b = x.z + x.w * x.x; }",
    },
    Kernel {
        name: "joined",
        inputs: &[Float, Float],
        outputs: &[Float4],
        text: "kernel void joined(float a<>, float b<>, out float4 x<>) { x = float4(a, b, a * b, a + b); }",
    },
    Kernel {
        name: "vanishes",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void vanishes(float x<>, out float z<>) { z = x * 2.0f - (x + x); }",
    },
    Kernel {
        name: "negated",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void negated(float x<>, out float z<>) { z = -x; }",
    },
    Kernel {
        name: "ways",
        inputs: &[Float, Float],
        outputs: &[Float, Float],
        text: "kernel void ways(float x<>, float y<>, out float z<>, out float w<>) { if (x > y) { z = x * y + x; w = y; } else { w = x * x - y * y; z = w; } }",
    },
    Kernel {
        name: "sometimes",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void sometimes(float x<>, float y<>, out float z<>) { if (x > y) z = x * y + x; }",
    },
    Kernel {
        name: "integers",
        inputs: &[Int, Int],
        outputs: &[Int],
        text: "kernel void integers(int a<>, int b<>, out int d<>) { d = a * 7 + b; }",
    },
    Kernel {
        name: "bytes",
        inputs: &[UChar, Int],
        outputs: &[UChar],
        text: "kernel void bytes(unsigned char a<>, int b<>, out unsigned char c<>) { c = (unsigned char)((int)a + b); }",
    },
    Kernel {
        name: "chosen",
        inputs: &[Float, Int],
        outputs: &[Float],
        text: "kernel void chosen(float x<>, int c<>, out float z<>) { if (c > 3) z = x * x; else z = x + 1.0f; }",
    },
    Kernel {
        name: "powered",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void powered(float x<>, out float z<>) { int i; z = x; for (i = 0; i < 3; i++) z = z * x; }",
    },
    // Places: what is multiplied is the same for all.
    Kernel {
        name: "place_alone",
        inputs: &[],
        outputs: &[Float],
        text: "kernel void place_alone(out float z<>) { z = indexof(z).x * 0.37f; }",
    },
    Kernel {
        name: "place_and",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void place_and(float x<>, out float z<>) { z = indexof(x).x * 0.37f + x; }",
    },
    Kernel {
        name: "place_less",
        inputs: &[Float, Int],
        outputs: &[Float],
        text: "kernel void place_less(float x<>, int n<>, out float z<>) { z = (float)(instance().x + n) * 0.37f - x; }",
    },
    Kernel {
        name: "resized",
        inputs: &[Other, Float],
        outputs: &[Float],
        text: "kernel void resized(float o<>, float x<>, out float z<>) { z = o * x + 0.25f; }",
    },
    Kernel {
        name: "shrunk",
        inputs: &[Float],
        outputs: &[Other],
        text: "kernel void shrunk(float x<>, out float o<>) { o = x * 0.5f; }",
    },
    Kernel {
        name: "others",
        inputs: &[Other, Other],
        outputs: &[Other],
        text: "kernel void others(float o<>, float p<>, out float q<>) { q = o * p; }",
    },
    // The same elements with products of the same, of several kernels. RANK stands for brackets, and PLACE for an index.
    Kernel {
        name: "fetched",
        inputs: &[Gathered, Float],
        outputs: &[Float],
        text: "kernel void fetched(float gRANK, float x<>, out float z<>) { z = gPLACE * x; }",
    },
    Kernel {
        name: "fetched_and",
        inputs: &[Gathered, Gathered, Float],
        outputs: &[Float],
        text: "kernel void fetched_and(float gRANK, float hRANK, float x<>, out float z<>) { z = gPLACE * hPLACE + x; }",
    },
    Kernel {
        name: "fetched_both",
        inputs: &[Gathered, Gathered],
        outputs: &[Float],
        text: "kernel void fetched_both(float gRANK, float hRANK, out float z<>) { z = gPLACE * hPLACE; }",
    },
    Kernel {
        name: "searched",
        inputs: &[Float, Gathered, OtherGathered],
        outputs: &[Float, Float],
        text: "kernel void searched(float x<>, float gRANK, float oRANK, out float y<>, out float z<>) { y = gFOUND + x; z = oFOUND; }",
    },
    // What compilers contract otherwise, or take another function for, when it is compiled with others.
    Kernel {
        name: "moved_none",
        inputs: &[Int],
        outputs: &[Float],
        text: "kernel void moved_none(int n<>, out float z<>) { z = (float)(n * 7001) * 0.37f; }",
    },
    Kernel {
        name: "moved_by",
        inputs: &[Int, Float],
        outputs: &[Float],
        text: "kernel void moved_by(int n<>, float y<>, out float z<>) { z = (float)(n * 7001) * 0.37f + y; }",
    },
    Kernel {
        name: "halved_whole",
        inputs: &[Float, Float],
        outputs: &[Float4],
        text: "kernel void halved_whole(float x<>, float y<>, out float4 z<>) { float t = x * y; z = float4(t + x, t, t, t); }",
    },
    Kernel {
        name: "halved_first",
        inputs: &[Float4],
        outputs: &[Float],
        text: "kernel void halved_first(float4 x<>, out float z<>) { z = x.x; }",
    },
    Kernel {
        name: "larger_or",
        inputs: &[Float, Float, Int],
        outputs: &[Float],
        text: "kernel void larger_or(float x<>, float y<>, int n<>, out float z<>) { z = x * y + (n > 3 ? x : 0.37f); }",
    },
    Kernel {
        name: "larger_sine",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void larger_sine(float x<>, out float z<>) { z = sin(x); }",
    },
    Kernel {
        name: "larger_of",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void larger_of(float x<>, float y<>, out float z<>) { z = max(x, y); }",
    },
    // These do not wait.
    Kernel {
        name: "looped",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void looped(float x<>, out float z<>) { int i; z = x; for (i = 0; i < 3; i++) z = z * 0.5f + x; }",
    },
    Kernel {
        name: "until",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void until(float x<>, out float z<>) { z = x; while (z > 0.25f && z < 3.0f) z = z * 1.3f + 0.125f; }",
    },
    Kernel {
        name: "maybe",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void maybe(float x<>, out float z<>) { if (x > 0.0f) z = x * 0.75f; }",
    },
    Kernel {
        name: "placed",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void placed(float x<>, out float z<>) { z = x + (float)instance().x; }",
    },
];

/// Kernels that change what compilers make of each other, by how their names begin.
const FAMILIES: [&str; 5] = ["place_", "fetched", "moved_", "halved_", "larger_"];

/// All of a kernel's family.
pub(super) fn family(kernel: usize) -> Vec<usize> {
    let of = |name: &str| FAMILIES.iter().position(|f| name.starts_with(f));
    let own = of(KERNELS[kernel].name);
    let all = 0..KERNELS.len();
    all.filter(|&n| n == kernel || own.is_some() && of(KERNELS[n].name) == own)
        .collect()
}

pub(super) const PRODUCT: usize = 1;
pub(super) const SUM: usize = 2;

/// A reduction: what it folds, whether it takes a value, and its text.
pub(super) struct Fold {
    pub(super) name: &'static str,
    pub(super) ty: Type,
    pub(super) value: bool,
    pub(super) text: &'static str,
}

pub(super) const FOLDS: &[Fold] = &[
    Fold {
        name: "total",
        ty: Float,
        value: false,
        text: "reduce void total(float x<>, reduce float r<>) { r += x; }",
    },
    // A product that may be contracted with the sum, or with what has made the element.
    Fold {
        name: "squares",
        ty: Float,
        value: false,
        text: "reduce void squares(float x<>, reduce float r<>) { r += x * x; }",
    },
    Fold {
        name: "scaled",
        ty: Float,
        value: true,
        text: "reduce void scaled(reduce float r<>, float x<>, float w) { r += x * w; }",
    },
    // In order.
    Fold {
        name: "largest",
        ty: Float,
        value: false,
        text: "reduce void largest(float x<>, reduce float r<>) { if (x > r) r = x; }",
    },
    Fold {
        name: "fading",
        ty: Float,
        value: true,
        text: "reduce void fading(float x<>, float w, reduce float r<>) { r = r * w + x; }",
    },
    Fold {
        name: "vectors_total",
        ty: Float4,
        value: false,
        text: "reduce void vectors_total(float4 x<>, reduce float4 r<>) { r += x; }",
    },
    Fold {
        name: "doubles_total",
        ty: Double,
        value: false,
        text: "reduce void doubles_total(double x<>, reduce double r<>) { r += x; }",
    },
    Fold {
        name: "integers_total",
        ty: Int,
        value: false,
        text: "reduce void integers_total(int x<>, reduce int r<>) { r += x; }",
    },
    Fold {
        name: "bits",
        ty: Int,
        value: false,
        text: "reduce void bits(int x<>, reduce int r<>) { r ^= x; }",
    },
];
