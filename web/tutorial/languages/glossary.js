// One word for each thing, in each language. A text whose English has a term must have the language's word for it, and no text may have a
// word that another one stands for: tests/tutorial/glossary.test.js. The terms are Google's where its documentation is translated.

/**
 * @typedef {object} Term A pattern of its word in each language, without vowel marks in Arabic.
 * @property {RegExp} en
 * @property {RegExp} de
 * @property {RegExp} es
 * @property {RegExp} ar
 * @property {RegExp} tr
 * @property {RegExp} ja
 * @property {{[tag: string]: RegExp}} [never] Words of another term, which texts about this one do not use.
 */

/** @type {{[term: string]: Term}} */
export const GLOSSARY = {
  shard: { en: /\bshards?\b/i, de: /Shard/, es: /fragmento/i, ar: /جزء|جزأ|جزآن|أجزا/, tr: /parça/i, ja: /シャード/ },
  'sharded query': { en: /\bsharded query\b/i, de: /alle.* Shards/, es: /consulta fragmentada/i, ar: /استعلاما? (ال)?مجزأ/, tr: /parçalanmış sorgu/i, ja: /シャードをまたぐクエリ/ },
  'distributed counter': { en: /\bdistributed counters?\b/i, de: /verteilte[rn]? Zähler/i, es: /contador(es)? distribuido/i, ar: /عداد(ات)? ?(ال)?موزع/, tr: /dağıtılmış saya/i, ja: /分散カウンタ/ },
  counter: { en: /\bcounters?\b/i, de: /Zähler/, es: /contador/i, ar: /عداد/, tr: /saya/i, ja: /カウンタ/ },
  increment: { en: /\bincrements?\b/i, de: /[Ee]rhöh/, es: /increm[eé]nt/i, ar: /زياد|يزاد|زد|يزيد|تزيد/, tr: /artır/i, ja: /インクリメント/ },
  marker: { en: /\bmarkers?\b/i, de: /Marker/, es: /marcador/i, ar: /علام/, tr: /[iİ]şaret/i, ja: /マーカー/ },
  commit: { en: /\bcommits?\b/i, de: /Commit/, es: /commit/i, ar: /دفع(ة|ات) (ال)?كتابة/, tr: /commit/i, ja: /コミット/ },
  read: { en: /\breads?\b/i, de: /[Ll]es|liest|Lies/, es: /lect|lee|lea|leí/i, ar: /قر[اأ]|مقروء/, tr: /oku/i, ja: /読/ },
  write: { en: /\bwrites?\b/i, de: /[Ss]chreib/, es: /escri/i, ar: /كتاب|[يت]كتب/, tr: /yaz/i, ja: /書/ },
  bill: { en: /\bbill(s|ed)?\b/i, de: /[Rr]echn/, es: /factur/i, ar: /فوت/, tr: /faturalandır/i, ja: /課金/, never: { ar: /حتسب/ } },
  index: { en: /\bindex(es)?\b/i, de: /Index/, es: /índice/i, ar: /فهرس|فهارس/, tr: /dizin/i, ja: /インデックス/ },
  query: { en: /\bquer(y|ies)\b/i, de: /[Aa]bfrag/, es: /consult/i, ar: /استعل/, tr: /sorgu/i, ja: /クエリ/ },
  chunk: { en: /\bchunks?\b/i, de: /Chunk/, es: /chunk/i, ar: /حزم/, tr: /öbe[kğ]/i, ja: /チャンク/ },
  tablet: { en: /\btablets?\b/i, de: /Tablet/, es: /tablet/i, ar: /لوح|ألواح/, tr: /tablet/i, ja: /タブレット/ },
  timestamp: { en: /\btimestamps?\b/i, de: /Zeitstempel/, es: /marcas? de tiempo/i, ar: /طابع|طوابع/, tr: /zaman damga/i, ja: /タイムスタンプ/ },
  document: { en: /\bdocuments?\b/i, de: /Dokument/, es: /documento/i, ar: /مستند/, tr: /belge/i, ja: /ドキュメント/ },
  collection: { en: /\bcollections?\b/i, de: /Sammlung/, es: /colecci/i, ar: /مجموع/, tr: /koleksiyon/i, ja: /コレクション/ },
  field: { en: /\bfields?\b/i, de: /Feld/, es: /campo/i, ar: /حقل|حقول/, tr: /alan/i, ja: /フィールド/ },
  request: { en: /\brequests?\b/i, de: /Anfrage/, es: /solicitud/i, ar: /طلب/, tr: /[iİ]ste[kğ]/i, ja: /リクエスト/ },
  answer: { en: /\banswers?\b/i, de: /[Aa]ntwort/, es: /resp(uesta|ond)/i, ar: /رد|جواب/, tr: /yanıt/i, ja: /応答|答え/ },
  total: { en: /\btotals?\b/i, de: /Gesamtzahl/, es: /total/i, ar: /إجمالي/, tr: /toplam/i, ja: /合計/ },
  'security rules': { en: /\bsecurity rules\b/i, de: /Sicherheitsregeln/, es: /reglas de seguridad/i, ar: /قواعد الأمان|قواعد أمان/, tr: /güvenlik kuralları/i, ja: /セキュリティ ルール/ },
  rule: { en: /\brules?\b/i, de: /[Rr]egel/, es: /regla/i, ar: /قاعد|قواعد/, tr: /kural/i, ja: /ルール|目安/ },
  id: { en: /\bids?\b/i, de: /ID/, es: /ID/, ar: /معرف/, tr: /kimli/i, ja: /ID/ },
  'id sequence': { en: /\b(id )?sequence\b/i, de: /Folge/, es: /secuencia/i, ar: /تسلسل/, tr: /kimlik sıra/i, ja: /ID シーケンス/ },
  block: { en: /\bblocks?\b(?! ;)/i, de: /Bl[oö]ck/, es: /bloque/i, ar: /كتل/, tr: /blo[kğ]/i, ja: /ブロック/ },
  like: { en: /\blikes?\b(?! here)/i, de: /Like|Gefällt mir/, es: /Me gusta|gusta/i, ar: /إعجاب|أعجب/, tr: /beğen/i, ja: /いいね/ },
  ticket: { en: /\btickets?\b/i, de: /Ticket/, es: /entrada/i, ar: /تذكر|تذاكر/, tr: /bilet/i, ja: /チケット|枚/ },
  token: { en: /\btokens?\b/i, de: /Token/, es: /token/i, ar: /رمز/, tr: /jeton/i, ja: /トークン/ },
  emulator: { en: /\bemulators?\b/i, de: /Emulator/, es: /emulador/i, ar: /محاكي/, tr: /emülatör/i, ja: /エミュレータ/ },
  'embedded Firestore': { en: /\bembedded\b/i, de: /dieser Seite/, es: /esta página/i, ar: /هذه الصفحة/, tr: /bu sayfa/i, ja: /このページ/ },
};

/**
 * Words that no text of a language uses, because the glossary has another word for the thing.
 * @type {{[tag: string]: RegExp[]}}
 */
export const NEVER = {
  en: [/\bsharded counter/i, /\bserial number/i, /\bpartition/i, /\bcharge[sd]?\b/i, /\btext field/i],
  de: [/Inkrement/, /Zuwachs/, /Splitter/, /Verzeichnis/, /Kollektion/, /Lesezugriff/, /Schreibzugriff/, /Zeitmarke/, /Index der Zeit/, /Kennzeichen/],
  es: [/\bincrementar el contador en/i, /petici[oó]n/i, /quizá(?!s)/i, /\bagreg/i, /\btrozo/i, /timestamp/i, /índice del tiempo/i, /\bcargo\b/i, /\bcobra/i],
  ar: [/كتابات/, /(?<!\p{L})([يت]حسب|حسبت)(?!\p{L})/u, /شظايا/, /(?<!\p{L})العامل(?!\p{L})/u, /الصدفة/, /تفرق/, /(?<!\p{L})الصوت(?!\p{L})/u],
  tr: [/artış/i, /denetle/i, /\bokurlar/i, /indeks/i, /kimlik dizisi/i, /diziyi oluştur/i, /\bçalışanı/i, /tek başına zaman/i],
  ja: [/加算/, /増分/, /採番/, /インデックスのファイル/, /お試し/, /断片/, /タイム スタンプ/, /カウンター/],
};
