//! Permissions of a program's token.

use std::fmt;

use kernel::Problem;

/// One kind of permission.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Permission to see what its owner sees.
    Read,
    /// Permission to take seats, to move, to bring maps and records.
    Play,
    /// Permission to open tables and challenge people.
    Challenge,
    /// Permission to use the hall's engine: hints, analyses, reports.
    Study,
    /// Permission to act as staff of the hall, where its owner is staff.
    Admin,
    /// Permission to convert its owner's account to a program's, for good. Nothing else that a token allows changes
    /// the account.
    Program,
}

impl Scope {
    /// All scopes, in the order in which they are written.
    pub const ALL: [Scope; 6] =
        [Scope::Read, Scope::Play, Scope::Challenge, Scope::Study, Scope::Admin, Scope::Program];

    /// Returns its name, in requests and in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Challenge => "challenge",
            Scope::Study => "study",
            Scope::Admin => "admin",
            Scope::Program => "program",
        }
    }
}

/// The scopes of a token; at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scopes(u8);

impl Scopes {
    /// Parses names of scopes; each may be named more than once.
    ///
    /// # Errors
    /// `scope-unknown`, with the `scope` and those that are `known`; `scope-none`.
    pub fn read<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Scopes, Problem> {
        let mut set = 0;
        for name in names {
            let scope = Scope::ALL.into_iter().find(|scope| scope.name() == name).ok_or_else(|| {
                let known = Scope::ALL.map(Scope::name).join(", ");
                let shown: String = name.chars().take(40).collect();
                Problem::new("scope-unknown").with("scope", shown).with("known", known)
            })?;
            set |= 1 << scope as u8;
        }
        if set == 0 { Err(Problem::new("scope-none")) } else { Ok(Scopes(set)) }
    }

    /// Returns true if the scope is among them.
    #[must_use]
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & 1 << scope as u8 != 0
    }

    /// Returns the scopes in order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

/// Writes the names with commas between them, as the store keeps them.
impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Scope::name).collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_and_written() {
        for (names, wanted) in [
            (&["read"][..], Ok("read")),
            (&["play", "read", "play"], Ok("read,play")),
            (&["admin", "study", "challenge", "play", "read"], Ok("read,play,challenge,study,admin")),
            (&[], Err("scope-none")),
            (&["read", "Play"], Err("scope-unknown")),
            (&[""], Err("scope-unknown")),
        ] {
            let read = Scopes::read(names.iter().copied());
            let text = read.as_ref().map(ToString::to_string).map_err(|why| why.key);
            assert_eq!(text.as_deref(), wanted.as_ref().copied(), "{names:?}");
            if let Ok(scopes) = read {
                assert_eq!(Scopes::read(scopes.to_string().split(',')), Ok(scopes));
            }
        }
    }
}
