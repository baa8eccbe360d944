//! Extensions that people share, by name and version.
//!
//! A map that uses one has a copy of its file, called `<name>@<version>.py`: the rules of a table never change, and
//! the map plays in every other program. The hall compares the copy with the shared file, so that an author is
//! credited only for what they wrote.

use catalog::maps::{MOST_EXTENSION_BYTES, Package};
use edge::network::Payer;
use kernel::Problem;
use people::name::clean_lines;
use store::shelf::{Extension, ExtensionRoom, ExtensionUse, NewExtension, Shelf, ShelfChange};
use store::{StoreError, Whose};
use wire::{ExtensionLine, ExtensionList, ExtensionVersion, SharedBy, SharedExtension};

use crate::handed::Handed;
use crate::maps::{Brought, Maps, NoMap};
use crate::refused::NoWork;

/// Extensions of a list.
const LISTED: u32 = 100;
/// Characters that are searched for.
const SEARCH: usize = 60;
/// Characters of a name, of what an extension does, and of a note.
const NAME: (usize, usize) = (2, 40);
const ABOUT: usize = 300;
const NOTE: usize = 500;

/// Returns the name and the version that a file claims to be.
fn claim(file: &str) -> Option<(String, u32)> {
    let (name, version) = file.strip_suffix(".py")?.split_once('@')?;
    let version = version.parse().ok().filter(|&n: &u32| n > 0 && n.to_string() == version)?;
    is_name(name).then(|| (name.to_owned(), version))
}

fn is_name(name: &str) -> bool {
    let fits = (NAME.0..=NAME.1).contains(&name.len()) && name.starts_with(|c: char| c.is_ascii_lowercase());
    fits && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn line(known: Extension, person: &str) -> ExtensionLine {
    ExtensionLine {
        mine: known.owner == person,
        name: known.name,
        author: known.author,
        about: known.about,
        listed: known.listed,
        version: known.newest,
        changed_ms: known.changed_ms,
        maps: known.maps,
    }
}

/// The extensions that people share.
pub struct Extensions {
    maps: Maps,
    handed: Handed,
}

impl Extensions {
    pub(crate) fn new(maps: Maps, handed: Handed) -> Extensions {
        Extensions { maps, handed }
    }

    fn shelf(&self) -> &dyn Shelf {
        &*self.handed.store.shelf
    }

    /// Shares an extension, or its next version. It is loaded first, on a map of the house.
    ///
    /// # Errors
    /// `extension-name`, `extension-text`, what is wrong with the file; `extension-taken`: another person's extension
    /// has this name; `extension-newer`: its author has not seen the newest version; `extensions-full`.
    pub async fn share(&self, mut new: NewExtension, payer: Payer<'_>) -> Result<SharedExtension, NoWork> {
        if !is_name(&new.name) {
            return Err(Problem::new("extension-name").with("least", NAME.0).with("most", NAME.1).into());
        }
        let too_long = |_| Problem::new("extension-text").with("about", ABOUT).with("note", NOTE);
        new.about = clean_lines(&new.about, ABOUT).map_err(too_long)?;
        new.note = clean_lines(&new.note, NOTE).map_err(too_long)?;
        if new.bytes.len() > MOST_EXTENSION_BYTES {
            return Err(Problem::new("extension-size").with("most", MOST_EXTENSION_BYTES >> 10).into());
        }
        self.handed.disk.check()?;
        let map = records::map::write(&catalog::maps::starter())?;
        let source = catalog::maps::Source { file: format!("{}.py", new.name), bytes: new.bytes.clone() };
        let package = Package { map, extensions: vec![source] };
        let brought = Brought { name: new.name.clone(), package, old_names: false, trial: true };
        self.maps.check(&brought, payer).await.map_err(NoMap::Broken)?;
        let (name, owner) = (new.name.clone(), new.owner.clone());
        let limits = &self.handed.limits;
        let room = ExtensionRoom {
            versions_each: limits.most(limits.extensions),
            versions: limits.most(limits.extensions_all),
        };
        let done = self.shelf().shelve(ShelfChange::PublishExtension(Box::new(new), room)).await;
        match done {
            Ok(()) => self.one(&name, &owner).await,
            Err(StoreError::Missing) => Err(Problem::new("extension-taken").with("name", name).into()),
            Err(StoreError::Conflict) => Err(Problem::new("extension-newer").with("name", name).into()),
            Err(StoreError::Full(Whose::Visitor)) => Err(Problem::new("extensions-full")
                .with("of", "person")
                .with("most", room.versions_each)
                .into()),
            Err(StoreError::Full(Whose::All)) => {
                Err(Problem::new("extensions-full").with("of", "all").with("most", room.versions).into())
            }
            Err(why) => Err(why.into()),
        }
    }

    /// Returns an extension that is shared.
    ///
    /// # Errors
    /// See [`NoWork`].
    pub async fn one(&self, name: &str, person: &str) -> Result<SharedExtension, NoWork> {
        let known = self.shelf().extension(name).await?.ok_or(NoWork::Unknown)?;
        let versions = self.shelf().extension_versions(name).await?;
        let version =
            |v: store::shelf::ExtensionVersion| ExtensionVersion { n: v.n, note: v.note, at_ms: v.at_ms };
        Ok(SharedExtension {
            line: line(known, person),
            versions: versions.into_iter().map(version).collect(),
        })
    }

    /// Returns the extensions that are shared, or with `mine` all of that person's.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn list(&self, search: &str, mine: bool, person: &str) -> Result<ExtensionList, NoWork> {
        let search: String = search.trim().chars().take(SEARCH).collect();
        let owner = mine.then_some(person);
        let known = self.shelf().extensions(&search, owner, LISTED).await?;
        Ok(ExtensionList { extensions: known.into_iter().map(|known| line(known, person)).collect() })
    }

    /// Returns the authors of the shared extensions that a map uses, by the names of their files.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn credits(&self, map: &str) -> Result<Vec<(String, SharedBy)>, NoMap> {
        let uses = self.shelf().extension_uses(map).await.map_err(NoMap::Store)?;
        let by = |ExtensionUse { name, n, author }: ExtensionUse| {
            (format!("{name}@{n}.py"), SharedBy { name, version: n, author })
        };
        Ok(uses.into_iter().map(by).collect())
    }
}

/// Returns the names and versions of the shared extensions of which a package has copies.
///
/// # Errors
/// `extension-other`: a file is called like one of the shelf and is not the same, or there is none of that name.
pub(crate) async fn copied(shelf: &dyn Shelf, package: &Package) -> Result<Vec<(String, u32)>, NoMap> {
    let mut uses = Vec::new();
    for source in &package.extensions {
        let Some((name, n)) = claim(&source.file) else { continue };
        let known = shelf.extension_file(&name, n).await.map_err(NoMap::Store)?;
        if known.as_deref() != Some(source.bytes.as_slice()) {
            let problem = Problem::new("extension-other").with("place", &source.file);
            return Err(NoMap::Broken(vec![problem.with("text", &name)]));
        }
        uses.push((name, n));
    }
    Ok(uses)
}

#[cfg(test)]
mod tests {
    use super::claim;

    #[test]
    fn a_file_claims_to_be_a_version() {
        for (file, wanted) in [
            ("gates@2.py", Some(("gates", 2))),
            ("a-1@10.py", Some(("a-1", 10))),
            ("gates.py", None),
            ("gates@0.py", None),
            ("gates@02.py", None),
            ("gates@-1.py", None),
            ("Gates@1.py", None),
            ("g@1.py", None),
            ("gates@1@2.py", None),
            ("gates@1.txt", None),
        ] {
            let told = claim(file);
            assert_eq!(told.as_ref().map(|(name, n)| (name.as_str(), *n)), wanted, "{file}");
        }
    }
}
