#include "simulator/dialect.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "simulator/json_layout.h"
#include "simulator/required_index.h"

namespace shardline::simulator {
namespace {

bool OneIn(Random& random, std::uint64_t count) { return random.Below(count) == 0; }

// The methods whose answers are arrays of messages.
enum class Stream : std::uint8_t { kNone, kQuery, kAggregation, kDocuments };

Stream StreamOf(const Request& request) {
  const std::string_view path = request.target.substr(0, request.target.find('?'));
  const std::string_view verb = path.substr(std::min(path.rfind(':'), path.size()));
  if (request.method != "POST") return Stream::kNone;
  if (verb == ":runQuery") return Stream::kQuery;
  if (verb == ":runAggregationQuery") return Stream::kAggregation;
  return verb == ":batchGet" ? Stream::kDocuments : Stream::kNone;
}

std::string_view ValueOf(const std::vector<Member>& members, std::string_view quoted_key) {
  for (const auto& [key, value] : members) {
    if (key == quoted_key) return value;
  }
  return {};
}

// The read times of an answer's elements, in their order.
class ReadTimes {
 public:
  ReadTimes(Random& random, const ReadFacts& facts)
      : random_(random), last_(facts.time), now_(facts.time) {
    if (facts.since >= facts.time || !OneIn(random_, 2)) return;
    now_ = facts.since;
    Rise();
  }

  Timestamp Next() {
    if (now_ < last_ && OneIn(random_, 4)) Rise();
    return now_;
  }

 private:
  void Rise() {
    const auto span = static_cast<std::uint64_t>(last_.micros - now_.micros);
    now_.micros += static_cast<std::int64_t>(random_.Below(span + 1));
  }

  Random& random_;
  Timestamp last_;
  Timestamp now_;
};

// The elements of a streamed answer in production's form.
class Elements {
 public:
  // `explicit_defaults`: the writer does not leave out members that have their default.
  Elements(Random& random, const Answer& answer, bool explicit_defaults)
      : random_(random),
        facts_(answer.read),
        times_(random, answer.read),
        explicit_defaults_(explicit_defaults),
        given_(SplitArray(answer.body)) {
    // The element that hands out a new transaction stays the first.
    if (given_.empty() || given_[0].substr(0, kTransaction.size()) != kTransaction) return;
    elements_.emplace_back(given_[0]);
    given_.erase(given_.begin());
  }

  std::vector<std::string> Take(Stream stream) {
    // A plan alone has no read time.
    if (!given_.empty() && given_.back().substr(0, kPlan.size()) == kPlan &&
        Content(given_.back()).empty()) {
      elements_.emplace_back(given_.back());
      return std::move(elements_);
    }
    if (stream == Stream::kQuery) Query();
    if (stream == Stream::kAggregation) Aggregation();
    if (stream == Stream::kDocuments) Documents();
    return std::move(elements_);
  }

 private:
  static constexpr std::string_view kTransaction = R"({"transaction":)";
  static constexpr std::string_view kPlan = R"({"explainMetrics":)";

  // An element with `member` and, of a query, how many results were skipped since the last one.
  // Without a member it reports progress.
  void Add(std::string_view member, std::optional<std::int64_t> skipped = std::nullopt) {
    JsonWriter writer;
    writer.BeginObject();
    if (!member.empty()) writer.Raw(member);
    WriteTime(writer, "readTime", times_.Next());
    const bool says_default = skipped && explicit_defaults_ && OneIn(random_, 4);
    if (says_default || skipped.value_or(0) > 0) writer.Key("skippedResults").Int(*skipped);
    if (says_default) writer.Key("done").Boolean(false);
    elements_.push_back(writer.EndObject().Take());
  }

  // The member of an element that says something; empty if it has only its read time. The Backend
  // writes it first, and nothing of the user's behind the read time.
  static std::string_view Content(std::string_view element) {
    const std::size_t end = element.rfind(",\"readTime\":");
    return end == std::string_view::npos ? std::string_view() : element.substr(1, end - 1);
  }

  void Query() {
    std::int64_t skipped = facts_.skipped;
    if (given_.size() == 1 && Content(given_[0]).empty()) return Add({}, skipped);
    while (skipped > 0 && OneIn(random_, 2)) {
      const auto part =
          1 + static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(skipped)));
      Add({}, part);
      skipped -= part;
    }
    for (const std::string_view element : given_) {
      if (OneIn(random_, 12)) Add({}, std::exchange(skipped, 0));
      Add(Content(element), std::exchange(skipped, 0));
    }
    if (OneIn(random_, 4)) Add({}, 0);
  }

  void Aggregation() {
    if (OneIn(random_, 8)) Add({});
    for (const std::string_view element : given_) Add(Content(element));
    if (OneIn(random_, 8)) Add({});
  }

  void Documents() {
    for (std::size_t i = given_.size(); i > 1; --i) {
      std::swap(given_[i - 1], given_[DrawIndex(random_, i)]);
    }
    for (const std::string_view element : given_) Add(Content(element));
  }

  Random& random_;
  const ReadFacts& facts_;
  ReadTimes times_;
  bool explicit_defaults_;
  std::vector<std::string_view> given_;
  std::vector<std::string> elements_;
};

// ---- Errors ----

// `link` is a JSON text, or empty.
void WriteDetails(JsonWriter& writer, std::string_view status, std::string_view message,
                  std::string_view link) {
  writer.Key("details").BeginArray().BeginObject().Key("@type");
  if (!link.empty()) {
    writer.String("type.googleapis.com/google.rpc.Help").Key("links").BeginArray().BeginObject();
    writer.Key("description").String("Create the index").Key("url").Raw(link);
    writer.EndObject().EndArray();
  } else if (status == "\"INVALID_ARGUMENT\"") {
    writer.String("type.googleapis.com/google.rpc.BadRequest").Key("fieldViolations");
    writer.BeginArray().BeginObject().Key("description").Raw(message).EndObject().EndArray();
  } else {
    writer.String("type.googleapis.com/google.rpc.ErrorInfo").Key("reason").Raw(status);
    writer.Key("domain").String("firestore.googleapis.com").Key("metadata").BeginObject();
    writer.Key("service").String("firestore.googleapis.com").EndObject();
  }
  writer.EndObject().EndArray();
}

// `{"error": …}` as production has it.
std::string ProductionError(std::string_view emulators) {
  const std::vector<Member> error = SplitObject(SplitObject(emulators)[0].second);
  const std::string_view status = ValueOf(error, "\"status\"");
  std::string message(ValueOf(error, "\"message\""));
  std::string link;
  if (message.compare(1, kNeedsIndex.size(), kNeedsIndex) == 0) {
    message = message.substr(0, message.find(kNeededIndex)) + '"';
    link = '"' + message.substr(1 + kNeedsIndex.size());
  }
  JsonWriter writer;
  writer.BeginObject().Key("error").BeginObject();
  writer.Key("code").Raw(ValueOf(error, "\"code\"")).Key("message").Raw(message);
  writer.Key("status").Raw(status);
  WriteDetails(writer, status, message, link);
  return writer.EndObject().EndObject().Take();
}

// ---- Layouts ----

std::string PrettyStream(Random& random, const std::vector<std::string>& elements) {
  // Both were recorded.
  const std::string_view between = OneIn(random, 2) ? "\n,{" : "\n,\n{";
  std::string out = "[";
  std::string pretty;
  for (const std::string& element : elements) {
    pretty.clear();
    AppendPretty(pretty, element);
    out += out.size() == 1 ? "{" : between;
    out.append(pretty, 1);
  }
  out += elements.empty() ? "]" : "\n]";
  return out;
}

std::string LooseStream(Random& random, const std::vector<std::string>& elements) {
  LooseWriter writer(random);
  std::string out;
  writer.AppendSpace(out);
  out += '[';
  for (const std::string& element : elements) {
    if (&element != elements.data()) out += ',';
    writer.AppendSpace(out);
    writer.AppendMessage(out, element);
    writer.AppendSpace(out);
  }
  out += ']';
  writer.AppendSpace(out);
  return out;
}

std::string LayOut(Random& random, Dialect dialect, const std::vector<std::string>& elements) {
  return dialect == Dialect::kProxy ? LooseStream(random, elements)
                                    : PrettyStream(random, elements);
}

std::string LayOut(Random& random, Dialect dialect, std::string_view message) {
  std::string out;
  if (dialect == Dialect::kProxy) {
    LooseWriter writer(random);
    writer.AppendSpace(out);
    writer.AppendMessage(out, message);
    writer.AppendSpace(out);
  } else {
    AppendPretty(out, message);
    out += '\n';
  }
  return out;
}

}  // namespace

std::optional<Dialect> DialectNamed(std::string_view name) {
  if (name == "emulator") return Dialect::kEmulator;
  if (name == "production") return Dialect::kProduction;
  if (name == "proxy") return Dialect::kProxy;
  return std::nullopt;
}

Answer Voice::Say(Dialect dialect, const Request& request, Answer answer) {
  if (dialect == Dialect::kEmulator || answer.content_type != "application/json") return answer;
  const Stream stream = StreamOf(request);
  if (answer.status != 200) {
    std::string error = ProductionError(answer.body);
    answer.body = stream == Stream::kNone
                      ? LayOut(random_, dialect, error)
                      : LayOut(random_, dialect, std::vector<std::string>{std::move(error)});
  } else if (stream == Stream::kNone) {
    answer.body = LayOut(random_, dialect, answer.body);
  } else {
    const auto elements = Elements(random_, answer, dialect == Dialect::kProxy).Take(stream);
    answer.body = LayOut(random_, dialect, elements);
  }
  return answer;
}

Answer Voice::SayError(Dialect dialect, const Request& request, const Error& error,
                       const Answer* begun) {
  const Stream stream = StreamOf(request);
  Answer answer = ErrorAnswer(error);
  const bool behind_elements = dialect != Dialect::kEmulator && stream != Stream::kNone && begun &&
                               begun->status == 200 && OneIn(random_, 2);
  if (!behind_elements) return Say(dialect, request, std::move(answer));
  auto elements = Elements(random_, *begun, dialect == Dialect::kProxy).Take(stream);
  elements.resize(DrawIndex(random_, elements.size() + 1));
  // The status has been sent with the first element.
  if (!elements.empty()) answer.status = 200;
  elements.push_back(ProductionError(answer.body));
  answer.body = LayOut(random_, dialect, elements);
  return answer;
}

}  // namespace shardline::simulator
