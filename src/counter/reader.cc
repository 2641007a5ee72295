#include "counter/reader.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "base/reason.h"
#include "counter/counter.h"

namespace shardline {
namespace {

class Texts {
 public:
  explicit Texts(std::string_view rest) : rest_(rest) {}

  std::string_view Next() {
    const std::size_t end = rest_.find(kReaderSeparator);
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return text;
  }

  std::optional<std::string> NextOptional() {
    const std::string_view text = Next();
    if (text.empty()) return std::nullopt;
    return std::string(text.substr(1));
  }

 private:
  std::string_view rest_;
};

Result<Layout> ReadLayout(Texts& texts) {
  const std::optional<std::string> name = texts.NextOptional();
  std::string count_field(texts.Next());
  std::optional<std::string> shard_collection = texts.NextOptional();
  std::optional<std::string> shard_count_field = texts.NextOptional();
  if (!name) {
    Layout layout;
    layout.shard_collection = std::move(shard_collection);
    layout.count_field = std::move(count_field);
    layout.shard_count_field = std::move(shard_count_field);
    return layout;
  }
  Result<Layout> preset = Layout::Preset(*name);
  if (preset && preset->is_extension) preset->count_field = std::move(count_field);
  return preset;
}

Result<std::unique_ptr<const Counter>> ReadCounter(Texts& texts) {
  const std::string_view project = texts.Next();
  SHARDLINE_TRY(const DatabaseName& database, DatabaseName::Make(project, texts.Next()));
  CounterOptions options;
  options.path = texts.Next();
  SHARDLINE_TRY(options.layout, ReadLayout(texts));
  return Counter::Make(database, options);
}

Status CheckPublish(Texts& texts, const Counter& counter) {
  const std::optional<std::string> publish = texts.NextOptional();
  if (!publish) return {};
  SHARDLINE_TRY(const FieldPath& field, FieldPath::Parse(*publish));
  return counter.CheckPublishedField(field);
}

Status Answer(std::string_view arguments, JsonWriter& writer) {
  Texts texts(arguments);
  SHARDLINE_TRY(const std::unique_ptr<const Counter>& counter, ReadCounter(texts));
  SHARDLINE_CHECK(CheckPublish(texts, *counter));
  writer.BeginObject().Key("layout");
  counter->WriteLayout(writer);
  if (!counter->is_extension()) {
    const Call call = counter->ReadSum();
    writer.Key("path").String(call.path).Key("body").String(call.body);
  }
  writer.EndObject();
  return {};
}

}  // namespace

std::string ReadRequest(std::string_view arguments) {
  JsonWriter writer;
  if (Status status = Answer(arguments, writer); !status) {
    writer = JsonWriter();
    writer.BeginObject().Key("error");
    WriteError(writer, status.error());
    writer.EndObject();
  }
  return writer.Take();
}

}  // namespace shardline
