//! The page is embedded: when it is built anew, so is this crate. An empty folder stands for an unbuilt page.

fn main() {
    let dist = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    if std::fs::create_dir_all(&dist).is_ok() {
        println!("cargo:rerun-if-changed={}", dist.display());
    }
}
