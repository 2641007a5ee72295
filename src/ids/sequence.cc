#include "ids/sequence.h"

#include <utility>

#include "base/number.h"
#include "base/reason.h"
#include "firestore/answers.h"
#include "firestore/query.h"
#include "firestore/value_codec.h"

namespace shardline {

Result<Sequence> Sequence::Make(const DatabaseName& database, std::string_view path,
                                std::int64_t shards) {
  if (shards < 0 || shards > kMaxIdShards) {
    return OptionMustBe("shards", "an integer from 1 to 10,000") << ".";
  }
  SHARDLINE_TRY(const DocumentPath& document, DocumentPath::Parse(path));
  return Sequence(document.text(), document.Name(database), shards);
}

std::string Sequence::ShardName(std::int64_t shard) const {
  std::string name = parent_name_;
  name += kIdsFolder;
  AppendInt64(name, shard);
  return name;
}

Call Sequence::ReadParent(const DatabaseName& database) const {
  return {.path = database.UrlPath(":batchGet"), .body = EncodeBatchGet({parent_name_})};
}

Failure Sequence::NotFound() const {
  return Fail(kIdsNotFound, "There is no sequence of ids at ")
         << Param{"path", path_} << ": call create() first.";
}

Status DecodeSequence(const PaddedText& body, const Sequence& sequence, SequenceState& state) {
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(sequence.parent_name());
  const auto integer = [&](std::string_view name) {
    return document.fields.Member(name)["integerValue"].Read(DecodeInteger);
  };
  state = {document.update_time, integer("shards"), integer("made"), integer("stride"),
           integer("startAt")};
  return answer.Finish();
}

FieldPath SequenceField(std::string_view name) { return *FieldPath::Parse(name); }

}  // namespace shardline
