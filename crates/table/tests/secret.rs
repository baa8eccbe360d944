//! Catches a commitment that others cannot compute, and a secret that is written where it is only shown.

use table::Secret;

#[test]
fn anybody_can_work_out_what_binds_the_hall() {
    // printf 'qiguan chance 1\nk3m9q2w7\n000102030405060708090a0b0c0d0e0f\n' | sha256sum
    let secret = Secret::read("000102030405060708090a0b0c0d0e0f").expect("32 digits");
    let told = "486d48ab64a9f145aa3b6930b2b477318a53f05918307fac26d56cb484fc778c";
    assert_eq!(secret.commitment("k3m9q2w7"), told);
    assert_ne!(secret.commitment("k3m9q2w8"), told, "another table");
    assert_eq!(format!("{secret:?}"), "Secret(…)", "no log has it");
    for bad in
        ["", "0", "+00102030405060708090a0b0c0d0e0f", "g0010203040506070809 a0b0c0d0e0f", &"0".repeat(33)]
    {
        assert_eq!(Secret::read(bad), None, "{bad}");
    }
}
