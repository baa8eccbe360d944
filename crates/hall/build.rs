//! Embeds the page and the description for programs.

use std::io::Write;
use std::path::Path;

fn main() -> std::io::Result<()> {
    // Asked when it runs: a build folder that was copied to another working tree still holds the program of the first.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    let here = Path::new(&here);
    // A new build of the page rebuilds this crate, too. An empty folder stands for an unbuilt page.
    let dist = here.join("../../web/dist");
    if std::fs::create_dir_all(&dist).is_ok() {
        println!("cargo:rerun-if-changed={}", dist.display());
    }
    // A sixth of its size.
    let description = here.join("openapi.json");
    println!("cargo:rerun-if-changed={}", description.display());
    let out = std::env::var_os("OUT_DIR").expect("Cargo sets it");
    let packed = std::fs::File::create(Path::new(&out).join("openapi.json.gz"))?;
    let mut packer = flate2::write::GzEncoder::new(packed, flate2::Compression::best());
    packer.write_all(&std::fs::read(description)?)?;
    packer.finish()?;
    Ok(())
}
