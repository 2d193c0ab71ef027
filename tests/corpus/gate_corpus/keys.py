"""Generated key material: right containers around random numbers, no working key."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Sequence
from random import Random

from .model import Maker
from .shapes import ALPHABETS, draw, octets, url64

BASE58 = "".join(char for char in ALPHABETS["b62"] if char not in "0OIl")
BECH32 = "qpzry9x8gf2tvdw0" + "s3jn54khce6mua7l"
RSA_OID = bytes.fromhex("06092a864886f70d010101")
P256_OID = bytes.fromhex("06082a8648ce3d030107")
ED25519_OID = bytes.fromhex("06032b6570")

# Words of the English list of BIP 39 with their numbers in it.
SEED_WORDS = {
    "abstract": 7,
    "accuse": 13,
    "actor": 21,
    "again": 37,
    "announce": 74,
    "arch": 88,
    "attract": 118,
    "blood": 191,
    "brush": 233,
    "candy": 266,
    "canyon": 270,
    "cave": 294,
    "crouch": 417,
    "delay": 463,
    "dolphin": 518,
    "either": 568,
    "enhance": 596,
    "faculty": 653,
    "festival": 681,
    "focus": 721,
    "fringe": 744,
    "frog": 745,
    "future": 756,
    "gospel": 806,
    "grape": 814,
    "humble": 887,
    "lawsuit": 1009,
    "legend": 1020,
    "leisure": 1021,
    "lizard": 1046,
    "lobster": 1049,
    "mandate": 1080,
    "monitor": 1144,
    "neglect": 1184,
    "ocean": 1223,
    "olympic": 1234,
    "original": 1253,
    "pact": 1269,
    "prepare": 1359,
    "remove": 1455,
    "rib": 1479,
    "rocket": 1499,
    "salad": 1522,
    "scheme": 1541,
    "shuffle": 1595,
    "solve": 1655,
    "stamp": 1699,
    "stool": 1715,
    "treat": 1854,
    "unveil": 1907,
    "vehicle": 1935,
    "wage": 1969,
}


def pem(label: str, body: str, headers: str = "", width: int = 64) -> str:
    """Gives a PEM block; the dashes are joined here so that no source line has one."""
    rule = "-" * 5
    lines = [body[at : at + width] for at in range(0, len(body), width)]
    head = f"{headers}\n\n" if headers else ""
    text = "\n".join(lines)
    return f"{rule}BEGIN {label}{rule}\n{head}{text}\n{rule}END {label}{rule}"


def der(tag: int, content: bytes) -> bytes:
    """Gives one DER element (X.690)."""
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def integer(rng: Random, bits: int) -> bytes:
    """Gives a DER integer of exactly `bits` bits."""
    number = rng.getrandbits(bits) | 1 << (bits - 1) | 1
    return der(2, number.to_bytes(bits // 8 + 1, "big"))


def rsa(rng: Random, bits: int) -> bytes:
    """Gives an RSAPrivateKey structure (RFC 8017) of random numbers."""
    half = bits // 2
    numbers = [der(2, b"\0"), integer(rng, bits), der(2, b"\x01\0\x01")]
    numbers += [integer(rng, bits)] + [integer(rng, half) for _ in range(5)]
    return der(0x30, b"".join(numbers))


def pkcs8(oid: bytes, key: bytes) -> bytes:
    """Gives a PrivateKeyInfo structure (RFC 5208)."""
    return der(0x30, der(2, b"\0") + der(0x30, oid) + der(4, key))


def sec1(rng: Random) -> bytes:
    """Gives an ECPrivateKey structure (RFC 5915) for P-256."""
    public = der(3, b"\0\4" + rng.randbytes(64))
    parts = der(2, b"\1") + der(4, rng.randbytes(32)) + der(0xA0, P256_OID)
    return der(0x30, parts + der(0xA1, public))


def dsa(rng: Random) -> bytes:
    """Gives the DSA structure that OpenSSL writes, of random numbers."""
    sizes = (1024, 160, 1024, 1024, 160)
    return der(0x30, der(2, b"\0") + b"".join(integer(rng, size) for size in sizes))


def b64(data: bytes) -> str:
    """Gives standard base64."""
    return base64.b64encode(data).decode()


def string(data: bytes) -> bytes:
    """Gives an SSH string: length, then data (RFC 4251)."""
    return struct.pack(">I", len(data)) + data


def openssh(rng: Random) -> bytes:
    """Gives an unencrypted OpenSSH container with an Ed25519 key pair."""
    public = rng.randbytes(32)
    blob = string(b"ssh-ed25519") + string(public)
    check = rng.randbytes(4)
    pair = string(rng.randbytes(32) + public)
    inner = check * 2 + string(b"ssh-ed25519") + string(public) + pair
    inner += string(b"deploy@build")
    inner += bytes(range(1, 1 + -len(inner) % 8))
    head = b"openssh-key-v1\0" + string(b"none") * 2 + string(b"")
    return head + struct.pack(">I", 1) + string(blob) + string(inner)


def private_pem(rng: Random, form: str) -> str:
    """Gives a PEM private key of the named form."""
    word = "PRIVATE KEY"
    if form in ("rsa", "rsa1024"):
        bits = 1024 if form == "rsa1024" else 2048
        return pem(f"RSA {word}", b64(rsa(rng, bits)))
    if form == "pkcs8":
        return pem(word, b64(pkcs8(RSA_OID + b"\5\0", rsa(rng, 1024))))
    if form == "ed25519":
        return pem(word, b64(pkcs8(ED25519_OID, der(4, rng.randbytes(32)))))
    if form == "ec":
        return pem(f"EC {word}", b64(sec1(rng)))
    if form == "dsa":
        return pem(f"DSA {word}", b64(dsa(rng)))
    if form == "openssh":
        return pem(f"OPENSSH {word}", b64(openssh(rng)), width=70)
    if form == "encrypted":
        return pem(f"ENCRYPTED {word}", b64(der(0x30, rng.randbytes(700))))
    if form == "legacy":
        seal = (
            f"Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{rng.getrandbits(128):032X}"
        )
        return pem(f"RSA {word}", octets(rng, 608), seal)
    raise ValueError(form)


def pgp(rng: Random, _: str) -> str:
    """Gives an armoured OpenPGP private key block with its CRC-24 line."""
    data = b"\x95\x01\xd8\x04" + rng.randbytes(560)
    body = b64(data)
    check = b64(crc24(data).to_bytes(3, "big"))
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    rule = "-" * 5
    label = "PGP PRIVATE KEY BLOCK"
    text = "\n".join([*lines, f"={check}"])
    return f"{rule}BEGIN {label}{rule}\n\n{text}\n{rule}END {label}{rule}"


def crc24(data: bytes) -> int:
    """Gives the checksum of OpenPGP armour (RFC 4880, section 6.1)."""
    crc = 0xB704CE
    for octet in data:
        crc ^= octet << 16
        for _ in range(8):
            crc <<= 1
            if crc & 0x1000000:
                crc ^= 0x1864CFB
    return crc & 0xFFFFFF


def putty(rng: Random, _: str) -> str:
    """Gives a PuTTY key file of version 3."""
    public = string(b"ssh-ed25519") + string(rng.randbytes(32))
    mac = draw(rng, ALPHABETS["hex"], 64)
    body = b64(public)
    return "\n".join(
        [
            "PuTTY-User-Key-File-" + "3: ssh-ed25519",
            "Encryption: none",
            "Comment: deploy",
            "Public-Lines: 2",
            body[:64],
            body[64:],
            "Private-" + "Lines: 1",
            octets(rng, 36),
            f"Private-MAC: {mac}",
        ]
    )


def bech32(prefix: str, data: bytes) -> str:
    """Gives the bech32 form of `data` (BIP 173, without its length limit)."""
    number = int.from_bytes(data, "big") << (-len(data) * 8 % 5)
    count = -(-len(data) * 8 // 5)
    values = [number >> 5 * (count - 1 - at) & 31 for at in range(count)]
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    check = polymod([*spread, *values, *[0] * 6]) ^ 1
    values += [check >> 5 * (5 - at) & 31 for at in range(6)]
    return prefix + "1" + "".join(BECH32[value] for value in values)


def polymod(values: Sequence[int]) -> int:
    """Gives the checksum state of BIP 173 after `values`."""
    generator = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for at, constant in enumerate(generator):
            state ^= constant if top >> at & 1 else 0
    return state


def base58check(data: bytes) -> str:
    """Gives base 58 of `data` and the first four bytes of its double SHA-256."""
    once = hashlib.sha256(data).digest()
    full = data + hashlib.sha256(once).digest()[:4]
    number, text = int.from_bytes(full, "big"), ""
    while number:
        number, rest = divmod(number, 58)
        text = BASE58[rest] + text
    return BASE58[0] * (len(full) - len(full.lstrip(b"\0"))) + text


def extended_key(rng: Random, _: str) -> str:
    """Gives a BIP 32 extended private key (`xprv`)."""
    head = bytes.fromhex("0488ade4") + b"\3" + rng.randbytes(8)
    return base58check(head + rng.randbytes(32) + b"\0" + rng.randbytes(32))


def seed_phrase(rng: Random, count: str) -> str:
    """Gives a BIP 39 phrase whose checksum holds; tries phrases until one does."""
    size = int(count)
    while True:
        words = rng.sample(list(SEED_WORDS), size)
        number = 0
        for word in words:
            number = number << 11 | SEED_WORDS[word]
        check = size * 11 // 33
        entropy = (number >> check).to_bytes(size * 4 // 3, "big")
        digest = hashlib.sha256(entropy).digest()[0] >> (8 - check)
        if digest == number & (1 << check) - 1:
            return " ".join(words)


def jwk(rng: Random, form: str) -> str:
    """Gives a private JSON Web Key (RFC 7517) of the named form."""
    key = {"kty": "EC", "crv": "P-256", "kid": "signing-1"}
    names = {"x": 32, "y": 32, "d": 32}
    if form == "rsa":
        key = {"kty": "RSA", "kid": "signing-1", "e": "AQAB"}
        names = {"n": 128, "d": 128, "p": 64, "q": 64}
    if form == "oct":
        key, names = {"kty": "oct", "alg": "HS256"}, {"k": 32}
    return json.dumps(
        key | {n: url64(rng.randbytes(size)) for n, size in names.items()}
    )


def service_account(rng: Random, _: str) -> str:
    """Gives a cloud service account file, its key with escaped line ends."""
    body = private_pem(rng, "pkcs8") + "\n"
    account = {
        "type": "service_account",
        "project_id": "acme-orders",
        "private_key_id": draw(rng, ALPHABETS["hex"], 40),
        "private_key": body,
        "client_email": "uploader@acme-orders.iam.gserviceaccount.com",
        "client_id": draw(rng, ALPHABETS["nz"], 21),
    }
    return json.dumps(account, indent=2)


def openvpn(rng: Random, _: str) -> str:
    """Gives a static key of OpenVPN: sixteen lines of hex."""
    rule, label = "-" * 5, "OpenVPN Static key V1"
    lines = [draw(rng, ALPHABETS["hex"], 32) for _ in range(16)]
    text = "\n".join(lines)
    return f"{rule}BEGIN {label}{rule}\n{text}\n{rule}END {label}{rule}"


def ssh_public(rng: Random, _: str) -> str:
    """Gives an OpenSSH public key line without comment."""
    return "ssh-ed25519 " + b64(string(b"ssh-ed25519") + string(rng.randbytes(32)))


def fingerprint(rng: Random, form: str) -> str:
    """Gives a fingerprint: `ssh` (SHA256:...), `tls` (colons) or `pgp` (groups)."""
    if form == "ssh":
        return "SHA256:" + b64(rng.randbytes(32)).rstrip("=")
    if form == "md5":
        return "MD5:" + rng.randbytes(16).hex(":")
    if form == "tls":
        return rng.randbytes(32).hex(":").upper()
    groups = [draw(rng, ALPHABETS["HEX"], 4) for _ in range(10)]
    return " ".join(groups)


def escaped_pem(rng: Random, form: str) -> str:
    """Gives a private key on one line, line ends written as backslash n."""
    return private_pem(rng, form).replace("\n", "\\n")


def kubeconfig_key(rng: Random, _: str) -> str:
    """Gives the base64 of a PEM key, as kubeconfig files hold it."""
    return b64(private_pem(rng, "ec").encode())


def pem_line(_: Random, label: str) -> str:
    """Gives one BEGIN line, for prose that mentions it."""
    rule = "-" * 5
    return f"{rule}BEGIN {label}{rule}"


def public_pem(rng: Random, _: str) -> str:
    """Gives a public key in PEM."""
    point = der(3, b"\0\4" + rng.randbytes(64))
    oid = bytes.fromhex("06072a8648ce3d0201") + P256_OID
    return pem("PUBLIC KEY", b64(der(0x30, der(0x30, oid) + point)))


MAKERS: dict[str, Maker] = {
    "pem": private_pem,
    "pem_escaped": escaped_pem,
    "pem_line": pem_line,
    "public_pem": public_pem,
    "pgp": pgp,
    "putty": putty,
    "age": lambda rng, _: bech32("age-secret-key-", rng.randbytes(32)).upper(),
    "age_public": lambda rng, _: bech32("age", rng.randbytes(32)),
    "nostr": lambda rng, _: bech32("nsec", rng.randbytes(32)),
    "wif": lambda rng, _: base58check(b"\x80" + rng.randbytes(32) + b"\1"),
    "xprv": extended_key,
    "seed": seed_phrase,
    "jwk": jwk,
    "service_account": service_account,
    "openvpn": openvpn,
    "kubeconfig_key": kubeconfig_key,
    "ssh_public": ssh_public,
    "fingerprint": fingerprint,
}
