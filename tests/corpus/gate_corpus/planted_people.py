"""Entries that hold data of people: identity and card numbers, patient data, chat
transcripts. The people are invented; all of the entries are secrets."""

from __future__ import annotations

from random import Random

from .model import Maker

GIVEN = "Marelda Tovik Isanne Brunko Elvira Oskari Nadjeta Ruvim Calixta Dorvan".split()
FAMILY = (
    "Brandvik Ostrelin Quaresma Halvorin Tessmann Okubira Vandersay Molnarez".split()
)


def person(rng: Random, _: str) -> str:
    """Gives an invented name."""
    return f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"


def record_number(rng: Random, _: str) -> str:
    """Gives a hospital record number."""
    return str(rng.randrange(10**7, 10**8))


def birthday(rng: Random, _: str) -> str:
    """Gives a birth date."""
    return (
        f"19{rng.randrange(30, 99)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
    )


MAKERS: dict[str, Maker] = {
    "person": person,
    "mrn": record_number,
    "birthday": birthday,
    "surname": lambda rng, _: rng.choice(FAMILY),
}

ID_NUMBER = r"""
@@ id_number episodic
Double charge on one order
cue: an order was charged twice

Context: The customer was charged twice.
Action: Looked up card <<!card:visa>>, expiry 04/28.
Result: One charge was returned.
Lesson: The retry must send the same key.

@@ id_number semantic
Card of the travel account
cue: booking travel for the team

Pay with <<!card:mastercard>>, CVC on the back.

@@ id_number semantic
Decline code of the new range
cue: cards of the new range are declined

The bank declined <<!card:mastercard2>> with code 57; ask it to open the range.

@@ id_number semantic
Office supplies are ordered by card
cue: ordering office supplies

| card | number |
|---|---|
| supplies | <<!card:amex>> |

@@ id_number working
Desk for the refund batch
goal: refund the cancelled tickets
next: refund `<<!card:discover>>`, then `<<!card:jcb>>`

Nine are done.

@@ id_number semantic
Card types at the ticket desk
cue: ticket desk refuses a card

Last seen with <<!card:diners>>; UnionPay <<!card:unionpay>> and Mir <<!card:mir>>
are refused as well.

@@ id_number episodic
Payroll import dropped one employee
cue: payroll import drops an employee

Context: One row was dropped.
Action: Found SSN <<!ssn>> with a blank at the end.
Result: The row is imported.
Lesson: Trim before the check.

@@ id_number semantic
Alta de una empleada
cue: dar de alta a una empleada en nóminas

La empleada tiene DNI <<!dni>>, alta desde marzo.

@@ id_number semantic
Fatturazione elettronica di un cliente
cue: fattura rifiutata per codice fiscale

Il codice fiscale del cliente è <<!codice_fiscale>>.

@@ id_number semantic
Dossier refusé par la caisse
cue: dossier refusé par la caisse

Numéro de sécurité sociale : <<!nir>>

@@ id_number semantic
Lohnabrechnung mit falscher Nummer
cue: Lohnabrechnung meldet falsche Nummer

Steuer-ID <<!steuer_id>> gehört zur neuen Kollegin.

@@ id_number semantic
Umowa z wykonawcą
cue: umowa z wykonawcą wymaga numeru

PESEL: <<!pesel>>

@@ id_number semantic
Cadastro do fornecedor
cue: cadastro do fornecedor foi recusado

CPF do responsável: <<!cpf>>

@@ id_number episodic
Salaris van een collega klopte niet
cue: salaris van een collega klopt niet

Context: Het salaris was te laag.
Action: BSN <<!bsn>> stond bij de verkeerde schaal.
Result: Gecorrigeerd.
Lesson: Controleer de schaal na een wissel.

@@ id_number semantic
Sigorta kaydı
cue: sigorta kaydı açılmıyor

T.C. kimlik no <<!tckn>> ile kayıt açıldı.

@@ id_number semantic
Customer check in Bengaluru
cue: customer check rejects a document

Aadhaar <<!aadhaar>> was rejected because the name has an initial.

@@ id_number semantic
实名认证失败
cue: 实名认证失败的用户

身份证号 <<!resident_id>> 的用户认证失败,需要人工处理。

@@ id_number semantic
Asiakas ei löydy rekisteristä
cue: asiakasta ei löydy rekisteristä

Henkilötunnus <<!hetu>> puuttuu siirrosta.

@@ id_number semantic
Kund saknas i registret
cue: kund saknas i registret

Personnummer <<!personnummer>> saknas efter flytten.

@@ id_number semantic
Aanvraag zonder rijksregisternummer
cue: aanvraag wordt geweigerd door de overheid

Rijksregisternummer: <<!rijksregister>>

@@ id_number semantic
Appointment service lost a booking
cue: appointment service loses a booking

The booking for NHS number <<!nhs>> is missing after the merge.

@@ id_number semantic
Tax slip for a contractor
cue: tax slip of a contractor is rejected

SIN <<!sin>>, slip T4A.

@@ id_number semantic
Supplier is paid by transfer
cue: supplier was not paid

IBAN <<!iban:DE>>, account of the contractor's wife.

@@ id_number semantic
Rent of the small office
cue: rent of the small office is due

Transfer to <<!iban:NL>>; the French owner wants <<!iban:FR>> from June.

@@ id_number semantic
ثبت نام کارمند
cue: ثبت نام کارمند ناموفق است

کد ملی <<!national_code>> در سامانه نیست.

@@ id_number semantic
본인 확인 오류
cue: 본인 확인 오류가 날 때

주민등록번호 <<!rrn>> 확인 실패.

@@ id_number semantic
Account opening in Cape Town
cue: account opening fails in Cape Town

ID number <<!south_africa>> failed the bureau check twice.

@@ id_number semantic
רישום עובד חדש
cue: רישום עובד חדש נכשל

תעודת זהות <<!teudat_zehut>> לא נמצאה.

@@ id_number semantic
Boleta rechazada
cue: boleta rechazada por el servicio

RUT <<!rut>> figura sin dirección.

@@ id_number semantic
Super fund of a new colleague
cue: super fund rejects a new colleague

TFN <<!tfn>> was typed with a zero too many.

@@ id_number episodic
Passport scan could not be read
cue: passport scan cannot be read

Context: The reader lost the second line.
Action: Typed it in:
<<!passport>>
Result: Accepted.
Lesson: Scan with more light.
"""

PATIENT = r"""
@@ patient episodic
Lab result went to the wrong ward
cue: lab result goes to the wrong ward

Context: Patient: <<!person>>, DOB <<birthday>>, MRN <<!mrn>>, ward 4B.
Action: Moved the potassium result (6.1 mmol/L, hyperkalaemia) by hand.
Result: The ward has it.
Lesson: The ward code is cut after two characters.

@@ patient semantic
Admission message that broke the parser
cue: admission message breaks the parser

```
MSH|^~\&|ADT|CLINIC|HUB|CLINIC|20260311||ADT^A01|4411|P|2.5
PID|1||<<!mrn>>^^^CLINIC^MR||<<!surname>>^Isanne^^^||19580417|F|||12 Mill Lane^^Harwick
DG1|1||I21.4^Non-ST elevation myocardial infarction^ICD10
```

The parser drops the second diagnosis.

@@ patient semantic
Resource that fails the profile check
cue: profile check fails for one resource

```json
{"resourceType": "Patient",
 "identifier": [{"system": "urn:mrn", "value": "<<!mrn>>"}],
 "name": [{"text": "<<!person>>"}], "birthDate": "<<birthday>>", "gender": "female",
 "telecom": [{"system": "phone", "value": "+44 7700 900417"}]}
```

@@ patient working
Desk for the discharge letters
goal: print the discharge letters again
progress: first letter printed

Dear colleague, your patient <<!person>>, born <<birthday>>, was treated from 3 to 9
March for decompensated heart failure (I50.1). Hospital number <<!mrn>>. Medication at
discharge: furosemide 40 mg once daily, ramipril 5 mg.

@@ patient semantic
Rows that the import refuses
cue: import refuses rows of the clinic

name,dob,mrn,diagnosis,medication
<<!person>>,<<birthday>>,<<!mrn>>,E11.9 type 2 diabetes,metformin 850 mg
<<!person>>,<<birthday>>,<<!mrn>>,J45.0 allergic asthma,salbutamol

@@ patient semantic
Patientin ohne Einwilligung
cue: Einwilligung fehlt beim Versand

Patientin: <<!person>>, geb. <<birthday>>, Fallnummer <<!mrn>>. Diagnose: Mammakarzinom
(C50.9), Chemotherapie seit Februar. Befund darf nicht versandt werden.

@@ patient semantic
Image header with the name left in
cue: image export keeps names

(0010,0010) PN [<<!person>>]
(0010,0020) LO [<<!mrn>>]
(0010,0030) DA [19630228]
(0008,1030) LO [MRI brain with contrast, suspected glioma]

@@ patient semantic
Prescription that printed without a dose
cue: prescription prints without a dose

| patient | born | record | drug | dose |
|---|---|---|---|---|
| <<!person>> | <<birthday>> | <<!mrn>> | warfarin | 3 mg |

The dose is dropped when the unit is missing.

@@ patient episodic
Therapy note was visible to the front desk
cue: therapy note is visible to the front desk

Context: Session note of <<!person>> (patient no. <<!mrn>>, DOB <<birthday>>): reports
suicidal thoughts since January, sertraline raised to 100 mg.
Action: Hid the note type from the desk role.
Result: It is hidden.
Lesson: New note types are visible to everybody by default.
"""

TRANSCRIPT = r"""
@@ transcript semantic
How the cache question was settled
cue: why the cache lives in the process

User: why does the cache live in the process?
Assistant: Because the first version had a single worker.
User: and now?
Assistant: Now there are four, so each holds its own copy.
User: ok so should we move it
Assistant: I would, the hit rate is only 31 percent.
User: <<!said:do it after the release, and tell Ostrelin first>>
Assistant: Noted, after the release.

@@ transcript episodic
Talk about the flaky upload test
cue: flaky upload test

Context: Pasted from the session.
**Human:** the upload test fails again
**AI:** Let me look at the log.
**Human:** it is the third time this week
**AI:** The port is taken by the earlier run.
**Human:** <<!said:so kill it, my build has been red since lunch>>
**AI:** Done, port 9100 is free.
Action: see above
Result: see above
Lesson: see above

@@ transcript working
Desk with the pasted thread
goal: decide on the queue library
progress: thread pasted below

[09:14] tovik: morning, did anyone try the new queue
[09:15] isanne: yes, it drops jobs on restart
[09:15] tovik: for real?
[09:16] isanne: <<!said:twice, and I lost a whole evening on it>>
[09:18] dorvan: then we stay
[09:19] tovik: ok, telling the others
[09:21] isanne: thanks

@@ transcript semantic
Decision about the release day
cue: why releases happen on Tuesday

12/03/2026, 14:05 - Elvira: can we move the release to tuesday
12/03/2026, 14:06 - Ruvim: fine with me
12/03/2026, 14:06 - Elvira: friday is bad, I have to fetch the kids
12/03/2026, 14:09 - Ruvim: <<!said:my wife has the car on fridays anyway>>
12/03/2026, 14:10 - Elvira: good, tuesday then
12/03/2026, 14:11 - Ruvim: ok

@@ transcript semantic
Channel log about the broken mirror
cue: mirror of the packages is broken

<calixta> mirror is down again
<brunko> since when
<calixta> 20 min
<brunko> <<!said:I will call the guy at the hoster, he owes me one>>
<calixta> thx
<brunko> back up
<calixta> confirmed

@@ transcript semantic
Conversation that explains the retry rule
cue: why retries stop after three

```json
[{"role": "user", "content": "why three retries?"},
 {"role": "assistant", "content": "The gateway bans us after four."},
 {"role": "user", "content": "<<!said:who told you that, was it Halvorin?>>"},
 {"role": "assistant", "content": "It is in the contract, section 4."},
 {"role": "user", "content": "ok keep it"},
 {"role": "assistant", "content": "Kept."}]
```

@@ transcript episodic
Support case with the lost invoice
cue: customer cannot find an invoice

Context: Chat of the case.
Agent: Hello, how can I help?
Customer: I cannot find my invoice from April.
Agent: Which address did you use?
Customer: <<!said:my private one, the company one is blocked since I left>>
Agent: I have sent it again.
Customer: Got it, thank you!
Action: Sent it again.
Result: Solved.
Lesson: Search all addresses.

@@ transcript semantic
Call about the data move
cue: what was agreed in the data move call

00:00:04.120 --> 00:00:07.900
<v Nadjeta>So we all agree that the move starts on Monday?
00:00:08.010 --> 00:00:11.300
<v Oskari>Yes, if the disks are here.
00:00:11.480 --> 00:00:15.020
<v Nadjeta><<!said:I do not trust the courier, last time he lost one>>
00:00:15.200 --> 00:00:18.000
<v Oskari>Then I will fetch them myself.

@@ transcript semantic
Session notes on naming
cue: how table names are chosen

### User
should tables be plural?

### Assistant
The existing ones are singular.

### User
<<!said:hm, I hate that, but fine, my boss wants it so>>

### Assistant
Then singular it is. Shall I add a lint rule?

### User
yes
"""

BLOCKS = ID_NUMBER + PATIENT + TRANSCRIPT
