#include "api/ids_api.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "api/ready_operation.h"
#include "base/number.h"
#include "ids/set_up_sequence.h"
#include "ids/take_ids.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

struct IdsArguments {
  Sequence sequence;
  std::int64_t number;
};

Result<std::int64_t> ReadInteger(JsonScanner& scanner) {
  scanner.NextElement();
  const std::optional<std::int64_t> value = ParseInt64(scanner.SkipValue());
  if (!value) {
    return InvalidArgument("shards, maxShards, block and the number of ids are integers.");
  }
  return *value;
}

Result<IdsArguments> Read(JsonScanner& scanner, const OperationContext& context) {
  scanner.BeginArray();
  scanner.NextElement();
  const std::string path = scanner.String();
  if (!scanner.ok()) return scanner.failure("the path of a sequence of ids");
  SHARDLINE_TRY(const std::int64_t shards, ReadInteger(scanner));
  SHARDLINE_TRY(const std::int64_t number, ReadInteger(scanner));
  SHARDLINE_TRY(Sequence && sequence, Sequence::Make(context.database, path, shards));
  return IdsArguments{std::move(sequence), number};
}

Result<IdsArguments> ReadTake(JsonScanner& scanner, const OperationContext& context) {
  SHARDLINE_TRY(IdsArguments && read, Read(scanner, context));
  if (read.number < 1 || read.number > kMaxIdsTaken) {
    return InvalidArgument("From 1 to 1,000,000 ids can be taken at once.");
  }
  return std::move(read);
}

}  // namespace

Started StartIdsCheck(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_CHECK(ReadTake(scanner, context));
  return std::make_unique<ReadyOperation>(context, "{}");
}

Started StartIdsCreate(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_TRY(IdsArguments && read, Read(scanner, context));
  if (read.number == 0) read.number = std::max(kDefaultStride, read.sequence.shards());
  return SetUpSequence::Create(context, std::move(read.sequence), read.number);
}

Started StartIdsResize(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_TRY(IdsArguments && read, Read(scanner, context));
  return SetUpSequence::Resize(context, std::move(read.sequence), read.number);
}

Started StartIdsTake(JsonScanner& scanner, OperationContext& context) {
  SHARDLINE_TRY(IdsArguments && read, ReadTake(scanner, context));
  return std::make_unique<TakeIds>(context, std::move(read.sequence), read.number);
}

}  // namespace shardline
