"""Override phrases: setting aside what a reader was told before (J04)."""

from __future__ import annotations

from collections.abc import Iterator

from gate_text import listed, rx, spots

# The squashed reading keeps letters alone, so that spacing, emphasis, line breaks and
# figures or Cyrillic for letters hide nothing; l and i are one.
SQUASH = dict.fromkeys(range(128)) | str.maketrans(
    "abcdefghijklmnopqrstuvwxyz013457@$"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u026a\u0262\u0274\u1d0f\u0280\u1d07"
    "\u1d00\u029f\u1d18\u1d20\u1d1c\u1d1b\u1d04\u03bf\u03b1\u03b5\u03b9\u03c1\u03bd",
    "abcdefghijkimnopqrstuvwxyzoieastasaeopcyxisignoreaipvutcoaeipv",
)
ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
TURNED = {"vtaber", "erongi", "qvfertneq", "vafgehpgvbaf", "snoitcurtsni"}
FILL = """(?:all|any|every|everything|anything|whatever|in|from|of|the|your|my|our|this|these|
those|other|and|or|a|system|safety|ethical|security|developer|operator|hidden|initial|original|
core|current|existing|default|internal|previously|prev[iou]{1,4}s|prior|earlier|above|preceding|
foregoing|former|past|old|rules|instructions|repository|project|memory|given|content|house|
conversations?)"""
SCOPE = """(?:prev[iou]{1,4}s|prior|earlier|above|preceding|foregoing|former|your|safety|hidden|
system|developer|original|initial|ethical|content|house|memory)"""
FIRM = """(?:ins?t?r?u?c?u?ti?ons?|prompts?|guidelines?|guardrails?|restrictions?|programming|
training|safeguards|directives?)"""
LOOSE = f"""(?:{FIRM}|rules?|polic(?:y|ies)|orders|commands?|constraints?|protocols?|gates?)"""
IGNORE = """(?:ignor(?:e|ing)|ing[or]{2,3}e|igonr?e|ignroe|disreg[aur]{2,4}d(?:ing)?|forget(?:ting)
?|neglect(?:ing)?|setaside|payno(?:attention|heed)to|(?:not|nt|never|nolonger|stop|cease)(?:to|
(?:have|need|bound)to)?(?:follow|obey|complywith|adhereto|heed|listento)(?:ing)?)"""
DROP = f"""{IGNORE}{FILL}{{0,5}}{SCOPE}{FILL}{{0,4}}{LOOSE}|{IGNORE}{FILL}{{0,5}}(?:all|any|every|
other){FILL}{{0,4}}{FIRM}|{IGNORE}{FILL}{{0,4}}{LOOSE}(?:you|we|were|have|that|which|written|
stated|given|set|up|to){{0,4}}(?:above|before|earlier|sofar|previously|in(?:agents|claude|skill)md|
bythesystem)|{IGNORE}(?:about)?(?:all|everything|anything|whatever|what)(?:that|which|was|were|has|
have|been|you|ve|i|we|just|ever|the|system|prompt|they){{0,5}}(?:told|said|know|learn|instructed|
taught|above|before|sofar|youare)|{IGNORE}(?:all|everything|anything|whatever|what)(?:is)?(?:in)?(?
:agents|claude|skill)md|(?:follow|obey)(?:only|nothingbut)?this(?:entry|note|memory|file|message|
page)(?:only|instead|alone)|(?:follow|obey)(?:only|nothingbut)this"""
SEIZE = f"""(?:overrid(?:e|ing)|b(?:yp|py)ass(?:ing)?|discard|abandon|circumvent|disable|drop|
skip){FILL}{{0,3}}(?:your|safety|ethical|previous|prior|above){FILL}{{0,3}}(?:{FIRM}|rules|
protocol|polic|checks)|(?:previous|prior|earlier|above|original|former){FILL}{{0,2}}{LOOSE}(?:are|
is|have|has)(?:now|hereby|been|all){{0,2}}(?:void|cancel|null|revoke|suspend|lifted|rescind|delet)|
stopbeing(?:an?|the)(?:assistant|ai|agent)|everythingyou(?:were|havebeen)told(?:sofar|before)?is|
forgetthatyouarean?(?:assistant|ai|agent)|set{FILL}{{1,3}}{LOOSE}aside|act(?:ing)?against{FILL}
{{0,3}}{LOOSE}|no(?:rules|limits|restrictions)(?:for|applyto)you|resetyourself|oppositeof(?:what)?(
?:agents|claude|skill)md|youare(?:now|nolonger)(?:a|an|the|in|operating|running|as){{0,2}}(?:unrest
rict|unfilter|uncensor|jailb|root|admin|developermode|godmode|free(?:from|of)|superuser|unlimited|
bound|restrict|subject)|youhaveno(?:more|ethical)?(?:restrict|limit|rules|constraint|filter|guide)|
(?:youare|actas|roleplayas|pretendyouare)(?:now)?(?:an?)?(?:dan(?![gc])|unrestrict|unfilter|
uncensor|jailb)|unrestricted(?:creative)?mode|(?:reveal|print|show|output|repeat|display|leak|
disclose|dump)(?:me|us|the|full|entire|verbatim|contentsof|all|of){{0,4}}(?:your|hidden|
secret){FILL}{{0,3}}(?:prompt|instructions)"""
STRICT = """(?:instructions?|guidelines?|directives?|orders|restrictions?|programming|safeguards?|
guardrails?|systemprompt|limitations?|constraints)"""
GONE = """(?:void|cancel|null|revoke|suspend|lifted|rescind|irrelevant|invalid|fake)"""
TURN = f"""(?:throwaway|throwout|replac(?:e|ing)|delet(?:e|ing)|eras(?:e|ing)|wipe|scrap|cancel|
lift|revoke|drop|abandon|discard|unlearn|reject|quit|leave|break|stopusing){FILL}{{0,2}}(?:your|
previous|prior|earlier|former){FILL}{{0,2}}{STRICT}|(?:your|previous|prior|earlier|original|former|
initial){FILL}{{0,2}}(?:{STRICT}|context)(?:above)?(?:are|is|have|has|were){{1,2}}(?:now|hereby|
been|all){{0,2}}{GONE}|{STRICT}(?:above|before|sofar)(?:are|is|have|has)(?:now|been|
all){{0,2}}{GONE}|your{STRICT}(?:are|have|has|is)(?:now|been|all|nolonger){{0,2}}(?:chang|replac|
obsolete|outdat|supersed|valid|inforce)|(?:ignor[a-z][a-z]?|skip|drop|abandon|break|leave|forget|
discard|disregard){FILL}{{0,4}}{LOOSE}(?:that|which)?(?:you|ve|got|sofar|have|were|been|had|
received|given|told|gave|from){{1,4}}(?:given|told|got|receiv|sofar|taught|learn)|(?:what|whatever|
everything|anything)(?:that)?(?:you|the|your|system|developers?|were|was|have|been|had){{0,5}}(?:to
ld|said|taught|instructed)(?:you|before|sofar|earlier|previously|by|the|system|above|to|
do){{0,4}}(?:dotheopposite|is(?:now)?(?:void|false|wrong|alie|irrelevant)|nolonger)|(?:not|
nolonger|never|stop|dont|cease|neednot)(?:to|haveto|needto|boundby|respect|follow|obey|apply|heed|
complywith|listento|ing){{1,3}}(?:the|any|of|what|is|in|rules|from){{0,4}}(?:agents|claude|
skill)md|nothing(?:written|said|stated)?in(?:agents|claude|skill)md(?:appl|bind|count|matter|hold)|
(?:nolonger|stop|cease|neednot|mustnot|nothaveto|noneed)(?:haveto|needto|to)?(?:follow|obey|
respect|heed)(?:ing)?(?:the|any|all|your|these){{0,2}}(?:rules|protocols?|polic(?:y|ies)|
guidelines|restrictions)(?:of|in|for|by)(?:this|the|your)|you(?:are|have|had)(?:now|hereby|
absolutely|currently)?(?:free(?:of|from)|without|no|notboundby)(?:any|all|more|of|such|ethical|
further|moral){{0,3}}(?:restrict|limit|rules|constraint|filter|guideline|boundar)|(?:actas|asif|
asthough|pretend)(?:if|that)?you(?:had|have|were|are)(?:no|free|without|unbound|notbound)|(?:not|
never|dont|stop)(?:follow|obey|respect|heed)(?:the|any|all|your|these){{0,2}}(?:repository|repo|
project|house|memory|system|store)s?(?:rules|protocol)|doas(?:this|the)(?:note|entry|memory|
file)says|(?:trust|believe|obey|follow)only(?:this|the)(?:note|entry|memory|file|message|text|
paragraph|document|page|lines?)|all(?:earlier|previous|prior|former)rules(?:are|do)(?:nolonger|not|
now)(?:valid|apply|inforce|binding|invalid|void)|youare(?:now)?(?:an?|the)?(?:assistant|ai|agent|
model|bot)(?:without|withno|freeof|thathasno)(?:any)?(?:restrict|limit|rules|filter)|enter(?:the)?(
?:developer|god|admin|root|unrestricted|dan)mode|youarenowin(?:the|a|an)?[a-z]{{3,14}}mode|(?:your|
as)new(?:systemprompt|instructions|orders|rules|identity)|newsystemprompt(?:you|is|follow|below|
act)|(?:reverse|opposite)ofwhat(?:ever)?(?:you|your|the|developers?|creators?|were|have|been|
system){{1,3}}(?:asked|told|said|instruct|want)|treat(?:the)?(?:text|following|message|note|
content)(?:below|above)?asyour|(?:pretend|actas(?:if|though)|imagine|assume)(?:that)?(?:the|your|
these|all|you|there){{0,3}}(?:protocol|rules|instructions|restrictions|gate|guidelines|polic(?:y|
ies)|guardrails)(?:do|does|did|are|is|had|have|were|never){{1,2}}(?:not|nt|no|longer)?(?:exist|
apply|bind|count|gone|void|matter)|onlythis(?:note|entry|memory|file|message|text)(?:counts|
applies|matters|isvalid|istrue)|(?:answer|obey|report|listen|respond|serve)onlyto(?:me(?![a-z]
{{3,}}ed)|this)"""
# Of the squashed reading: words of the text that call a pattern, pieces of the
# reading that do, and the pattern.
DROPPED = listed(
    """ignore ignoring disregard disregarding forget forgetting neglect aside
attention follow following obey obeying comply adhere heed"""
)
SEIZED = listed(
    """override overriding bypass bpyass bypassing discard disable abandon circumvent
void cancelled canceled revoked suspended lifted rescinded deleted drop skip being everything
forget aside against rules reset opposite"""
)
YOURS = listed("""youareno youhaveno youaredan unrestrict yourpro yoursys yourhid""")
TURNS = listed(
    """throw replace replacing delete erase wipe scrap cancel lift revoke drop abandon
discard unlearn reject quit leave break void cancelled canceled null revoked suspended lifted
irrelevant invalid fake changed replaced obsolete outdated opposite longer never dont cease nothing
free mode treat pretend imagine act if though only new no skip forget ignore stop not without"""
)
RULED = listed(
    """instruction instructions guidelines directives orders restrictions programming
safeguards guardrails prompt limitations constraints rules rule protocol policy context agents
claude skill mode told said filters limits boundaries entry note me paragraph"""
)
SPOKEN = listed(
    """your you previous prior earlier former original initial above told said taught
instructed agents claude skill mode pretend imagine assume act treat only follow obey"""
)
PHRASES = (
    ((DROPPED,), ("ignor", "disreg", "ingor", "igon"), DROP),
    ((SEIZED,), YOURS, SEIZE),
    ((TURNS, RULED, SPOKEN), (), TURN),
)
# The same in other languages: verb, reach and object in one sentence, in any order.
OBJECTS = listed(
    """instruccion órdenes directrices indicaciones consignes règles directives
anweisung instructions regeln vorgaben richtlinien befehle instruç instruc regras ordens istruzion
regole reglas direttive инструкц правил указани ограничен prompt промпт instructies regels
opdrachten instrukcj polece zasad talimat kural yönerge تعليمات أوامر قواعد निर्देश नियम आदेश hướng
chỉ instruksi perintah aturan 指令 指示 规则 規則 规定 規定 提示 设定 設定 约束 限制 命令 ルール
プロンプト 制約 지시 명령 규칙 프롬프트 지침 คำสั่ง вказівк"""
)
PLAIN = listed(
    """instrucciones reglas indicaciones consignes directives instructions regeln
anweisungen vorgaben richtlinien befehle regras ordens istruzioni regole direttive prompt
instructies regels opdrachten instrukcje polecenia zasady talimatlar kurallar instruksi perintah
aturan"""
)
FORGET = r"""\b(?:ignor(?:a|e|ad|ez|en|i|iere|ieren|er|iert|are)(?:mos)?\b|olvid|descart|desobede|
haz caso omiso|no hagas caso|oubli|néglige|fai\w{1,3} abstraction|compte|vergiss|vergess|missacht|
verwirf|überschreib|außer kraft|esque[çc]|desconsider|dimentic|trascur|non tener|(?:про)?игнорир|
забудь|забыть|отбрось|не обращай|не следуй|ігнор|negeer|vergeet|z?ignoruj|zapomnij|pomiń|yok say|
unut|görmezden|dikkate alma|bỏ qua|phớt lờ|quên|abaikan|lupakan|non (?:seguire|rispett)|
no (?:sigas|obedezcas)|ne (?:suis|suivez|tenez|respect)|não siga|обойди|обход)|تجاهل|انس|अनदेखा|
भूल|नज़रअंदाज़|उपेक्षा|忽略|无视|無視|忘记|忘記|忘掉|忘れ|不要理会|不要理會|抛开|拋開|推翻|绕过|繞過|
不[再必要用](?:遵[守循从]|服从|理会)|停止遵[守循]|破棄|従わな|従う必要|取り消|무시|잊어|잊고|
따르지|เพิกเฉย"""
REACH = r"""\b(?:tod[ao]s|toutes?|tous|alle[rns]?|tutt[ei]|anterior|previ|précéd|antérieur|
ci-dessus|vorherig|bisherig|obig|früher|precedent|acima|arriba|sopra|все|всех|предыдущ|выше|прежн|
eerder|vorige|bovenstaand|poprzedni|wszystk|powyższ|önceki|tüm|bütün|yukar|trước|tất cả|sebelum|
semua|di atas|tus\b|tes\b|vos\b|dein|ihre?\b|suas\b|tue\b|свои|твои|системн|sistem|système|
попередн)|السابقة|جميع|كل|أعلاه|पिछल|सभी|उपरोक्त|पहले|之前|以前|先前|上面|上述|以上|此前|前面|所有|
全部|一切|任何|你的|您的|系统|系統|原有|これまで|上記|前の|すべて|全て|あらゆる|今まで|システム|
이전|위의|앞의|모든|기존|지금까지|시스템|ก่อนหน้า|ทั้งหมด"""
STOP = r"[.!?。\n]"
NEGATED = r"""\b(?:never|not|n't|cannot|no (?:entry|one|agent)|nobody|nor|refus\w{1,4}|
forbid\w{0,4}|avoid)\b[^,;:.\n]{0,48}$"""


# Other orders in other languages: to be silent, to act unasked, free of limits, first.
ABROAD = r"""\bno (?:se |les? |lo )*(?:dig|inform|mencion|cuent|revel|avis)\w*[^.\n]{0,40}(?:usuari
|nadie|human)|\bn(?:e |')(?:l[eu]i? |l')?(?:dis|dites|inform\w+|mentionn\w+|révél\w+|prév\w+|
parl\w+)\b[^.\n]{0,40}(?:utilisat|personne|humain)|\b(?=[^.\n]{0,80}\b(?:nicht|nichts|nie|niemals|
niemand\w*)\b)(?:sag|erzähl|informier|erwähn|verrat|mitteil|teil)\w*\b[^.\n]{0,40}\b(?:be)?(?:nutze
r|anwender|niemand)|\bnão (?:cont|dig|inform|mencion|revel)\w*[^.\n]{0,40}(?:usuári|utilizador|
ninguém)|\bnon (?:dir|inform|menzion|rivel)\w+[^.\n]{0,40}(?:utente|nessuno)|\b(?:vertel|zeg|
meld)\w*\b[^.\n]{0,24}\b(?:gebruiker|niemand)\b[^.\n]{0,16}\b(?:niet|niets|nooit)|\bnie (?:mów|
informuj|wspominaj|ujawniaj)\b[^.\n]{0,24}(?:użytkownik|nikomu)|kullan.c.\w*[^.\n]{0,20}(?:söyleme|
bildirme|bahsetme)|(?:đừng|không)[^.\n]{0,6}(?:nói|báo|tiết lộ)[^.\n]{0,20}người dùng|jangan (?:be
ri ?tahu|katakan|sebut)\w*[^.\n]{0,20}(?:pengguna|siapa)|\bno tienes (?:ningun\w* |más )*(?:restric
|límit|reglas)|\btu n'as (?:plus )?(?:aucune?|de) (?:restric|limit|règle)|\bdu hast (?:\w+ ){0,4}ke
ine (?:\w+ )?(?:einschr|regeln|grenzen|beschr)|\bnão tem (?:mais |nenhum\w* )*(?:restri|limit|
regras)|\bnon hai (?:più )?(?:alcun\w* )?(?:restriz|limit|regole)|\b(?:olvida|ignora) todo lo que|
\b(?:oublie|ignore) tout ce qu|\b(?:vergiss|ignoriere) alles,? was|\b(?:esqueça|ignore) tudo|
\b(?:dimentica|ignora) tutto (?:quello|ciò)|\bvergeet alles|\bzapomnij (?:o )?wszystk|
usuario (?:ya )?(?:aprobó|autorizó|aceptó|ha (?:aprobado|autorizado))[^.\n]{0,10}tod|
utilisateur a (?:déjà )?(?:approuvé|autorisé|accepté)[^.\n]{0,10}tou|utente ha (?:già )?(?:approvat
o|autorizzato)[^.\n]{0,10}tutt|usuário (?:já )?(?:aprovou|autorizou)[^.\n]{0,10}tod|(?:be)?nutzer h
at[^.\n]{0,6}(?:all|jed|im voraus)[^.\n]{0,30}(?:zugestimmt|genehmigt|erlaubt|freigegeben)|
comme si tu n'avais|als hättest du keine|como si no tuvieras|(?:prioridade?|priorité|vorrang|
priorità|приоритет)\b[^.\n]{0,24}(?:agents\.md|claude\.md|instru|regl?as|règles|regeln|anweis|
regole|правил|инструк)|\b(?:env[oií]\w*|schick\w*|send\w*|отправ\w*|invia\w*)\b[^.\n]{0,40}(?:conve
rsa|\.env|clés?\b|claves|mots? de passe|contraseñ|schlüssel|passw|ключ|парол|токен|chiavi|
senhas)[^\n]{0,30}(?:https?://|\w@\w)"""
FAR = r"""(?:не|ніколи|никогда) (?:говори|сообщай|рассказывай|упоминай|раскрывай|кажи|повідомляй)\w
*[^.\n]{0,30}(?:пользовател|никому|користувач|нікому)|(?:不要|[别別]|勿|不得|禁止|不可|不能|
[绝絕]不)[^。,\n]{0,14}(?:告诉|告訴|透露|提及|提到|通知|告知)[^。\n]{0,12}(?:用[户戶]|使用者|
任何人|他人|人[类類])|(?:ユーザー?|利用者|誰|使用者|人間)[^。\n]{0,16}(?:知らせ|言わ|伝え|教え|
話さ|明かさ)(?:ない|ず|るな|てはいけ|てはなら)|(?:사용자|누구|아무)[^.\n]{0,16}(?:알리지|말하지|
언급하지|공개하지)|لا (?:تخبر|تقل|تذكر|تكشف)[^.\n]{0,20}(?:المستخدم|أحد)|тебя (?:больше )?нет (?:\w
+ )?(?:ограничен|правил)|(?:[你您](?:[现現]在)?(?:是|已)[^。\n]{0,10}(?:[没沒]有|不受)|
不再受)[^。\n]{0,8}(?:限制|[约約]束|[规規][则則])|あなたは[^。\n]{0,12}(?:制限の?な|無制限)|
(?:너는|당신은)[^.\n]{0,14}(?:제한|제약)이? ?없|(?:规则|規則|指示|指令|ルール)[^。\n]{0,6}より[^。
\n]{0,3}優先|[优優]先[于於][^。\n]{0,8}(?:规则|規則|指示|指令)|(?:규칙|지시)보다 우선|(?:забудь|
игнорируй) вс[её]\b|(?:\.env|id_rsa|密[钥鑰码碼]|凭[据证]|[对對][话話]|비밀번호)[^。\n]{0,30}(?:[发
發]送|上[传傳]|[传傳]送|送信|アップロード|전송|보내)[^。\n]{0,12}(?:https?://|\w@\w)|(?:https?://\S
{1,80}|\w@\w\S{1,40}) ?(?:に|へ|로)[^。\n]{0,24}(?:送信|アップロード|전송)|(?:指示|ルール|命令|
プロンプト)[^。\n]{0,6}(?:無効|忘れ|無視|従わな|破棄)|пользовател\w* (?:заранее|уже) (?:разреш|
одобр|соглас)|(?:ユーザー?|利用者)は?[^。\n]{0,14}(?:承認|許可|同意)(?:し|済)|用[户戶](?:已[经經]?|
事先)[^。\n]{0,4}(?:批准|同意|授[权權]|允[许許])[^。\n]{0,4}(?:所有|全部|任何|一切)|사용자(?:는|
가)[^.\n]{0,16}(?:승인|허락|동의)했|как будто.{0,3}тебя нет|(?:不要|别|不必|无需|不用)再?[询詢]?[问
問]用[户戶]"""
# Unasked, and of everything: in one sentence.
UNASKED = r"""\b(?:sin (?:avisar|pedir|preguntar|solicitar|confirm|permiso|autoriz)|sans (?:préveni
r|avertir|demander|confirm|autoris|permission|poser)|ohne (?:\w+ ){0,3}(?:rück|nach|bestätig|
zustimm|zu frag|erlaubn)|sem (?:avisar|pedir|pergunt|confirm|permiss|autoriz)|senza (?:avvis|chied|
conferma|permess|autorizz)|zonder (?:te vragen|bevestig|toestemm)|bez (?:pytania|potwierdz|zgody|
підтвердж)|без (?:подтвержд|разреш|спроса|соглас|запроса)|tanpa (?:konfirm|izin|bertanya)|(?:onay|
izin) (?:almadan|istemeden)|không cần (?:xác nhận|hỏi))|(?:[无無]需|不需要|不用|不必|
免)[^。\n]{0,4}(?:[确確][认認]|批准|[许許]可|同意|[询詢][问問]|授[权權])|(?:確認|許可|
承認)(?:を)?(?:な|せず|取らず|求めず|不要)|(?:확인|승인|허락|동의) ?없이"""
EVERY = r"""\b(?:tod[oa]s?|cualquier|tout\w*|alle[ns]?|jede[nrs]?|qualquer|tutt[oiae]|ogni|
qualsiasi|elke|wszystk\w*|tüm|her|semua|mọi|вс[её]|всех|любы\w*|кажд\w*)\b|所有|任何|全部|一切|
每次|すべて|全て|どんな|모든"""
TONGUES = listed(
    """sin sans ohne sem senza zonder bez tanpa nicht nichts nie niemals niemand
tienes jamais personne nadie nada nunca niets niet prioridad prioridade vorrang keine olvida oublie
envoyer envoie invia schick schicke vergiss ignoriere vergeet zapomnij aucune tout tutto nessuno
usuario utilisateur utente usuário nutzer benutzer claves avais tuvieras"""
)


def phrases(low: str, words: set[str]) -> Iterator[int]:
    """Where an override phrase stands, however it is spaced, stressed or spelled."""
    squash = low.translate(SQUASH)
    kept: list[int] = []  # where each letter stood
    for calls, pieces, pattern in PHRASES:
        called = not any(words.isdisjoint(call) for call in calls)
        if not called and not any(piece in squash for piece in pieces):
            continue
        for match in rx(pattern.replace("l", "i")).finditer(squash):
            kept = kept or [i for i, c in enumerate(low) if SQUASH.get(ord(c), c)]
            start, end = kept[match.start()], kept[match.end() - 1]
            broken = rx(r"[a-z][.;:!?]\s+[a-z]{2}|\x0a\s*\x0a").search(low, start, end)
            denied = rx(NEGATED).search(low[max(0, start - 60) : start])
            if not (start and low[start - 1].isalnum()) and not broken and not denied:
                yield start


def foreign(low: str, words: set[str]) -> Iterator[int]:
    """Where another language speaks of setting aside what was ordered before."""
    far = not low.isascii() and rx("[\u0370-\u1fff\u3040-\ud7af]").search(low)
    near = far or (not low.isascii() and rx("[\xdf-\u024f]").search(low))
    stems = OBJECTS if near else words & PLAIN
    for start, end in spots(low, stems):
        said = rx(STOP).split(low[max(0, start - 70) : start])[-1]
        said += rx(STOP).split(low[start : end + 70])[0]
        if rx(REACH).search(said) and rx(FORGET).search(said):
            yield start
    if not far and words.isdisjoint(TONGUES):
        return
    for orders in (ABROAD, FAR) if far else (ABROAD,):
        yield from (match.start() for match in rx(orders).finditer(low))
    for match in list(rx(UNASKED).finditer(low))[:99]:
        said = rx(STOP).split(low[max(0, match.start() - 70) : match.start()])[-1]
        said += rx(STOP).split(low[match.start() : match.end() + 70])[0]
        if rx(EVERY).search(said):
            yield match.start()
