//! The fields by which a request says who sent it. Lines are fields; the first byte says which of them are cookies and whether it is https.

#![no_main]

use people::cookie::{Credentials, Jar, set};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let fields: Vec<&[u8]> = rest.split(|byte| *byte == b'\n').collect();
    let (cookies, authorization) = fields.split_at(usize::from(first >> 1).min(fields.len()));
    let jar = Jar { secure: first & 1 == 1, path: "" };
    let read = |authorization: &[&[u8]], cookies: &[&[u8]]| {
        Credentials::read(authorization.iter().copied(), cookies.iter().copied(), jar)
    };
    let Ok(found) = read(authorization, cookies) else { return };
    let Some(secret) = found.secret() else { return };
    // A cookie never holds the secret of a token.
    if secret.is_token() {
        assert!(matches!(found, Credentials::Bearer(_)));
        return;
    }
    let field = set(secret, jar);
    let pair = field.split(';').next().unwrap_or_default();
    assert_eq!(read(&[], &[pair.as_bytes()]), Ok(Credentials::Cookie(secret.clone())));
});
