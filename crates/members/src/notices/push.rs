//! Messages to push services: encrypted, so that only the browser can read them (RFC 8291, in the encoding of RFC
//! 8188), and signed by the hall (VAPID, RFC 8292).

use aes_gcm::aead::Aead;
use aes_gcm::{Aes128Gcm, KeyInit};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use kernel::Problem;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use serde_json::json;
use sha2::Sha256;

/// The number of bytes of an uncompressed point of P-256.
const POINT: usize = 65;
/// The number of bytes of a browser's secret.
const SECRET: usize = 16;
/// The size of a record, which every push service must accept (RFC 8030, 7.2).
const RECORD: u32 = 4096;
/// The most bytes of a message: a record less its header, its tag and its delimiter.
pub const MOST_MESSAGE: usize = 4096 - (16 + 4 + 1 + POINT) - 16 - 1;
/// The time for which a signature is valid, in seconds; 24 hours are the most.
const VALID_S: u64 = 12 * 3600;

/// The keys of a browser's subscription.
#[derive(Clone, Debug)]
pub struct BrowserKeys {
    /// The public key of the browser, uncompressed.
    pub point: Vec<u8>,
    /// The secret that the browser shares with the hall.
    pub secret: Vec<u8>,
}

impl BrowserKeys {
    /// Decodes the keys `p256dh` and `auth` of a browser's subscription, in Base64 without padding.
    ///
    /// # Errors
    /// `push-keys`.
    pub fn read(p256dh: &str, auth: &str) -> Result<BrowserKeys, Problem> {
        let wrong = || Problem::new("push-keys");
        // Some write padding all the same.
        let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(|_| wrong());
        if p256dh.len() > 2 * POINT || auth.len() > 4 * SECRET {
            return Err(wrong());
        }
        let (point, secret) = (bytes(p256dh)?, bytes(auth)?);
        if point.len() != POINT || secret.len() != SECRET {
            return Err(wrong());
        }
        PublicKey::from_sec1_bytes(&point).map_err(|_| wrong())?;
        Ok(BrowserKeys { point, secret })
    }
}

/// Generates a new secret key; one in 2³² random values at most is not a number below the order of the curve.
#[must_use]
pub fn new_key() -> SecretKey {
    loop {
        if let Ok(key) = SecretKey::from_slice(&rand::random::<[u8; 32]>()) {
            return key;
        }
    }
}

fn point_of(key: &SecretKey) -> Vec<u8> {
    key.public_key().to_sec1_point(false).as_bytes().to_vec()
}

/// Encrypts a message for a browser; `None` when it is longer than [`MOST_MESSAGE`], or the keys are invalid.
#[must_use]
pub(crate) fn encrypt(message: &[u8], keys: &BrowserKeys) -> Option<Vec<u8>> {
    encrypt_with(message, keys, &new_key(), rand::random())
}

/// Encrypts a message with a key and a salt that must be used for one message only.
fn encrypt_with(message: &[u8], keys: &BrowserKeys, key: &SecretKey, salt: [u8; 16]) -> Option<Vec<u8>> {
    if message.len() > MOST_MESSAGE {
        return None;
    }
    let theirs = PublicKey::from_sec1_bytes(&keys.point).ok()?;
    let shared = p256::ecdh::diffie_hellman(key.to_nonzero_scalar(), theirs.as_affine());
    let ours = point_of(key);
    let mut material = [0; 32];
    let info = [b"WebPush: info\0", &keys.point[..], &ours[..]].concat();
    Hkdf::<Sha256>::new(Some(&keys.secret), shared.raw_secret_bytes()).expand(&info, &mut material).ok()?;
    let derive = Hkdf::<Sha256>::new(Some(&salt), &material);
    let (mut content_key, mut nonce) = ([0; 16], [0; 12]);
    derive.expand(b"Content-Encoding: aes128gcm\0", &mut content_key).ok()?;
    derive.expand(b"Content-Encoding: nonce\0", &mut nonce).ok()?;
    // 2: the last record.
    let record = [message, &[2]].concat();
    let sealed = Aes128Gcm::new(&content_key.into()).encrypt(&nonce.into(), &record[..]).ok()?;
    let length = u8::try_from(ours.len()).ok()?;
    Some([&salt[..], &RECORD.to_be_bytes(), &[length], &ours, &sealed].concat())
}

/// The VAPID key, by which push services know the hall.
pub struct Vapid {
    key: SigningKey,
    public: String,
}

impl Vapid {
    /// Makes the key from its 32 bytes; `None` when they are not a valid key.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Vapid> {
        let secret = SecretKey::from_slice(bytes).ok()?;
        Some(Vapid { public: URL_SAFE_NO_PAD.encode(point_of(&secret)), key: SigningKey::from(secret) })
    }

    /// Returns the public key in the form that a browser wants: a point, uncompressed, in Base64 without padding.
    #[must_use]
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Returns the field `Authorization` of a request to the push service of that origin. `contact`: a URL at which
    /// the operator of the service reaches the operator of the hall.
    #[must_use]
    pub fn authorization(&self, origin: &str, contact: Option<&str>, now_ms: u64) -> String {
        let mut claims = json!({ "aud": origin, "exp": now_ms / 1000 + VALID_S });
        if let Some(contact) = contact {
            claims["sub"] = contact.into();
        }
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(json!({ "typ": "JWT", "alg": "ES256" })), part(claims));
        let signature: Signature = self.key.sign(signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).expect("Base64")
    }

    const POINT: &str =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

    /// The example of RFC 8291, appendix A, is encrypted as there.
    #[test]
    fn the_example_of_the_standard() {
        let keys = BrowserKeys::read(POINT, "BTBZMqHH6r4Tts7J_aSIgg").expect("keys");
        let key =
            SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).expect("a key");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().expect("16 bytes");
        let sealed = encrypt_with(b"When I grow up, I want to be a watermelon", &keys, &key, salt);
        let wanted = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz\
            AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(sealed.map(|sealed| URL_SAFE_NO_PAD.encode(sealed)).as_deref(), Some(wanted));
    }

    #[test]
    fn keys_are_checked() {
        let off_curve = URL_SAFE_NO_PAD.encode([4; 65]);
        let long = "A".repeat(100_000);
        for (name, p256dh, auth) in [
            ("no keys", "", ""),
            ("no Base64", "!", "BTBZMqHH6r4Tts7J_aSIgg"),
            ("no point", off_curve.as_str(), "BTBZMqHH6r4Tts7J_aSIgg"),
            ("a short secret", POINT, "BTBZMqHH6r4Tts7J"),
            ("a long text", &long, &long),
        ] {
            assert_eq!(BrowserKeys::read(p256dh, auth).expect_err(name).key, "push-keys", "{name}");
        }
        let keys = BrowserKeys::read(POINT, "BTBZMqHH6r4Tts7J_aSIgg==").expect("padding does not matter");
        assert_eq!(encrypt(&[0; MOST_MESSAGE], &keys).expect("fits").len(), 4096);
        assert_eq!(encrypt(&[0; MOST_MESSAGE + 1], &keys), None);
    }
}
