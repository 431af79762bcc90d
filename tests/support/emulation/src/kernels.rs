//! The names of the kernels in a CUDA or HIP source.

/// The name of every `__global__` function, in order. A scan of words, not a parser: generated source
/// has one form, `__global__ … void NAME(`.
pub(crate) fn names(source: &str) -> Vec<String> {
    let text = without_comments(source);
    let mut names: Vec<String> = Vec::new();
    for after in text.split("__global__").skip(1) {
        if let Some(name) = name(after)
            && !names.iter().any(|n| n == name)
        {
            names.push(name.to_string());
        }
    }
    names
}

/// The same of a SYCL source whose kernels are lambdas: `BROOK_LAUNCHER(NAME, …` in a line each.
pub(crate) fn launched(source: &str) -> impl Iterator<Item = &str> {
    let rest = source.split("\nBROOK_LAUNCHER(").skip(1);
    rest.filter_map(|text| text.split(',').next())
}

/// The first word after `void`.
fn name(text: &str) -> Option<&str> {
    let mut words = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty());
    words.find(|word| *word == "void")?;
    words.next()
}

pub(crate) fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find('/') {
        let (before, comment) = rest.split_at(at);
        out.push_str(before);
        rest = if let Some(line) = comment.strip_prefix("//") {
            line.find('\n').map_or("", |end| &line[end..])
        } else if let Some(block) = comment.strip_prefix("/*") {
            block.find("*/").map_or("", |end| &block[end + 2..])
        } else {
            out.push('/');
            &comment[1..]
        };
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn kernels_are_found_behind_bounds_and_comments() {
        let source = "// __global__ void no(\n/* __global__ void never( */\n\
                      extern \"C\" __global__ __launch_bounds__(4 / 2) void a(int x) {}\n\
                      __global__ void\n  b_1 (float *y);__global__ void b_1(float *y) {}";
        assert_eq!(names(source), ["a", "b_1"]);
        assert!(names("__device__ void f() {}").is_empty());
    }
}
