#include "indexes/name_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace shardline {
namespace {

enum class Kind : std::uint8_t {
  kUnknown,
  kHappened,   // created: a moment even alone.
  kEvent,      // creation: a moment beside any word of time.
  kAction,     // login: a moment beside a word of time, if the name says nothing else.
  kRecord,     // order: the same beside a date; or beside `number` a running number.
  kMoment,     // timestamp, seq: rises behind any other word.
  kTime,       // date: a moment if the name says nothing else.
  kPart,       // at.
  kWeak,       // day, or `data`, a date in some languages: time beside kHappened and kEvent only.
  kQualifier,  // utc, ms: changes nothing.
  kLast,
  kRunning,  // version: rises if the name says nothing else.
  kNumber,
  kPlanned,  // A moment that the app chooses, or no moment.
};

struct Words {
  Kind kind;
  // In small letters, and Latin ones without marks.
  std::string_view list;
};

constexpr Words kVocabulary[] = {
    // English
    {Kind::kHappened,
     "created updated modified added published registered sent posted uploaded logged submitted "
     "inserted received joined recorded ingested"},
    {Kind::kHappened, "createdate createdtime"},
    {Kind::kEvent,
     "creation modification registration publication insertion submission edited changed saved "
     "seen viewed visited synced enrolled signed uploading archived processed completed finished "
     "ordered purchased paid reported refreshed written taken opened closed requested crawled "
     "fetched imported exported executed observed measured captured indexed stored"},
    {Kind::kAction,
     "create update modify insert add save register login logon signin signup join upload change "
     "edit sync refresh access active activity visit online heartbeat ping backup check log "
     "record purchase payment sale comment arrived"},
    {Kind::kRecord,
     "order invoice receipt ticket transaction txn booking document doc entry post pub publish "
     "send message msg submit issue report case row line block bill voucher"},
    {Kind::kMoment,
     "timestamp timestmp tstamp ts ctime mtime seq seqno seqnum sequence since ulid ksuid "
     "snowflake autoincrement"},
    {Kind::kTime, "date time datetime dt stamp when millis epoch instant"},
    {Kind::kPart, "at on"},
    {Kind::kWeak, "day hour data"},
    {Kind::kQualifier,
     "ms msec utc gmt unix iso server local sec secs seconds nanos micros system db firestore "
     "first local str string raw"},
    {Kind::kLast, "last latest recent"},
    {Kind::kRunning, "version increment revision rev offset"},
    {Kind::kNumber, "number no nr num"},
    {Kind::kPlanned,
     "birth birthday dob due start starts end ends appointment expire expires expired expiry "
     "expiration deleted scheduled schedule planned expected estimated until next target deadline "
     "reminder wedding anniversary valid effective duration elapsed cook life best delivery "
     "departure arrival reserved zone addon out timeout required allowed limit format"},
    // German, Dutch
    {Kind::kHappened,
     "erstellt aktualisiert geandert geaendert angelegt gesendet registriert hinzugefugt "
     "hinzugefuegt veroffentlicht veroeffentlicht gespeichert aangemaakt gemaakt bijgewerkt "
     "gewijzigd toegevoegd geplaatst verzonden"},
    {Kind::kEvent,
     "erstellung erstell anlage anderung anderungs aenderung aktualisierung registrierung "
     "anmeldung eingang versand veroffentlichung veroeffentlichung bestell buchung aanmaak "
     "wijziging registratie"},
    {Kind::kMoment, "zeitstempel zeitpunkt tijdstempel tijdstip"},
    {Kind::kTime, "datum zeit uhrzeit tijd"},
    {Kind::kWeak, "am um op tag"},
    {Kind::kLast, "letzte letzter letztes zuletzt laatste laatst"},
    {Kind::kRecord, "rechnung rechnungs auftrag auftrags beleg factuur bestelling"},
    {Kind::kNumber, "nummer"},
    {Kind::kPlanned, "geburt geburts anfang beginn ende ablauf fallig faellig termin geboorte"},
    // Spanish, Portuguese, Italian, French, Romanian
    {Kind::kHappened,
     "creado creada actualizado actualizada modificado publicado enviado registrado agregado "
     "criado criada atualizado atualizada cadastrado adicionado creato creata aggiornato "
     "modificato pubblicato inviato inserito cree creee modifie publie envoye ajoute creat "
     "actualizat adaugat"},
    {Kind::kEvent,
     "creacion actualizacion modificacion publicacion registro envio alta ingreso compra pedido "
     "criacao atualizacao modificacao publicacao cadastro inclusao inscricao creazione "
     "aggiornamento modifica pubblicazione inserimento registrazione invio acquisto ajout maj "
     "envoi inscription enregistrement commande achat mise crearii creare actualizare"},
    {Kind::kMoment, "horodatage"},
    {Kind::kTime, "fecha hora horario heure"},
    {Kind::kWeak, "em en el le il dia jour giorno ora"},
    {Kind::kLast, "ultima ultimo derniere dernier ultim"},
    {Kind::kRecord, "factura fatura fattura facture nota"},
    {Kind::kNumber, "numero"},
    {Kind::kPlanned,
     "nacimiento nascimento nascita naissance inicio fim fin inizio fine debut vencimiento "
     "vencimento scadenza echeance entrega caducidad"},
    // Turkish, Indonesian, Vietnamese
    {Kind::kHappened,
     "olusturuldu guncellendi eklendi kaydedildi dibuat diperbarui diubah ditambahkan dikirim "
     "terdaftar diterbitkan"},
    {Kind::kEvent,
     "olusturma olusturulma guncelleme guncellenme ekleme eklenme kayit yayin yayinlanma "
     "yayimlanma gonderim gonderme degisiklik degistirme pembuatan pembaruan pendaftaran "
     "pengiriman tao nhat"},
    {Kind::kTime, "tarih tarihi zaman zamani saat saati waktu tanggal tgl jam ngay"},
    {Kind::kWeak, "pada gun luc"},
    {Kind::kLast, "son sonra terakhir"},
    {Kind::kRecord, "siparis fatura faktur pesanan"},
    {Kind::kNumber, "numara numarasi nomor"},
    {Kind::kPlanned, "dogum baslangic bitis teslim lahir mulai selesai kadaluarsa sinh"},
    // Polish, Czech, Hungarian, Scandinavian, Finnish
    {Kind::kHappened,
     "utworzono dodano zmieniono zaktualizowano opublikowano wyslano vytvoreno vytvorene upraveno "
     "pridano letrehozva modositva skapad skapat uppdaterad andrad publicerad skickad registrerad "
     "tillagd opprettet oppdatert endret sendt oprettet opdateret aendret luotu paivitetty "
     "muokattu lisatty lahetetty"},
    {Kind::kEvent,
     "utworzenia dodania modyfikacji aktualizacji publikacji rejestracji wyslania zapisu zmiany "
     "vytvoreni vytvorenia upravy aktualizace letrehozas letrehozasi modositas modositasi "
     "skapande skapelse opprettelse luonti muokkaus paivitys rekisterointi"},
    {Kind::kMoment, "tidpunkt tidspunkt tidsstampel tidsstempel aikaleima idobelyeg"},
    {Kind::kTime, "czas cas ido tid dato pvm paivamaara aika"},
    {Kind::kLast, "ostatnia ostatni posledni senast sist viimeksi utolso"},
    {Kind::kPlanned, "urodzenia narozeni szuletesi fodelse fodsel syntyma startdatum slutdatum"},
    // Russian, Ukrainian, Bulgarian, Greek
    {Kind::kHappened,
     "создан создано создана обновлен обновлено изменен изменено добавлен добавлено отправлено "
     "опубликовано зарегистрирован получено створено оновлено змінено додано надіслано "
     "създаден създадено δημιουργηθηκε sozdan sozdano"},
    {Kind::kEvent,
     "создания создание обновления обновление изменения изменение добавления отправки публикации "
     "регистрации записи заказа покупки входа створення оновлення зміни додавання реєстрації "
     "създаване δημιουργιας δημιουργια ενημερωσης εγγραφης sozdania sozdaniya obnovleniya"},
    {Kind::kTime, "дата время час ημερομηνια ωρα vremya"},
    {Kind::kMoment, "метка таймстамп"},
    {Kind::kLast, "последнее последний последняя последнего последней останнє останнього"},
    {Kind::kPlanned, "рождения начала окончания конца истечения доставки народження початку"},
    // Arabic, Hebrew, Hindi, Thai
    {Kind::kHappened, "נוצר עודכן"},
    {Kind::kEvent,
     "الإنشاء إنشاء الانشاء انشاء التحديث تحديث الإضافة إضافة النشر التسجيل الإرسال التعديل "
     "יצירה עדכון הרשמה निर्माण पंजीकरण สร้าง แก้ไข บันทึก อัปเดต ลงทะเบียน"},
    {Kind::kTime, "تاريخ وقت الوقت التاريخ תאריך זמן שעה दिनांक तारीख समय วันที่ เวลา"},
    {Kind::kPlanned, "الميلاد ميلاد البداية النهاية الانتهاء לידה जन्म เกิด"},
    // Japanese
    {Kind::kEvent,
     "作成 登録 更新 投稿 追加 送信 公開 受信 変更 編集 修正 保存 記録 入力 発行 購入 注文 受注 "
     "販売 支払 入金 参加 入会 ログイン アップロード 掲載 取得"},
    {Kind::kTime, "日付 日時 時刻 年月日"},
    {Kind::kMoment, "タイムスタンプ 連番"},
    {Kind::kWeak, "日"},
    {Kind::kLast, "最終 最新"},
    {Kind::kNumber, "番号"},
    {Kind::kPlanned, "誕生 生年 開始 終了 締切 期限 予定 有効 予約 納期 配送"},
    // Chinese
    {Kind::kEvent,
     "创建 創建 建立 修改 发布 發布 發佈 添加 新增 注册 註冊 发送 發送 登录 登錄 登入 上传 上傳 "
     "提交 下单 下單 支付 付款 购买 購買 录入 写入 录制 加入 生成 编辑 保存"},
    {Kind::kTime, "时间 時間 日期"},
    {Kind::kMoment, "时间戳 時間戳 序号 序號 流水号"},
    {Kind::kLast, "最后 最後 最近 上次"},
    {Kind::kRecord, "订单 訂單 发票 發票 单据"},
    {Kind::kNumber, "号 編號 编号"},
    {Kind::kPlanned, "出生 生日 开始 開始 结束 結束 到期 截止 预约 預約 计划 計劃 过期 配送 有效"},
    // Korean
    {Kind::kEvent,
     "생성 작성 등록 수정 변경 업데이트 갱신 추가 게시 전송 가입 발행 주문 결제 구매 접속 로그인 "
     "저장 입력"},
    {Kind::kTime, "날짜 시간 일시 시각"},
    {Kind::kMoment, "타임스탬프"},
    {Kind::kWeak, "일 일자"},
    {Kind::kLast, "마지막 최종 최근"},
    {Kind::kNumber, "번호"},
    {Kind::kPlanned, "생년 생일 출생 시작 종료 마감 만료 예약 배송 예정"},
};

using Vocabulary = std::map<std::string_view, Kind>;

const Vocabulary& Known() {
  static const Vocabulary known = [] {
    Vocabulary words;
    for (const auto& [kind, list] : kVocabulary) {
      for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(' ', at), list.size());
        words.emplace(list.substr(at, end - at), kind);
        at = end + 1;
      }
    }
    return words;
  }();
  return known;
}

struct Letter {
  std::uint32_t code = 0;  // Small, and without marks.
  bool is_capital = false;
};

// Requires well-formed UTF-8.
std::vector<std::uint32_t> CodePoints(std::string_view text) {
  std::vector<std::uint32_t> codes;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U && !codes.empty()) {
      codes.back() = codes.back() << 6U | (byte & 0x3FU);
    } else {
      codes.push_back(byte < 0x80 ? byte
                                  : byte & (byte >= 0xF0   ? 0x07U
                                            : byte >= 0xE0 ? 0x0FU
                                                           : 0x1FU));
    }
  }
  return codes;
}

Letter Fold(std::uint32_t code) {
  // U+00C0 to U+017F.
  constexpr std::string_view kLatin =
      "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty"
      "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOo"
      "RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
  static_assert(kLatin.size() == 0x180 - 0xC0);
  if (code >= 0xC0 && code < 0x180) code = static_cast<unsigned char>(kLatin[code - 0xC0]);
  if (code >= 'A' && code <= 'Z') return {code + ('a' - 'A'), true};
  if (code >= 0x0391 && code <= 0x03A9) return {code + 0x20, true};  // Greek.
  if (code >= 0x0410 && code <= 0x042F) return {code + 0x20, true};  // Cyrillic.
  if (code >= 0x0400 && code <= 0x040F) return {code + 0x50, true};
  if (code == 0x0451) return {0x0435, false};  // ё is written е, too.
  constexpr std::uint32_t kAccented[] = {0x03AC, 0x03B1, 0x03AD, 0x03B5, 0x03AE, 0x03B7, 0x03AF,
                                         0x03B9, 0x03CC, 0x03BF, 0x03CD, 0x03C5, 0x03CE, 0x03C9};
  for (std::size_t i = 0; i < std::size(kAccented); i += 2) {
    if (code == kAccented[i]) return {kAccented[i + 1], false};
  }
  return {code, false};
}

bool IsMark(std::uint32_t code) { return code >= 0x0300 && code < 0x0370; }
bool IsSign(std::uint32_t code) {
  return code < 0x80 && !(code >= 'a' && code <= 'z') && !(code >= 'A' && code <= 'Z');
}

// Cuts at signs, at digits, and where small letters are followed by a capital: HTTPDate is HTTP and
// Date.
std::vector<std::string> RawWords(std::string_view name) {
  std::vector<std::string> words(1);
  std::vector<Letter> letters;
  for (const std::uint32_t code : CodePoints(name)) {
    if (!IsMark(code)) letters.push_back(Fold(code));
  }
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Letter& letter = letters[i];
    const bool ends_run =
        i + 1 < letters.size() && !letters[i + 1].is_capital && !IsSign(letters[i + 1].code);
    const bool begins = letter.is_capital && i > 0 && (!letters[i - 1].is_capital || ends_run);
    if ((begins || IsSign(letter.code)) && !words.back().empty()) words.emplace_back();
    if (!IsSign(letter.code)) AppendUtf8(words.back(), letter.code);
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Words of a script that writes no spaces may be of one letter.
bool IsPiece(std::string_view word, Kind kind) {
  const bool is_ideographic = static_cast<unsigned char>(word.front()) >= 0xE0;
  return is_ideographic || word.size() > 2 || kind == Kind::kPart || word == "ms" || word == "no";
}

// A word that is written together, of as few known words as there can be: updatedat,
// erstellungsdatum (with an s between), 作成日. One piece is unknown if that cannot be done.
std::vector<Kind> Pieces(std::string_view word) {
  constexpr std::size_t kLongest = 100;  // No person gives a longer name.
  if (word.size() > kLongest) return {Kind::kUnknown};
  struct Way {
    std::size_t cost = std::string_view::npos;
    std::vector<Kind> kinds;
  };
  constexpr std::size_t kUnknownCost = 100;
  std::vector<Way> ways(word.size() + 1);
  ways[0].cost = 0;
  const bool is_ideographic = static_cast<unsigned char>(word.front()) >= 0xE0;
  const auto reach = [&](std::size_t from, std::size_t to, std::size_t cost, Kind kind) {
    if (ways[from].cost + cost >= ways[to].cost) return;
    ways[to] = {ways[from].cost + cost, ways[from].kinds};
    ways[to].kinds.push_back(kind);
  };
  for (std::size_t from = 0; from < word.size(); ++from) {
    if (ways[from].cost == std::string_view::npos) continue;
    for (const auto& [known, kind] : Known()) {
      if (!IsPiece(known, kind) || word.substr(from, known.size()) != known) continue;
      reach(from, from + known.size(), 1, kind);
      const bool is_linked =
          from + known.size() + 1 < word.size() && word[from + known.size()] == 's';
      if (is_linked) reach(from, from + known.size() + 1, 2, kind);
    }
    if (!is_ideographic) continue;
    const std::size_t size = Utf8Prefix(word.substr(from), 4).size();
    std::size_t step = 1;
    while (step < size && (static_cast<unsigned char>(word[from + step]) & 0xC0U) == 0x80U) ++step;
    reach(from, from + step, kUnknownCost, Kind::kUnknown);
  }
  if (ways.back().cost == std::string_view::npos) return {Kind::kUnknown};
  return std::move(ways.back().kinds);
}

// Like `createdAt`: any participle in front of `at` or `on`.
bool IsParticiple(std::string_view word) { return word.size() > 4 && word.ends_with("ed"); }

std::vector<Kind> Classify(const std::vector<std::string>& words) {
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "time" && i + 1 < words.size() && words[i + 1] == "stamp") {
      kinds.push_back(Kind::kMoment);
      ++i;
      continue;
    }
    const auto known = Known().find(words[i]);
    if (known != Known().end()) {
      kinds.push_back(known->second);
      continue;
    }
    std::vector<Kind> pieces = Pieces(words[i]);
    if (pieces.front() == Kind::kUnknown && i + 1 < words.size() && IsParticiple(words[i])) {
      pieces = {Kind::kEvent};
    }
    kinds.insert(kinds.end(), pieces.begin(), pieces.end());
  }
  return kinds;
}

bool IsRising(const std::vector<Kind>& kinds) {
  std::array<std::size_t, static_cast<std::size_t>(Kind::kPlanned) + 1> counts{};
  for (const Kind kind : kinds) ++counts[static_cast<std::size_t>(kind)];
  const auto has = [&](Kind kind) { return counts[static_cast<std::size_t>(kind)] > 0; };
  const auto is_all = [&](std::initializer_list<Kind> of) {
    std::size_t known = counts[static_cast<std::size_t>(Kind::kQualifier)];
    for (const Kind kind : of) known += counts[static_cast<std::size_t>(kind)];
    return known == kinds.size();
  };
  if (has(Kind::kPlanned)) return false;
  if (has(Kind::kMoment)) return true;
  const bool is_timed = has(Kind::kTime) || has(Kind::kPart);
  const bool is_event = has(Kind::kHappened) || has(Kind::kEvent);
  if (is_event && (is_timed || has(Kind::kWeak))) return true;
  if (has(Kind::kLast) && (is_timed || is_event || has(Kind::kAction))) return true;
  if (has(Kind::kUnknown)) return false;
  if (has(Kind::kAction) && is_timed) return true;
  if (has(Kind::kRecord) && (has(Kind::kTime) || has(Kind::kNumber))) return true;
  if (is_event && has(Kind::kNumber)) return true;
  return (has(Kind::kHappened) && is_all({Kind::kHappened})) ||
         (has(Kind::kTime) && is_all({Kind::kTime})) ||
         (has(Kind::kRunning) && is_all({Kind::kRunning, Kind::kLast}));
}

}  // namespace

bool SoundsRising(const FieldPath& field) {
  return IsRising(Classify(RawWords(field.segments().back())));
}

}  // namespace shardline
