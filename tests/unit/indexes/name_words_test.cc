#include "indexes/name_words.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

namespace shardline::name_words_test {
namespace {

bool IsHint(std::string_view name) { return SoundsRising(*FieldPath::Parse(name)); }

constexpr const char* kRising = R"(
createdTimestamp created_time creation_date CreationTime dateCreated dateUpdated date_modified
modified modified_on modifiedDate updateTime update_time lastUpdatedAt last_updated lastSeen
lastSeenAt last_login_at lastLoginDate lastMessageAt lastMessageTime last_activity postedAt
posted_on postDate publishedAt publishDate published_date submittedAt submitted_on submissionDate
orderDate order_date orderedAt purchaseDate purchasedAt transactionDate paymentDate paidAt
registeredAt registrationDate signupDate joinedAt joinDate dateJoined memberSince receivedAt
loggedInAt loginTime messageTimestamp eventTimestamp ts unix_ts epochMillis created_ms
createdSeconds insertedAt insert_time entryDate recordedAt uploadedAt uploadTime viewedAt
visitedAt likedAt followedAt commentedAt archivedAt approvedAt completedAt invoiceNumber
ticketNumber orderNo seqNo sequenceNumber order_seq revision CREATED_AT CreatedDate UpdatedOn
creado creadoEn fecha fechaAlta fecha_actualizacion fechaPublicacion fechaModificacion criadoEm
data_cadastro dataCadastro dataEnvio erstelltAm aktualisiertAm erstellungsdatum aenderungsdatum
Datum Zeit date_ajout dateModification dateEnvoi creeLe dataInserimento creatoIl data_modifica
kayitTarihi guncellemeTarihi tarih tanggal tanggalDibuat dibuat_pada diperbaruiPada utworzono
dataDodania skapadDatum opprettet aangemaaktOp datum_aangemaakt vytvoreno luotu 作成日時 更新日 登録日時 投稿日
日付 日時 创建日期 更新时间 时间 时间戳 注册时间 發布時間 생성일 등록일 작성일시 수정일 날짜 датаСоздания дата_создания создано обновлено
время تاريخ تاريخ_الإنشاء ngayTao timestamp_utc TimeCreated serverTime dt_created sent_time
changedAt createAt updateAt addTime crawledAt scrapedAt startedAt дата_публикации
fecha_de_creacion dateDeCreation ultimaActualizacion 最終更新日 最后登录时间 last_sync syncedAt)";

// Moments that people choose, durations, who did something, and words in which others are hidden.
constexpr const char* kNotRising = R"(
expiresAt expireAt expiryDate validUntil validFrom endDate end_time endsAt startsAt start_at dob
birth_date birthdate eventDate event_time meetingTime checkInDate checkoutDate arrivalTime
departureTime releaseDate publishAt sendAt remindAt nextRun nextPaymentDate dueAt due deadline
timezone timeZone timeLimit timeout timeSpent duration durationMs elapsedTime prepTime workTime
playTime openingTime format dateFormat status state category rating updatedBy createdBy
created_by sentBy sentTo addedBy isPublished isSent hasDate isActive active latitude lastName
last_name latest location position name userId ownerId uid email age amount count views score
rank order number phoneNumber houseNumber version_name appVersion data day month year dayOfWeek
hour attempts atomic cat creator creatorId publisher sender updates posts dates times timesPlayed
nascimento dataNascimento fechaNacimiento fecha_inicio fechaFin fechaEntrega geburtsdatum
startdatum dateNaissance dateDebut dogumTarihi baslangicTarihi tanggalLahir 生年月日 誕生日 開始日 終了日時 締切日
出生日期 开始时间 结束时间 生日 생년월일 시작일 종료일 датаРождения дата_начала 更新者 登録者数 価格 名前 营业时间 調理時間 hireDate
graduationDate weekday candidates moderator creation update_count login loginCount maxTime
minTime avgTime travelTime waitTime runtime downtime halftime showtime overtime partTime realtime
mandate content text title tags price.currency exchange symbol room level kind playlist season
region version_id walletAddress testId sort key)";

TEST(NameWords, FindsNamesThatRiseInManyLanguages) {
  std::istringstream rising(kRising);
  for (std::string name; rising >> name;) EXPECT_TRUE(IsHint(name)) << name;
  std::istringstream others(kNotRising);
  for (std::string name; others >> name;) EXPECT_FALSE(IsHint(name)) << name;
}

TEST(NameWords, LooksAtTheLastPartOfAPath) {
  EXPECT_TRUE(IsHint("meta.createdAt"));
  EXPECT_FALSE(IsHint("created.by"));
  EXPECT_TRUE(IsHint("`дата создания`"));
  // A mark may be a character of its own.
  EXPECT_TRUE(IsHint("cre\u0301e\u0301e"));
}

TEST(NameWords, TakesANameOfAnyLength) {
  EXPECT_FALSE(IsHint(std::string(1400, 't')));
  EXPECT_FALSE(IsHint(std::string(300, 'a') + "At"));
}

}  // namespace
}  // namespace shardline::name_words_test
