//! Catches a heap that keeps the memory freed between blocks in use.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

/// Returns the resident memory of this process, in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let pages: usize = pages.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number");
    pages * 4096
}

#[test]
fn free_pages_below_blocks_that_live_go_back() {
    let mut blocks: Vec<Option<Box<[u8]>>> =
        (0..16_384).map(|_| Some(vec![1; 4096].into_boxed_slice())).collect();
    for (at, block) in blocks.iter_mut().enumerate() {
        if at % 64 != 63 {
            *block = None;
        }
    }
    let before = resident();
    assert!(heap::trim(), "there were free pages");
    let after = resident();
    assert!(before - after > 32 << 20, "of 64 MiB, of which one lives: {before} before, {after} after");
    assert!(blocks.iter().flatten().all(|block| block.iter().all(|&byte| byte == 1)), "what lives stays");
}
