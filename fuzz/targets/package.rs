//! Packages are read or refused, whatever their bytes; what was read is written and read the same again.
//!
//! A text is tried as a file, and once more as what stands behind a head that is right: the index up to a zero byte, and
//! what the index is about behind it.

#![no_main]

use brook::Package;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    look(bytes.to_vec());
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    look(sealed(&bytes[..end], bytes.get(end + 1..).unwrap_or_default()));
});

fn look(file: Vec<u8>) {
    let Ok(package) = Package::from_bytes(file) else {
        return;
    };
    for program in package.programs() {
        for image in program.images() {
            let _ = (image.metadata(), image.bytes().len(), image.details().len());
        }
    }
    let written = package.to_bytes().expect("what was read is written");
    let again = Package::from_bytes(written.clone()).expect("what was written is read");
    assert_eq!(again.to_bytes().expect("and written again"), written);
    let mut twice = again;
    if let Ok(()) = twice.add(package) {
        twice.to_bytes().expect("what was put together is written");
    }
}

/// A file with the head that belongs to an index and the bytes behind it.
fn sealed(index: &[u8], bytes: &[u8]) -> Vec<u8> {
    let length = 64 + index.len() + bytes.len();
    let mut file = b"\x89BRK\r\n\x1a\n\x01\0\0\0\0\0\0\0".to_vec();
    file.extend((length as u64).to_le_bytes());
    file.extend((index.len() as u64).to_le_bytes());
    file.extend([0; 32]);
    file.extend(index);
    file.extend(bytes);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&file[..32]).update(&file[64..]);
    file[32..64].copy_from_slice(hasher.finalize().as_bytes());
    file
}
