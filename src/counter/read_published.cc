#include "counter/read_published.h"

#include "counter/answers.h"

namespace shardline {

Status ReadPublished::Decode(const PaddedText& body, Found& found) const {
  CountedDocuments counts;
  SHARDLINE_CHECK(DecodeCounts(body, field_, counts, StreamedAnswer::kBatchGet));
  for (const CountedDocument& document : counts.documents) {
    JsonWriter total;
    if (document.amount) {
      document.amount->Write(total.BeginObject().Key("value"));
      total.Key("readTime").String(counts.read_time).EndObject();
    } else {
      total.Raw("null");
    }
    found[document.name] = total.Take();
  }
  return {};
}

void ReadPublished::WriteResult(JsonWriter& writer) const {
  writer.BeginObject();
  WriteValues(writer.Key("totals"));
  writer.EndObject();
}

}  // namespace shardline
