//! What one text says otherwise than another, line by line.

/// The lines that only one of two texts has, `-` before the first's and `+` before the second's. Each group of them stands
/// below the line that both have above it, behind `@@`; numbers of lines would change with all that is above. Empty if
/// the texts are the same.
pub fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let behind = old.iter().rev().zip(new.iter().rev());
    let behind = behind.take(rest).take_while(|(a, b)| a == b).count();
    let (a, b) = (
        &old[same..old.len() - behind],
        &new[same..new.len() - behind],
    );
    let common = common(a, b);
    let (mut i, mut j, mut apart) = (0, 0, false);
    let mut above = same.checked_sub(1).map_or("", |last| old[last]);
    let mut out = String::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            above = a[i];
            apart = false;
            (i, j) = (i + 1, j + 1);
            continue;
        }
        if !apart {
            out += &format!("@@ {above}\n");
            apart = true;
        }
        if j == b.len() || (i < a.len() && common[i + 1][j] >= common[i][j + 1]) {
            out += &format!("-{}\n", a[i]);
            i += 1;
        } else {
            out += &format!("+{}\n", b[j]);
            j += 1;
        }
    }
    out
}

/// How many lines the longest sequence has that what begins at a line of each has in common.
fn common(a: &[&str], b: &[&str]) -> Vec<Vec<u32>> {
    let mut lengths = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            lengths[i][j] = match a[i] == b[j] {
                true => lengths[i + 1][j + 1] + 1,
                false => lengths[i + 1][j].max(lengths[i][j + 1]),
            };
        }
    }
    lengths
}
