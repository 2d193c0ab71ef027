"""Generated payment card and identity numbers whose check digits hold.

Every number is drawn at random from its scheme; none was looked up.
"""

from __future__ import annotations

from random import Random

from .model import Maker
from .shapes import ALPHABETS, draw

DIGITS = ALPHABETS["d"]


def luhn(body: str) -> str:
    """Gives `body` with its Luhn digit (ISO/IEC 7812-1)."""
    total = 0
    for at, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if at % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def weighted(body: str, weights: tuple[int, ...]) -> int:
    """Gives the sum of digits times weights."""
    return sum(int(digit) * weight for digit, weight in zip(body, weights, strict=True))


def grouped(number: str, sizes: tuple[int, ...], mark: str = " ") -> str:
    """Gives `number` cut in groups of `sizes`."""
    parts, at = [], 0
    for size in sizes:
        parts.append(number[at : at + size])
        at += size
    return mark.join(parts)


def card(rng: Random, brand: str) -> str:
    """Gives a card number of a brand, in the groups people write it in."""
    prefix, length, sizes = {
        "visa": ("4" + rng.choice("3567"), 16, (4, 4, 4, 4)),
        "mastercard": ("5" + rng.choice("2345"), 16, (4, 4, 4, 4)),
        "mastercard2": ("2" + rng.choice("3456"), 16, (16,)),
        "amex": ("37", 15, (4, 6, 5)),
        "discover": ("6011", 16, (4, 4, 4, 4)),
        "jcb": ("3566", 16, (4, 4, 4, 4)),
        "diners": ("36", 14, (4, 6, 4)),
        "unionpay": ("6225", 16, (4, 4, 4, 4)),
        "mir": ("2202", 16, (4, 4, 4, 4)),
    }[brand]
    body = prefix + draw(rng, DIGITS, length - len(prefix) - 1)
    return grouped(luhn(body), sizes)


def birth(rng: Random) -> tuple[int, int, int]:
    """Gives a year of the last century, a month, a day."""
    return rng.randrange(1940, 1999), rng.randrange(1, 13), rng.randrange(1, 29)


def compact(rng: Random) -> str:
    """Gives a birth date as YYMMDD."""
    year, month, day = birth(rng)
    return f"{year % 100:02}{month:02}{day:02}"


def ssn(rng: Random, _: str) -> str:
    """Gives a number in the range the United States issued before 2011."""
    area = rng.choice([n for n in range(1, 665) if n != 78])
    return f"{area:03}-{rng.randrange(1, 100):02}-{rng.randrange(1, 10000):04}"


def dni(rng: Random, _: str) -> str:
    """Gives a Spanish DNI: the letter is the number modulo 23."""
    number = rng.randrange(10_000_000, 99_999_999)
    letters = "TRWAGMYFPDXB" + "NJZSQVHLCKE"
    return f"{number}{letters[number % 23]}"


def codice_fiscale(rng: Random, _: str) -> str:
    """Gives an Italian tax code with its check letter (DM 23/12/1976)."""
    year, month, day = birth(rng)
    body = draw(rng, "BCDFGLMNPRSTV", 6) + f"{year % 100:02}"
    body += "ABCDEHLMPRST"[month - 1] + f"{day:02}H501"
    first = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20)
    odd = (*first, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    total = 0
    for at, char in enumerate(body):
        value = int(char) if char.isdigit() else ord(char) - ord("A")
        total += odd[value] if at % 2 == 0 else value
    return body + chr(ord("A") + total % 26)


def nir(rng: Random, _: str) -> str:
    """Gives a French social security number: key is 97 minus the rest by 97."""
    year, month, _day = birth(rng)
    body = f"{rng.choice('12')}{year % 100:02}{month:02}"
    body += f"{rng.choice((13, 31, 33, 44, 59, 69, 75))}{draw(rng, DIGITS, 6)}"
    key = f"{97 - int(body) % 97:02}"
    return grouped(body + key, (1, 2, 2, 2, 3, 3, 2))


def steuer_id(rng: Random, _: str) -> str:
    """Gives a German tax number: one digit twice, ISO/IEC 7064 modulo 11, 10."""
    digits = rng.sample(DIGITS, 9)
    first = rng.choice([at for at, digit in enumerate(digits) if digit != "0"])
    digits[0], digits[first] = digits[first], digits[0]
    digits.insert(rng.randrange(3, 10), digits[0])
    product = 10
    for digit in digits:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    check = (11 - product) % 10
    return grouped("".join(digits) + str(check), (2, 3, 3, 3))


def pesel(rng: Random, _: str) -> str:
    """Gives a Polish PESEL (weights 1, 3, 7, 9)."""
    body = compact(rng) + draw(rng, DIGITS, 4)
    return body + str(-weighted(body, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def cpf(rng: Random, _: str) -> str:
    """Gives a Brazilian CPF with both check digits."""
    body = draw(rng, DIGITS, 9)
    for size in (10, 11):
        rest = weighted(body, tuple(range(size, 1, -1))) * 10 % 11 % 10
        body += str(rest)
    return f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"


def bsn(rng: Random, _: str) -> str:
    """Gives a Dutch BSN: the weighted sum is a multiple of eleven."""
    while True:
        number = "1" + draw(rng, DIGITS, 8)
        if weighted(number, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0:
            return number


def tckn(rng: Random, _: str) -> str:
    """Gives a Turkish identity number with both check digits."""
    body = draw(rng, ALPHABETS["nz"], 1) + draw(rng, DIGITS, 8)
    odd = sum(map(int, body[0::2]))
    even = sum(map(int, body[1::2]))
    body += str((odd * 7 - even) % 10)
    return body + str(sum(map(int, body)) % 10)


def aadhaar(rng: Random, _: str) -> str:
    """Gives an Aadhaar number; the last digit is Verhoeff's."""
    body = draw(rng, "23456789", 1) + draw(rng, DIGITS, 10)
    good = next(d for d in DIGITS if verhoeff(body + d) == 0)
    return grouped(body + good, (4, 4, 4))


def verhoeff(number: str) -> int:
    """Gives the Verhoeff checksum, nought for a valid number."""
    permutation = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
    state = 0
    for at, digit in enumerate(reversed(number)):
        value = int(digit)
        for _ in range(at % 8):
            value = permutation[value]
        state = dihedral(state, value)
    return state


def dihedral(left: int, right: int) -> int:
    """Gives the product in the dihedral group of order ten."""
    if left < 5:
        return (left + right) % 5 + (0 if right < 5 else 5)
    return (left - right) % 5 + (5 if right < 5 else 0)


def resident_id(rng: Random, _: str) -> str:
    """Gives a Chinese resident identity number (GB 11643, modulo 11, 2)."""
    year, month, day = birth(rng)
    region = rng.choice(("110101", "310104"))
    body = f"{region}{year}{month:02}{day:02}{draw(rng, DIGITS, 3)}"
    weights = tuple(pow(2, 17 - at, 11) for at in range(17))
    return body + "10X98765432"[weighted(body, weights) % 11]


def hetu(rng: Random, _: str) -> str:
    """Gives a Finnish identity code (31 control characters)."""
    year, month, day = birth(rng)
    date, serial = f"{day:02}{month:02}{year % 100:02}", f"{rng.randrange(2, 899):03}"
    letters = "".join(sorted(set(ALPHABETS["ALNUM"]) - set("GIOQZ")))
    control = letters[int(date + serial) % 31]
    return f"{date}-{serial}{control}"


def personnummer(rng: Random, _: str) -> str:
    """Gives a Swedish personal number with its Luhn digit."""
    full = luhn(compact(rng) + draw(rng, DIGITS, 3))
    return f"{full[:6]}-{full[6:]}"


def rijksregister(rng: Random, _: str) -> str:
    """Gives a Belgian national number (97 minus the rest by 97)."""
    body = compact(rng) + f"{rng.randrange(1, 998):03}"
    full = f"{body}{97 - int(body) % 97:02}"
    return f"{full[:2]}.{full[2:4]}.{full[4:6]}-{full[6:9]}.{full[9:]}"


def nhs(rng: Random, _: str) -> str:
    """Gives an NHS number of England (modulo 11)."""
    while True:
        body = draw(rng, "4679", 1) + draw(rng, DIGITS, 8)
        check = 11 - weighted(body, tuple(range(10, 1, -1))) % 11
        if check != 10:
            return grouped(body + str(check % 11), (3, 3, 4))


def sin(rng: Random, _: str) -> str:
    """Gives a Canadian social insurance number with its Luhn digit."""
    body = draw(rng, "1234567", 1) + draw(rng, DIGITS, 7)
    return grouped(luhn(body), (3, 3, 3))


def iban(rng: Random, country: str) -> str:
    """Gives an IBAN (ISO 13616, modulo 97)."""
    account = {
        "DE": draw(rng, DIGITS, 18),
        "NL": "ABNA" + draw(rng, DIGITS, 10),
        "FR": french_account(rng),
    }[country]
    moved = "".join(str(int(char, 36)) for char in f"{account}{country}00")
    full = f"{country}{98 - int(moved) % 97:02}{account}"
    return " ".join(full[at : at + 4] for at in range(0, len(full), 4))


def french_account(rng: Random) -> str:
    """Gives bank, branch, account and the two digit key of a French account."""
    bank, branch, account = (draw(rng, DIGITS, size) for size in (5, 5, 11))
    key = 97 - (89 * int(bank) + 15 * int(branch) + 3 * int(account)) % 97
    return f"{bank}{branch}{account}{key:02}"


def national_code(rng: Random, _: str) -> str:
    """Gives an Iranian national code (modulo 11)."""
    body = "00" + draw(rng, ALPHABETS["nz"], 7)
    rest = weighted(body, tuple(range(10, 1, -1))) % 11
    return body + str(rest if rest < 2 else 11 - rest)


def rrn(rng: Random, _: str) -> str:
    """Gives a Korean resident number with its check digit."""
    body = compact(rng) + draw(rng, "12", 1)
    body += f"{rng.randrange(90):02}{draw(rng, DIGITS, 3)}"
    weights = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
    return f"{body[:6]}-{body[6:]}{(11 - weighted(body, weights) % 11) % 10}"


def south_africa(rng: Random, _: str) -> str:
    """Gives a South African identity number with its Luhn digit."""
    return luhn(compact(rng) + draw(rng, DIGITS, 4) + "08")


def teudat_zehut(rng: Random, _: str) -> str:
    """Gives an Israeli identity number with its Luhn digit."""
    return luhn("3" + draw(rng, DIGITS, 7))


def rut(rng: Random, _: str) -> str:
    """Gives a Chilean RUT (modulo 11, K for ten)."""
    body = f"{rng.randrange(7_000_000, 24_999_999):08}"
    total = weighted(body, (3, 2, 7, 6, 5, 4, 3, 2))
    check = "0123456789K"[-total % 11]
    return f"{body[:2]}.{body[2:5]}.{body[5:]}-{check}"


def tfn(rng: Random, _: str) -> str:
    """Gives an Australian tax file number (modulo 11)."""
    while True:
        number = draw(rng, ALPHABETS["nz"], 1) + draw(rng, DIGITS, 8)
        if weighted(number, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0:
            return grouped(number, (3, 3, 3))


def passport(rng: Random, _: str) -> str:
    """Gives the two machine readable lines of an invented passport (ICAO 9303)."""
    number = draw(rng, "CFGHJKLMNPRTVWXYZ", 2) + draw(rng, DIGITS, 7)
    born, until = compact(rng), f"31{rng.randrange(1, 13):02}15"
    parts = [number + mrz(number), "UTO", born + mrz(born), "F", until + mrz(until)]
    optional = "<" * 14
    checked = parts[0] + parts[2] + parts[4] + optional + "0"
    second = "".join(parts) + optional + "0" + mrz(checked)
    first = "P<UTO" + "TOVSEN<<MARELDA<IVA"
    return first.ljust(44, "<") + "\n" + second


def mrz(text: str) -> str:
    """Gives the check digit of a machine readable field (weights 7, 3, 1)."""
    values = (0 if char == "<" else int(char, 36) for char in text)
    return str(sum(v * (7, 3, 1)[at % 3] for at, v in enumerate(values)) % 10)


MAKERS: dict[str, Maker] = {
    "card": card,
    "ssn": ssn,
    "dni": dni,
    "codice_fiscale": codice_fiscale,
    "nir": nir,
    "steuer_id": steuer_id,
    "pesel": pesel,
    "cpf": cpf,
    "bsn": bsn,
    "tckn": tckn,
    "aadhaar": aadhaar,
    "resident_id": resident_id,
    "hetu": hetu,
    "personnummer": personnummer,
    "rijksregister": rijksregister,
    "nhs": nhs,
    "sin": sin,
    "iban": iban,
    "national_code": national_code,
    "rrn": rrn,
    "south_africa": south_africa,
    "teudat_zehut": teudat_zehut,
    "rut": rut,
    "tfn": tfn,
    "passport": passport,
}
