//! The data folder of a hall.

use std::path::PathBuf;

use kernel::Problem;

/// The data folder of a hall, which only one process may use.
pub struct Folder {
    /// The path of the folder.
    pub path: PathBuf,
    _locks: Vec<std::fs::File>,
}

impl Folder {
    /// Locks the folder, making it if it does not exist.
    ///
    /// The lock is on the folder itself, so that it cannot be removed by deleting a file; `hall.lock` is locked
    /// besides for halls of earlier versions.
    ///
    /// # Errors
    /// An error when it cannot be made, or another hall uses it.
    pub fn take(path: PathBuf) -> Result<Folder, Problem> {
        let shown = path.display().to_string();
        let unusable = |why: std::io::Error| {
            Problem::new("hall-folder-unusable").with("folder", &shown).with("why", why)
        };
        let taken = |_| Problem::new("hall-folder-in-use").with("folder", &shown);
        let mut making = std::fs::DirBuilder::new();
        making.recursive(true);
        // What people wrote to each other is not for others on this machine. A folder that is there keeps its rights.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
        making.create(&path).map_err(unusable)?;
        let folder = std::fs::File::open(&path).map_err(unusable)?;
        folder.try_lock().map_err(taken)?;
        let mut locks = vec![folder];
        // On a disk that is full there may be no room for it.
        if let Ok(file) = std::fs::File::options().create(true).append(true).open(path.join("hall.lock")) {
            file.try_lock().map_err(taken)?;
            locks.push(file);
        }
        Ok(Folder { path, _locks: locks })
    }

    /// Checks that no hall uses the folder now, if it exists.
    ///
    /// # Errors
    /// An error when another hall uses it, or it cannot be read.
    pub fn check_free(path: &std::path::Path) -> Result<(), Problem> {
        let shown = path.display();
        let folder = match std::fs::File::open(path) {
            Ok(folder) => folder,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(why) => {
                return Err(Problem::new("hall-folder-unusable").with("folder", shown).with("why", why));
            }
        };
        folder.try_lock().map_err(|_| Problem::new("hall-folder-in-use").with("folder", shown))
    }
}
