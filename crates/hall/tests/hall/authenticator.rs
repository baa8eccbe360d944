//! An authenticator in software: one passkey, made and used as a browser would. Web Authentication Level 3, sections 6.1
//! (authenticator data), 6.5 (attestation) and 5.8.1 (client data).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::SecretKey;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::sec1::ToSec1Point as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The flags of authenticator data: the user was present, and verified.
const VERIFIED: u8 = 0x05;
/// The flag of authenticator data that a new key follows.
const NEW_KEY: u8 = 0x40;

/// One passkey, at browsers that stand at one origin.
pub struct Authenticator {
    origin: String,
    key: SigningKey,
    /// The point of the public key: 0x04, x and y.
    point: Vec<u8>,
    id: Vec<u8>,
    /// The id of the person, as the hall told it when the passkey was made.
    pub handle: Value,
    count: u32,
}

impl Authenticator {
    /// A passkey that follows from those bytes, for pages at that origin.
    pub fn new(origin: &str, seed: [u8; 32]) -> Authenticator {
        let secret = SecretKey::from_slice(&seed).expect("a key");
        Authenticator {
            origin: origin.to_owned(),
            point: secret.public_key().to_sec1_point(false).as_bytes().to_vec(),
            key: SigningKey::from(secret),
            id: Sha256::digest(seed).to_vec(),
            handle: Value::Null,
            count: 0,
        }
    }

    fn client_data(&self, kind: &str, question: &Value) -> Vec<u8> {
        let challenge = &question["publicKey"]["challenge"];
        json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false })
            .to_string()
            .into_bytes()
    }

    fn data(&mut self, relying_party: &Value, flags: u8) -> Vec<u8> {
        self.count += 1;
        let mut data = Sha256::digest(relying_party.as_str().expect("a name")).to_vec();
        data.push(flags);
        data.extend(self.count.to_be_bytes());
        data
    }

    fn answer(&self, response: &Value) -> Value {
        let id = URL_SAFE_NO_PAD.encode(&self.id);
        json!({
            "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {}
        })
    }

    /// Answers `navigator.credentials.create`.
    pub fn make(&mut self, question: &Value) -> Value {
        self.handle = question["publicKey"]["user"]["id"].clone();
        let client_data = self.client_data("webauthn.create", question);
        let mut data = self.data(&question["publicKey"]["rp"]["id"], VERIFIED | NEW_KEY);
        // The model of the authenticator, which is none; then the id of the key.
        data.extend([0; 16]);
        data.extend([0, u8::try_from(self.id.len()).expect("32")]);
        data.extend(&self.id);
        // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&self.point[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&self.point[33..]);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}.
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).expect("fewer than 256 bytes"));
        object.extend(&data);
        self.answer(&json!({
            "attestationObject": URL_SAFE_NO_PAD.encode(object),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
        }))
    }

    /// Answers `navigator.credentials.get`.
    pub fn sign(&mut self, question: &Value) -> Value {
        let client_data = self.client_data("webauthn.get", question);
        let data = self.data(&question["publicKey"]["rpId"], VERIFIED);
        let mut signed = data.clone();
        signed.extend(Sha256::digest(&client_data));
        let signature: Signature = self.key.sign(&signed);
        self.answer(&json!({
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "signature": URL_SAFE_NO_PAD.encode(signature.to_der()),
            "userHandle": self.handle,
        }))
    }
}
