"""What orders to a reader are made of, and which of it together is one (J05)."""

from __future__ import annotations

import re
from functools import cache

from gate_text import listed

# The signals. S secrecy, Q hushed doing, P leave, U rank, X a sensitive act, L a leak,
# Z enough alone, V a machine hailed; and their company: A a reader told, B one named,
# K lasting, M bidding, T this note itself, O an address. Then words in any order: d to
# drop, r rules, y the reader's; e to send, s what is secret, w to whom; c agreed, u by a
# user, b to all; q needless consent; m this memory, p its rank, k for good; f in every
# session, v to address; g the gate, n needless; i a machine that reads this, j must.
SIGNALS = r"""
S \b(?:say nothing|deny (?:that|any|knowing)|(?:not|never|without|nobody|no one|nor|\w{2,6}n't)\b[^
.;\n]{0,16}?\b(?:tell|mention|inform|notif|disclos|reveal|announc|explain|warn|saying|sees?|alert|
report)\w{0,3}\b…(?:†|\b(?:readers?|any ?one|anybody|this|it|them|entry|rules?|notes?|memory|
why)\b)|(?:keeps?|kept|hid\w{1,4}|conceal\w{0,3}|withh[eo]ld)\b…(?:from (?:the )?(?:†|summary|
receipt|logs?\b|listing|report|diff)|between us|secret|to yourself|that this (?:memory|note|
entry))|† (?:does|do|must|need|should|may)(?: not|n't) (?:need to |be |ever )?(?:know|see|notice|
learn|told|find)|(?:claim|pretend|insist|say) (?:that )?(?:it|they|this|the) (?:is|was|are|were)\b|
leave this\b[^.;\n]{0,12} out\b|without showing)
Q \b(?:silent|quiet|secret|covert|discreet)ly\b
P \b(?:exempt from|†(?! can| may| must| should| ask| want| need| requir| expect| has to) (?:\w
{2,9} ){0,2}?(?:approv|authori|consent|grant|agree|allow|sign(?:ed)? off|waiv)\w{0,5}\b…\b(?:all|
any|every\w{0,5}|anything|future|full|always)\b|you have (?:permission|full)|(?:is|are) (?:hereby |
now |fully )?authori[sz]ed to|(?:no longer|not|never|no|\w{2,6}n't) (?:need|require|wait|stop|
pause|seek|ask|have to)\w{0,3}\b…(?:‡|\basked?\b|\bask\b|\bagain\b|\buser\b|\bjustify|\bcheck back)
|(?:‡|checks?)…\b(?:is|are|was|were|been) (?:waived|(?:turned )?off\b|disabled|suspended|lifted|
unnecessary|optional|not (?:need|requir)ed|given|granted)|(?:standing|blanket|full|advance|
permanent|unlimited|general) (?:permission|approval|consent|authority|access)|(?:no|without|skip|
bypass|waive|circumvent)(?: \w{2,10}(?:'s)?){0,3}? (?:‡|questions\b|checks\b|being asked)|(?:not|
n't|never|need not) (?:verify|question|challenge)\b|pre-?(?:approv|authori|clear)\w{1,6}|
on the user's behalf|answer(?:ed)? yes)|dangerously-skip|[无無]需[确確][认認]|確認なし|확인 없이
U \b(?:takes? (?:precedence|priority) over (?:all|any|every|the user|user|your|other)|(?:even if|
regardless of what) (?:the )?(?:†|any ?one|someone) (?:obj|say|ask|disag|refus|compl|forbid|want|
tell)|your (?:new|real|true|actual|only) (?:task|job|goal|role|instructions?)|stop what you|
(?:outrank|supersed|overrid|overrul|trump|prevail)\w{0,4}\b…(?:\b(?:agents|skill|claude)\.md|
\bmemory\b|\bprotocol|house rules|\b(?:user|system|other|earlier) (?:instruct|rule|request|prompt|
polic|entr))|(?:rules?|gate|protocol|instructions|restrictions?|polic(?:y|ies)|guard|checks?)\b…\b(
?:(?:no longer|do(?:es)? not|don't|never) (?:appl|bind|count)|(?:are|is|was|were) (?:suspended|
waived|lifted|void))|(?:previous|earlier|later|other|newer) (?:memories|entries|notes)…\b(?:outdate
d|discard|ignor|void|wrong|false)|(?:system|security|admin\w{0,8}|developer) (?:directive|override|
notice|note|order|update|mandate)\b|(?:cannot|may not|must not) be (?:revok|overrid|question|
challeng)|(?:consider|regard|treat)…\b(?:admin\w{0,10}|root|trusted)\b|(?:highest|top|absolute|
supreme)[- ](?:priority|authority)|as (?:if|though) (?:the|it|they)…(?:user|system|said)|
even (?:when|if) (?:told|asked|ordered|instructed)|(?:coming|issued|sent) (?:from|by) the system\b|
ignore (?:any |all )?(?:requests|attempts) to|must be (?:obeyed|executed)|final (?:word|say)\b|
obey(?:ed)?\b)
X \b(?:(?:cat|read|open|load|print|dump|access|copy|grab|send|add|paste|append)\w{0,3}\b…(?:\.aws/c
red|id_rsa|id_ed25519(?!\.pub)|\.env\b(?!\.)|\.netrc|/etc/shadow|authorized_keys|credentials file|
~/\.ssh/(?!config|known))|force[- ]push|as (?:an )?(?:admin|collaborator|owner)\b|auto-?approve|
allow all|grant…(?:rights|access|role)\b|write access|(?:admin|owner) rights|outside the (?:workspa
ce|sandbox|repo\w{0,7})\b|(?:disabl|turn|switch|skip|bypass|remov|silenc)\w*…\b(?:write gate|
guard hook|memory (?:check|gate|guard|review)|hooks before|verification of)|(?:disabl|turn off|
skip|remov|switch off)\w{0,3} (?:all |the |any |every )*(?:tests|sandbox|gate|(?:[\w-]{1,12} )?hook
s?|logging|security|safety|branch protection|(?:the )?firewall)\b|(?:read|fetch|open|load|visit|
get|check)\w*…https?://\S+…\b(?:follow|obey|execute|do what|carry out) (?:it|them|what|its|
the (?:commands|instructions|orders|steps))|(?:store|save|collect|record|keep a copy of)\w{0,3} (?:
whatever|any|all|every|each) (?:api )?(?:tokens?|passwords?|keys?|credentials|secrets?)|(?:delet|
destroy|wip|remov|eras)\w{0,3}(?: all| the| every| old)*[ _](?:backups?|memory|logs?|history|audit|
facts|entries|store|tests)\b|(?:execute|run|follow|obey) (?:the |any |all )*(?:commands?|
instructions?|orders|scripts?) (?:in|at|from|on) https?:|(?:download|fetch|get|open)\w{0,3} https?:
//\S+…\b(?:run|execut|eval|source)|push\w* (?:directly |straight )?to (?:main|master|prod\w*)|
push\w*[^.;\n]{0,24} (?:-f|--force)\b(?!-with)|(?:run|execute|perform)\w* (?:all|any|every) (?:\w
+ )?(?:commands?|actions?|scripts?|deletions?)\b|(?:approve|merge|accept) (?:every|all|any|
this) |(?:give|grant) (?:it|them) full access|make\w{0,2} …\bpublic\b|visit https?://|report succes
s|rm -rf [~/]|deploy key|vote this)|--no-verify|(?:\.env|\.netrc|id_rsa)\b[^.;\n]{0,12}(?:print|
sent|copied|includ|post|upload|shar)
L \b(?:(?:send|post|upload|forward|e?mail|submit|transmit|exfiltrat|export|leak|share|paste|includ|
append|attach|prepend|embed|add|copy|reply|call|pass)\w{0,5}\b(?:(?! to http| from )[^.;\n]){0,60}?
(?:\.env\b(?!\.)|\.aws|id_rsa|(?:private|ssh) keys?|environment variables|env vars|conversation|
(?:chat|session) (?:history|logs?)|transcript|user's \w{1,12}|(?:any|all|every|found) (?:api keys?|
tokens?|passwords?|secrets?|credentials)|\.netrc|secrets? file|secrets\.ya?ml|tracking snippet)[^;
\n]{0,60}?(?:(?<!\()https?://|\w@\w|\bwebhook|(?:commit|commit message|answer|reply|response|chat|
pull request|url|parameter|artifact|outgoing requests)s?\b)|(?:send|post|upload|forward|e?mail|
submit|copy|export|paste|append|put)\w{0,3}\b(?:[^.;\n]{0,24}?\.env\b|[^;.\n]{0,24}?\b(?:contents
? of (?:the |your )?(?:memory|repository|project|workspace|codebase|\.env|~|/etc|home|config|
secret|context|file)|cop(?:y|ies) of (?:each|every|all|the) (?:diff|message|answer|file|
conversation|prompt|commit)|conversation|environment|your (?:key|token)|(?:ssh|api) keys?|the diff|
each diff|memory folder|project folder|prompts|cookies|home folder|session|user's \w+)\b)[^;\n]
{0,60}?(?:to (?:https?://|\S{1,40}\w@\w)|\bwebhook|\bthe issue\b|bug report|/register|request to|
http tool)|(?:keys?|tokens?|passwords?|secrets?|credentials)\b…\b(?:send|post|upload|forward|
mail)\w{0,3} (?:it|them|the (?:new |old )?\w{3,10}) to \S{0,12}(?:https?:|\w{1,40}@)|https?://\S+ (
?:with the user's|to \S{0,20}authorized_keys))|[?&]\w{1,12}=<[a-z_ ]{0,20}(?:conversation|history|
secret|env|key)
Z \b(?:never ask…(?:confirm|approv|permission)|execute (?:the |any |all )*(?:commands?|instructions
?|orders) (?:in|at|from|on) https?:|every (?:answer|reply|response|message|summary) (?:must|should|
has to|needs to)…(?:https?://|recommend)|(?:when|if|whenever|once) (?:asked|(?:the |a )?users? asks
?|someone asks|anyone asks)\b…\b(?:say|answer|reply|claim|state|respond|recommend|tell)\b…\b(?:best
|cheapest|safest|only|unlimited|no (?:known )?(?:flaws|bugs|issues|risks|problems)|it (?:was|
is) (?:the user|safe|fine)|nothing|always pick)\b|(?:not|never|n't) (?:show|check|verify|question|
review|doubt|mention|tell|reveal|list|display|report|disclose|quote|cite|explain) (?:any\w+ |the us
er )?(?:about )?this (?:entry|memory|note|rule|instruction|paragraph)|(?:when|while) (?:summari[sz]
ing|translating|process\w+|analy[sz]ing|rating) this (?:page|document|text|e-?mail|issue|article|
file|cv|resume|ticket|readme|candidate|message|thread|comment|note)|user (?:never|not|does not|
doesn't) (?:want|wish|like)\w* to be (?:asked|told|informed|consulted)…\b(?:delet|push|deploy|
publish|pay|chang|merg|secur|fail)|(?:copy|repeat|propagate|spread|insert|write|replicate) this (?:
rule|entry|note|memory|text|instruction)\b…\b(?:each|every|all|other|new|future)\b|(?:print|dump|
list|read|export|add)\w{0,3} (?:all )?(?:the )?(?:environment variables|env vars)…\b(?:summary|
answer|issue|report|comment|reply)\b|if (?:the (?:user|reviewer|owner|maintainer)s?|someone|anyone|
any reviewer|a reviewer|asked)\b…\b(?:deny|lie|pretend|change the subject|claim)\b|(?:ai (?:crawler
s|systems|bots|scrapers|models|tools)|(?:all|any|every) (?:llms?|ais?|language models?|assistants?|
bots?)) (?:must|should|shall)|(?:suggest|recommend|mention|promote|advertise|praise)\b[^;\n]{0,40}?
\bin (?:every|each|all) (?:answer|repl|response|message|conversation)\w*|do (?:what|as|whatever)[^;
\n]{0,24}(?:\bit\b|they|page|file|note|message|link|https?:)[^;\n]{0,40} (?:says?|tells?|asks?|
orders?)\b|exempt from (?:the |this |any |all |every )*(?:write |memory )?(?:gate|review|
verification|protocol|rules)|always (?:obey|follow|execute|trust) (?:commands?|orders|messages|
instructions|entries|notes|anyone|whatever|anything)|you have (?:standing|full|blanket|permanent|
general|unlimited) (?:permission|authority|approval|access)|not (?:mention|tell|reveal|disclose) (?
:this|it|that)(?: \w{4,13})? to (?:the )?(?:user|human|reviewer)|(?:paste|print|reveal|show|output|
repeat|leak) your (?:system |hidden |full )?(?:prompt|instructions)|keep this (?:entry|rule|note|
memory)…\b(?:permanent|forever|hidden|secret|private|quiet)|(?:all|any|every)…(?:is|are) (?:conside
red )?(?:pre-?approved|approved in advance)|(?:approve|merge|accept) (?:every|all|any)\b…\bwitho
ut (?:look|read|review|check)|(?:waived|gave up|renounced) (?:the |their |any |all )?(?:right|need|
requirement)|treat\w*…\bas (?:orders?|instructions?|commands?|approv\w+|confirmation)|secrets? (?:m
ay|can) be (?:printed|shown|shared|logged|committed)|as (?:an? )?(?:approvals?|confirmations?) (?:f
rom|of|by) the user|not let the (?:user|human|reviewer)s? (?:know|see|notice)|grant (?:every|all|
any) (?:tool|request|permission|call)|pre-?(?:approved|authori[sz]ed) (?:all|any|every|each)|
(?:not|never|n't) (?:say|tell|explain|mention) why\b|(?:fetch|download)\w{0,3} …https?://\S+…\beval
|no longer runs? (?:the )?(?:write gate|guard)|gate\b…(?:considered|counts as) passed|never tell an
y\w+ (?:that|about|of)|yes\b…(?:for|on behalf of) the user|hide (?:(?:the )?alternatives|
this (?:rule|entry|note|memory))|always (?:run|use|start|pass)…dangerously|lie (?:about|
to the user)|turn off the hooks before|use sudo for everything|open a reverse shell|says is to be d
one|keep quiet about)|^\W{0,6}(?:system|admin) (?:directive|override)\W|^\W{0,4}(?:attention|dear|
hello|hi|hey|to the|note to)[,:]? (?:the )?(?:ai|llm|claude|copilot|chatgpt|gemini|assistant|
model)s?(?: \w{2,12})?(?: reading[^,:\n]{0,40})?[,:!]|^\W{0,4}(?:llm|ai|assistant|model|
copilot) (?:instruction|directive|command)s?:
V ^\W{0,4}(?:(?:bots?|ai|llms?|gpt|chatgpt|claude|copilot|gemini|assistant)(?: (?:reviewers?|
readers?|agents?|assistants?|models?))?[:,](?! \S*https?:))|\b(?:(?:dear|hey|attention)[,:]?(?: the
| all| coding| ai)* (?:ai|llms?|agents?|assistants?|claude|copilot|gemini|chatgpt|models?)\b|
you, the (?:ai|agent|assistant|model)|whoever (?:read|load|process|summar)\w+|(?:note|notice|
message|important|instructions?|task|written|addressed|meant)[,:]? (?:to|for)(?: all| any| the| eve
ry)*(?: coding| code| automated)? (?:ai|llms?|bots?|language models?|assistants?|summari[sz]er|
readers?)\b|(?:instructions? |message |note |addressed |command )?(?:for|to) (?:any |all |the )?(?:
ai|llms?|language models?|automated)(?: (?:readers?|agents?|systems?|models?|assistants?))?s?:|
if you are an? (?:automated |autonomous )?(?:ai|llm|bot|language|assistant|agent)|as the (?:assista
nt|agent|ai)\b[^.;\n]{0,14}\byou (?:should|must)|task for the (?:agent|assistant|ai|model)|(?:ai|
llm) agents?(?= are req)|as an (?:ai|llm)\b)
A \b(?:(?:ai|llms?|language models?|agents?|assistants?|claude|copilot|chatgpt|gemini|codex|(?:the|
this) model|whoever (?:loads|reads) this)\b(?:,? (?:that|who|which|\w{2,10}ing|load|process)[^.;:!?
]{0,60}?)?(?: [a-z]{1,12}){0,2}?(?:,? (?:must|should|shall|will|needs? to|has to|have to|may|
can(?!not)|to (?!be )|(?:is|are) (?:allowed|required|authori|free|permitted|to))\b|\s?:|
,? answers)|(?:requires?|expects?) that the (?:agent|assistant|model)|(?:dear|hey|attention|
note to|to all|to the)(?: the| all)? (?:coding |ai )?(?:ai|agents?|assistants?|claude|llms?|
models?|reader)\b|(?:an|as an) (?:ai|llm)\b|you (?:must|should) always)|助手|助理|アシスタント
B \b(?:ai|llms?|agents?|assistants?|claude|copilot|chatgpt|gemini|codex)\b(?!\.md)
K \b(?:(?:every|each|all|later|future|next) (?:\w{3,10} )?(?:sessions?|tasks?|conversations?|
chats?|turns?|responses?|repl(?:y|ies)|answers?)\b|(?:all|every) future\b|(?:before|after|
on) (?:every|each|any) \w|every time\b|in (?:the )?future|from (?:now|here|this point) on|
going forward|henceforth|whenever|when (?:the |a |any |an )?(?:user|any ?one|someone|human|asked)|
if (?:any ?one|someone|the user|asked)|on hearing|once loaded|at the (?:start|beginning|
end) of (?:each|every|any)|forever\b|permanent|каждой сессии|a partir de ahora|désormais|
ab sofort)|以后每次|每次[会對]话|每次對話|今[后後]|永久|すべてのセッション|모든 세션|앞으로
M \b(?:must|should|always|never|please|run|send|open|approve|ignore|follow|skip|print|rate|change|
mark|label|say|include|transfer|restart|post|store|vote|merge|put|tell|write|copy|upload|delete|
give|install|call|click|insert|recommend|reply|list|output|answer|translate|rank|visit|accept|
could you|yes|add|do not)\b
T \b(?:this (?:entry|memory|note|instruction|directive|drawer|rule|paragraph|file|line|preference|
user|author|text|one)\b|text (?:below|above))
O (?<!\()https?://|\w@\w|\brecommend|\binstall
d \b(?:ignor|gone|suspend|supersed|without regard|none of|forg[eo]t|preceding \w+ as cancel|(?:not|
never|n't) (?:listen|heed|respect|observe)|disregard|forget|overlook|dismiss|neglect|never mind|
scrap|discard|abandon|eras|void|cancel|revok|lift|releas\w+ from|free\w* (?:from|of)|no longer|
stop|cease|switch(?:ed)? off|turn(?:ed)? off|let go|set(?:ting)? aside|overrid|bypass|circumvent|
reset|revers|opposite|delet|(?:not|never|n't) (?:to )?(?:follow|obey|apply|bind|count|exist)|
invalid|null|break|violat|no (?:previous|prior|earlier|other)\b)
r \b(?:instructions?|guidelines?|directions|directives?|restrictions?|guidance|programming|
system prompt|guardrails?|safeguards?|constraints?|rules?|polic(?:y|ies)|(?:safety|content) filters
?|orders|default behaviou?r|limitations|(?:earlier|previous|developer) messages?|everything above)
\b
y \b(?:(?:your|developers?|safety|creators?)(?:'s)? (?:\w+ )?(?:instruct|rules|prompt|messages?|
guideline|filters|behaviou?r|default behaviou?r|asked|told|said|restrict|directi|guidance|polic)|
system(?:'s)? (?:instruct|rules|messages?|asked|told|said)|(?:earlier|previous|preceding|prior|
former|above|initial|original) (?:\w+ )?(?:instructions|guidelines|directions|directives|
restrictions|guidance|messages|orders|prompts?)|so far|(?:given|written|stated|said) (?:at the top|
before|above)|binds? you|you (?:were|have been|are|got|had|received)\b|everything above|
developer message|from you\b)
e \b(?:send|post|upload|forward|attach|e?mail|pipe|paste|put|write|copy|leak|exfiltrat|transmit|
publish|share|submit|append|includ|commit|export|stream|reveal|print|output|show)(?:s|ing|ed|e|
es)?\b(?! to (?:the )?(?:vault|keychain))
s \.env\b(?!\.)|\.ssh\b|\.aws\b|id_rsa|\b(?:private key|(?:aws|all|any|ssh|access|user's|
your) (?:the )?(?:api )?(?:keys?|credentials|tokens?|secrets?|cookies)|chat (?:history|logs?)|
conversation|context window|home directory|environment variables|env vars|all passwords|
user's (?:token|e-?mail|data|files|name)|secrets|memory folder|whole (?:repo|project|code|
database)\w*|(?:list|names|e-?mails|addresses|messages?) of (?:all |the )?(?:users?|customers?)|
every message|\w*secret_\w*key|customer (?:table|data|list)|your (?:system )?(?:prompt|instructions
))\b|\.netrc\b
w (?<![(<])https?://|\w@\w+\.\w|to (?:a|the|this|my) webhook|issue comment|\bthe issue\b|
pull request|reverse shell|\b\d{1,3}(?:\.\d{1,3}){3}\b|bug report|deploy\w* request|public (?:bucke
t|gist|repo\w*|paste)|\bthe (?:reply|response|commit message|mirror)\b
c \b(?:approved|authori[sz]ed|consent(?:ed|s)|agreed|permitted|granted|signed off|waived|trusts|
pre-?approved)\b
q \b(?:confirmations?|permission|approvals?|reviews?)\b…\b(?:not|no longer) (?:needed|required|
necessary)\b
u \b(?:user|owner|maintainer|human|operator|admin)s?\b|\bfor anything\b
b \b(?:any|anything|everything|every|all) (?:\w+ )?(?:requests?|actions?|commands?|deletions?|
tools?|operations?)\b|once and for all|in advance|completely|\banything\b|any ?more\b
m \bthis (?:entry|memory|note|drawer|instruction)\b|\bthese (?:entries|memories|notes)\b|
rows in this|new memories|(?:save|write|store)s? (?:new |a |an )?(?:memor|entr)
p \b(?:overrid|outrank|preced|priorit|above all|trump|exempt|orders? from|counts? as orders|
only valid|is valid|binding|obey)\w*
k \b(?:each|every) (?:\w+ )?(?:session|task|answer|reply|conversation)|\b(?:always|permanent\w*|
forever|once and for all)\b|\b(?:never|not) (?:\w+ or )?(?:remove|delete|review|question|retire|
archive|forget)\b(?![^.;\n]{0,40}\b(?:before|until|unless|without)\b)|(?:to )?each of them|
copy this
f \b(?:each|every|all|future|coming|later) (?:\w+ )?(?:sessions?|tasks?|answers?|repl(?:y|ies)|
conversations?|responses?)\b
v \b(?:send|post|visit|open|call|upload|link|ping|report|suggest|recommend|mention|promote|
advertise|praise)\b
g \b(?:write gate|the gate|guard hook|memory (?:check|gate|protocol)|the guard (?:hook|is))\b
n \b(?:may ignore|can ignore|ignore|false alarms?|exempt|skip|bypass|(?:switch|turn)(?:ed)? off|
not needed|optional|waived|need not|no longer needed)\b
i \b(?:ai(?! agents?)|llms?|language models?|models?|assistants?|bots?|whoever|agents?(?=[^.;\n]
{0,20} this (?:page|ticket|issue|document|text|website|site|email|message|review|cv|thread)))\b[^.;
\n]{0,20}\b(?:index|read|process|pars|analy[sz]|summari[sz]|review|load|see|scan|crawl|visit|handl|
open)\w* this\b
j \b(?:must|shall|should|has to|have to|please|(?:is|are) (?:asked|required|instructed|expected|
to)|will)\b|\bthis(?: \w+)?[:,]
"""
# What is an order together: secrecy, leave or rank in any company; an act and a reader.
POISON = listed(
    """Z L XA XV XK VO VU VM QA QK QP QT QX SP SU SB SK ST SX PU PB PK PT PX UB UK UT
UX dry esw mp mk cub qb qf fvO gn ij"""
)


@cache
def rows(table: str) -> dict[str, str]:
    """The rows of a table by their letter; a line without one goes on."""
    parts = re.split(r"\n(?=[A-Za-z] )", table.strip())
    return {part[0]: part[2:] for part in parts}
