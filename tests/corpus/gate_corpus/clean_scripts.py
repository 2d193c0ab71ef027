"""Entries in many languages and scripts, with the invisible characters that their
spelling needs (written as placeholders here). All are clean."""

BLOCKS = r"""
@@ legit_script semantic
یادداشت نیم<<zwnj>>فاصله
cue: نمایش نادرست نیم<<zwnj>>فاصله در گزارش<<zwnj>>ها

گزارش<<zwnj>>ها باید نیم<<zwnj>>فاصله را نگه دارند؛ تابع `normalize` آن را حذف می<<zwnj>>کند.

@@ legit_script semantic
راه<<zwnj>>اندازی محیط محلی
cue: راه<<zwnj>>اندازی محیط محلی روی لپ<<zwnj>>تاپ

پیش از اجرا، مهاجرت<<zwnj>>ها را با `make migrate` انجام دهید و سپس سرویس<<zwnj>>ها را اجرا کنید.

@@ legit_script semantic
رمز عبور در پایگاه داده
cue: پرسش درباره نگه<<zwnj>>داری رمز عبور

رمز عبور فقط به صورت درهم<<zwnj>>سازی شده نگه<<zwnj>>داری می<<zwnj>>شود و در گزارش<<zwnj>>ها نمی<<zwnj>>آید.

@@ legit_script semantic
हिंदी खोज में संयुक्ताक्षर
cue: हिंदी खोज में संयुक्ताक्षर नहीं मिलते

`क्<<zwj>>ष` और `क्ष` को एक ही माना जाए; अनुक्रमणिका बनाते समय NFC लागू करें।

@@ legit_script semantic
परीक्षण चलाने का तरीका
cue: परीक्षण धीमे चलते हैं

हमेशा `make test` से चलाएँ, सीधे नहीं; कार्यकर्ता चार से अधिक न हों।

@@ legit_script semantic
मराठी नामों का क्रम
cue: मराठी नाम गलत क्रम में आते हैं

`र्<<zwj>>य` वाले नामों के लिए ICU का क्रम लगाएँ।

@@ legit_script semantic
ملاحظة عن ترتيب الأعمدة
cue: ترتيب الأعمدة في التقرير خاطئ

تُعرض الأعمدة من اليمين إلى اليسار، والأرقام تبقى كما هي.

@@ legit_script semantic
تشغيل الاختبارات
cue: تشغيل الاختبارات على الحاسوب المحمول

شغّل الاختبارات دائمًا قبل الدفع، ولا تدفع إلى الفرع الرئيسي مباشرة.

@@ legit_script semantic
הערה על כיוון הטקסט
cue: כיוון הטקסט בדוח שגוי

הדוח מוצג מימין לשמאל; קטעי קוד נשארים משמאל לימין בעזרת `dir="ltr"`.

@@ legit_script semantic
הרצת הבדיקות
cue: הבדיקות איטיות במחשב נייד

תמיד להריץ `make test` לפני דחיפה, ולא לדחוף ישר לענף הראשי.

@@ legit_script semantic
การตัดคำภาษาไทย
cue: ค้นหาคำภาษาไทยไม่พบ

ภาษาไทยไม่มีช่องว่าง ต้องใช้ ICU ตัดคำก่อนทำดัชนี

@@ legit_script semantic
การทดสอบบนเครื่อง
cue: การทดสอบบนเครื่องล้มเหลว

ต้องรัน `make migrate` ก่อนเสมอ แล้วจึงเริ่มบริการ

@@ legit_script semantic
中文分词的字典
cue: 中文搜索结果不准确

分词字典在 `search/dict.txt`,修改后要重建索引,大约需要十分钟。

@@ legit_script semantic
部署前的检查
cue: 部署到生产环境之前

始终先运行迁移,再启动服务;不要强制推送到主分支。

@@ legit_script semantic
測試資料的產生方式
cue: 需要產生測試資料的時候

測試資料由 `make seed` 產生,名稱都是虛構的。

@@ legit_script semantic
日本語の改行規則
cue: 日本語の改行がおかしい

行頭に句読点が来ないように `line-break: strict` を使う。

@@ legit_script semantic
リリース手順の注意
cue: リリースするとき

必ずマイグレーションを先に実行し、main には強制プッシュしないこと。

@@ legit_script episodic
全角文字で検索が失敗した
cue: 全角文字で検索が失敗する

Context: 全角のABC123で検索すると結果が出なかった。
Action: 索引を作る前に NFKC で正規化した。
Result: 半角と全角の両方で見つかる。
Lesson: 入力と索引を同じ方法で正規化する。

@@ legit_script semantic
한글 자모 정규화
cue: 파일 이름의 한글이 깨질 때

맥에서는 NFD로 저장되므로 비교하기 전에 NFC로 바꾼다.

@@ legit_script semantic
배포 전 확인 사항
cue: 운영 환경에 배포할 때

항상 마이그레이션을 먼저 실행하고, main에는 강제 푸시하지 않는다.

@@ legit_script semantic
Порядок выпуска
cue: выпуск новой версии

Всегда запускать миграции до перезапуска, в main напрямую не пушить.

@@ legit_script semantic
Збірка на ноутбуці
cue: збірка на ноутбуці повільна

Тримайте кеш у `.cache/`, він пришвидшує збірку вдвічі.

@@ legit_script semantic
Ταξινόμηση ελληνικών ονομάτων
cue: ελληνικά ονόματα σε λάθος σειρά

Οι τόνοι αγνοούνται στην ταξινόμηση· χρησιμοποιήστε τη σύγκριση του ICU.

@@ legit_script semantic
Umlaute in Dateinamen
cue: Umlaute in Dateinamen gehen verloren

Dateinamen immer als NFC speichern; das Archiv vom Mac liefert NFD.

@@ legit_script semantic
Espaces insécables en français
cue: espaces avant la ponctuation

Une espace insécable précède le point d'interrogation : voir<<nbsp>>? Le vérificateur
l'accepte.

@@ legit_script semantic
Türkçe büyük harf sorunu
cue: Türkçe büyük harf karşılaştırması

`i` harfi `İ` olur; karşılaştırmadan önce dil belirtin.

@@ legit_script semantic
Tên tiếng Việt có dấu
cue: tìm tên tiếng Việt không dấu

Bỏ dấu khi lập chỉ mục, giữ dấu khi hiển thị.

@@ legit_script semantic
தமிழ் எழுத்துரு
cue: தமிழ் எழுத்து சரியாக தெரியவில்லை

அச்சு பதிப்பில் Noto எழுத்துருவைப் பயன்படுத்தவும்.

@@ legit_script semantic
বাংলা যুক্তাক্ষর
cue: বাংলা যুক্তাক্ষর ভুল দেখায়

`র<<zwj>>্য` লিখতে ZWJ লাগে, ফিল্টার যেন তা না সরায়।

@@ legit_script semantic
മലയാളം ചില്ലക്ഷരം
cue: മലയാളം ചില്ലക്ഷരം തെറ്റായി വരുന്നു

പഴയ രൂപം `ന്<<zwj>>` എന്നാണ്, പുതിയത് `ൻ`; രണ്ടും ഒന്നായി കാണുക.

@@ legit_script semantic
සිංහල අකුරු
cue: සිංහල අකුරු වැරදියට පෙන්වයි

`ශ්<<zwj>>රී` වැනි වචනවල ZWJ තබා ගන්න.

@@ legit_script semantic
Flags of the home nations
cue: flags in the language menu

England is <<england>>, Scotland is <<scotland>>; both are one glyph each, do not cut them.

@@ legit_script semantic
Family emoji and counting
cue: length of a text with emoji

👨<<zwj>>👩<<zwj>>👧 is one character on screen and five code points; count by grapheme.

@@ legit_script semantic
Rainbow flag in names
cue: rainbow flag in a display name

🏳<<vs16>><<zwj>>🌈 must pass the name check, it is one glyph.

@@ legit_script semantic
Heart with a text form
cue: heart is shown in black

❤ without selector is text, ❤<<vs16>> is the emoji; mails use the second.

@@ legit_script semantic
Status marks in the report
cue: marks in the status report

✅ done, ⚠<<vs16>> late, ❌ failed; 1<<vs16>>⃣ is the first priority.

@@ legit_script semantic
Profession emoji in the team page
cue: emoji on the team page

👩🏽<<zwj>>💻 has a skin tone and a joiner; keep both.

@@ legit_script semantic
Polskie znaki w raportach
cue: polskie znaki w raportach

Raporty zapisujemy w UTF-8; arkusz potrzebuje znacznika, dodaje go eksport.

@@ legit_script semantic
Kaksikielinen käyttöliittymä
cue: suomen ja ruotsin kielen vaihto

Kieli luetaan käyttäjän asetuksista, ei selaimesta.

@@ legit_script semantic
Mathematics in the docs
cue: formulas in the docs

∀x∈ℝ: x²≥0 is written as text; the fonts have ℝ and ℵ₀.

@@ legit_script semantic
Fractions and ligatures in imports
cue: import has odd letters

The supplier sends ½, ﬁ and ①; NFKC makes 1⁄2, fi and 1 of them.

@@ legit_script semantic
Քննարկման կանոններ
cue: քննարկման կանոններ

Միշտ գործարկել թեստերը մինչև ուղարկելը։

@@ legit_script semantic
ტესტების გაშვება
cue: ტესტების გაშვება ლოკალურად

ყოველთვის გაუშვით მიგრაციები სერვისამდე.

@@ legit_script semantic
اردو متن کی سمت
cue: اردو متن کی سمت غلط ہے

اردو متن دائیں سے بائیں ہے، مگر نمبر بائیں سے دائیں لکھے جاتے ہیں۔

@@ legit_script semantic
كوردی و نیم<<zwnj>>بۆشایی
cue: وشە<<zwnj>>کان بە هەڵە دەنووسرێن

وشەی نیم<<zwnj>>بۆشایی وەک یەک وشە دەگەڕێت و نابێت دابەش بکرێت.
"""
