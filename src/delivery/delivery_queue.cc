#include "delivery/delivery_queue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/ascii.h"
#include "base/json_members.h"
#include "base/number.h"
#include "base/reason.h"
#include "delivery/stored_number.h"
#include "firestore/resource_name.h"

namespace shardline {
namespace {

using Kind = DeliveryOutcome::Kind;

constexpr std::size_t kMaxEntriesOfOne = 1000;
// Enough for other tabs, which look at every change.
constexpr std::size_t kMaxFailures = 100;
constexpr std::int64_t kVersion = 1;
// More tell nothing more: they only make pauses longer.
constexpr std::int64_t kMaxRestarts = 1'000;

bool IsZero(const Amount& amount) { return amount.number() == 0; }

// The bound as an integer; more than any is no bound.
std::int64_t IntegerBound(const Amount& most) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (!most.is_double()) return most.integer();
  return most.number() >= 0x1.0p63 ? kMax : static_cast<std::int64_t>(most.number());
}

bool IsWithin(const Amount& amount, const std::optional<Amount>& most) {
  if (!most) return true;
  if (amount.is_double()) return std::abs(amount.number()) <= most->number();
  const std::int64_t bound = IntegerBound(*most);
  const bool is_none = bound == std::numeric_limits<std::int64_t>::max();
  return is_none || (amount.integer() <= bound && amount.integer() >= -bound);
}

// The largest piece of it that is within the bound, and what is left.
std::pair<Amount, Amount> Split(const Amount& amount, const Amount& most) {
  if (amount.is_double()) {
    const double piece = std::copysign(most.number(), amount.number());
    return {Amount::Double(piece), Amount::Double(amount.number() - piece)};
  }
  const std::int64_t bound = IntegerBound(most);
  const std::int64_t piece = amount.integer() > 0 ? bound : -bound;
  return {Amount::Integer(piece), Amount::Integer(amount.integer() - piece)};
}

Amount ReadAmount(JsonScanner& scanner) {
  const std::optional<Amount> amount = Amount::Read(scanner);
  if (!amount || !std::isfinite(amount->number())) scanner.Reject("a finite number was expected");
  return amount.value_or(Amount::Integer(0));
}

// Stored text may be anybody's; batches of which a line is the beginning are sent.
bool IsLine(std::string_view text) {
  return text.size() >= kLineLength && std::all_of(text.begin(), text.end(), IsLetterOrDigit);
}

template <class T>
void KeepLast(std::vector<T>& list, std::size_t count) {
  if (list.size() <= count) return;
  list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(count));
}

}  // namespace

DeliveryQueue::DeliveryQueue(std::string_view chosen, Random& random)
    : client_(chosen.empty() ? MakeAutoId(random) : std::string(chosen)), shared_(!chosen.empty()) {
  DrawLine(random);
  assert(CheckId(client_, "client"));
}

void DeliveryQueue::DrawLine(Random& random) {
  if (shared_) line_ = MakeAutoId(random);
}

bool DeliveryQueue::Coalesce(const Amount& delta, const std::optional<Amount>& most) {
  if (entries_.empty() || (entries_.size() == 1 && staged_)) return false;
  Amount& last = entries_.back();
  // Added to a double, an integer might lose its last digits.
  if (last.is_double() != delta.is_double()) return false;
  const std::optional<Amount> sum = shardline::Add(last, delta);
  if (!sum || !std::isfinite(sum->number()) || !IsWithin(*sum, most)) return false;
  last = *sum;
  return true;
}

Result<DeliveryQueue::Tickets> DeliveryQueue::Add(const Amount& delta,
                                                  const std::optional<Amount>& most) {
  assert(std::isfinite(delta.number()));
  assert(!most || most->number() >= (delta.is_double() ? 0 : 1));
  if (Coalesce(delta, most)) return Tickets{next_ticket_ - 1, next_ticket_ - 1};
  std::vector<Amount> pieces;
  Amount rest = delta;
  while (!IsWithin(rest, most)) {
    if (pieces.size() == kMaxEntriesOfOne) {
      return Fail(
          kIncrementTooLarge,
          "The increment is more than 1,000 times `maxDelta`: make it smaller, or `maxDelta` "
          "larger.");
    }
    auto [piece, left] = Split(rest, *most);
    pieces.push_back(piece);
    rest = left;
  }
  if (pieces.empty() || !IsZero(rest)) pieces.push_back(rest);
  entries_.insert(entries_.end(), pieces.begin(), pieces.end());
  const std::int64_t first = next_ticket_;
  next_ticket_ += static_cast<std::int64_t>(pieces.size());
  return Tickets{first, next_ticket_ - 1};
}

void DeliveryQueue::DropZeros() {
  while (!staged_ && !entries_.empty() && IsZero(entries_.front())) DropFirst();
}

std::optional<Batch> DeliveryQueue::Stage(Clock clock, Random& random, std::string_view page) {
  DropZeros();
  if (entries_.empty()) return std::nullopt;
  EnsureStaged(clock, random, page);
  Batch batch = StagedBatch(clock, page);
  staged_->sent = true;
  staged_->again = batch.sent;
  return batch;
}

std::optional<Batch> DeliveryQueue::Prepare(Clock clock, Random& random, std::string_view page) {
  DropZeros();
  if (entries_.empty()) return std::nullopt;
  EnsureStaged(clock, random, page);
  return StagedBatch(clock, page);
}

void DeliveryQueue::Unprepare(std::string_view page) {
  if (staged_ && !staged_->sent && staged_->page == page) staged_.reset();
}

void DeliveryQueue::EnsureStaged(Clock clock, Random& random, std::string_view page) {
  assert(!entries_.empty());
  if (!staged_) {
    staged_ = Staged{MakeAutoId(random), clock.now, clock.server_now, std::string(page)};
    line_.copy(staged_->id.data(), kLineLength);
  }
}

// A device's clock may be set back, or stand still while weeks go by.
std::int64_t DeliveryQueue::AgeOfStaged(Clock clock) const {
  assert(staged_);
  const std::int64_t age = std::abs(clock.now.micros - staged_->at.micros);
  if (!clock.server_now || !staged_->server_at) return age;
  return std::max(age, clock.server_now->micros - staged_->server_at->micros);
}

Batch DeliveryQueue::StagedBatch(Clock clock, std::string_view page) const {
  assert(staged_ && !entries_.empty());
  const std::int64_t age = AgeOfStaged(clock);
  // What the page that made the batch knew of the server's time holds for those that do not.
  std::optional<Timestamp> server_now = clock.server_now;
  if (!server_now && staged_->server_at) server_now = Timestamp{staged_->server_at->micros + age};
  return {.client = client_,
          .shared = shared_,
          .id = staged_->id,
          .delta = entries_.front(),
          .basis = ledger_,
          .age = age,
          .now = server_now.value_or(clock.now),
          .by_server = server_now.has_value(),
          .sent = MayHaveBeenSent(page),
          .restarts = restarts_};
}

std::int64_t DeliveryQueue::CountOwn(const DeliveryOutcome& outcome) const {
  const std::int64_t unexpected =
      std::count_if(own_.begin(), own_.end(), [&](const std::string& batch) {
        return outcome.ledger->Names(batch) && !ledger_.Names(batch);
      });
  return unexpected + (outcome.kind == DeliveryOutcome::Kind::kApplied ? 1 : 0);
}

bool DeliveryQueue::HasOtherCopy(const DeliveryOutcome& outcome) const {
  assert(staged_);
  if (!outcome.ledger || !outcome.ledger->exists()) return false;
  if (outcome.kind == Kind::kRefused) return false;
  // What the ledger does not list any more may have been the copy's.
  if (shared_ && outcome.put_back && !outcome.ledger->CoversAllSince(ledger_)) return true;
  const std::int64_t since = shared_ ? outcome.ledger->CountOfLine(staged_->id, ledger_)
                                     : outcome.ledger->seq - ledger_.seq;
  return since > CountOwn(outcome);
}

void DeliveryQueue::FailAll() {
  const Error error(kIncrementInDoubt,
                    "Another copy of this storage may have been in use. The increment may or may "
                    "not have been counted.");
  while (!entries_.empty()) {
    failures_.push_back({settled() + 1, error});
    DropFirst();
  }
}

void DeliveryQueue::Settle(std::string_view id, const DeliveryOutcome& outcome, Random& random) {
  if (!staged_ || staged_->id != id) return;
  if (outcome.kind == Kind::kUnsettled) {
    if (shared_ && outcome.ledger) ledger_ = *outcome.ledger;
    return;
  }
  const bool has_other_copy = HasOtherCopy(outcome);
  // On a ledger that others share, another page may have had it counted.
  const bool is_anew = outcome.kind == Kind::kRestart && !(shared_ && staged_->again);
  const std::string batch = std::move(staged_->id);
  const std::string client = client_;
  // A ledger that was deleted is begun anew.
  const bool was_first = !ledger_.exists() || (outcome.ledger && outcome.ledger->seq == 1);
  staged_.reset();
  TakeLedger(outcome, random);
  const bool may_be_named = was_first || outcome.kind != Kind::kApplied;
  if (may_be_named && client_ == client) own_.push_back(batch);
  KeepLast(own_, kLedgerBatches);
  restarts_ = is_anew ? restarts_ + 1 : 0;
  if (!is_anew) {
    if (outcome.error) failures_.push_back({settled() + 1, *outcome.error});
    DropFirst();
  }
  if (has_other_copy) {
    FailAll();
    DrawLine(random);
  }
  KeepLast(failures_, kMaxFailures);
  if (!is_anew) DropZeros();
}

void DeliveryQueue::TakeLedger(const DeliveryOutcome& outcome, Random& random) {
  if (!outcome.ledger || outcome.kind == Kind::kRefused) return;
  const std::int64_t own = CountOwn(outcome);
  const bool is_own = own > 0 && outcome.ledger->seq == ledger_.seq + own;
  ledger_ = *outcome.ledger;
  if (!ledger_.exists() || outcome.kind == Kind::kApplied || shared_ || is_own) return;
  // Somebody else writes the ledger of an id that we drew: our storage was copied.
  client_ = MakeAutoId(random);
  ledger_ = {};
  own_.clear();
}

std::int64_t DeliveryQueue::settled() const {
  return next_ticket_ - 1 - static_cast<std::int64_t>(entries_.size());
}

std::string DeliveryQueue::Write() const {
  JsonWriter writer;
  writer.BeginObject().Key("version").Int(kVersion);
  writer.Key("client").String(client_);
  writer.Key("shared").Boolean(shared_);
  if (!line_.empty()) writer.Key("line").String(line_);
  ledger_.Write(writer.Key("ledger"));
  if (!own_.empty()) {
    writer.Key("own").BeginArray();
    for (const std::string& batch : own_) writer.String(batch);
    writer.EndArray();
  }
  writer.Key("nextTicket").Int(next_ticket_);
  writer.Key("entries").BeginArray();
  for (const Amount& entry : entries_) writer.Raw(entry.Encode().json());
  writer.EndArray();
  if (restarts_ > 0) writer.Key("restarts").Int(restarts_);
  if (staged_) {
    writer.Key("staged").BeginObject().Key("id").String(staged_->id);
    writer.Key("at").Int(staged_->at.micros / kMicrosPerMilli);
    if (staged_->server_at) {
      writer.Key("serverAt").Int(staged_->server_at->micros / kMicrosPerMilli);
    }
    if (!staged_->page.empty()) writer.Key("page").String(staged_->page);
    if (staged_->again) writer.Key("again").Boolean(true);
    writer.Key("sent").Boolean(staged_->sent).EndObject();
  }
  writer.Key("failures").BeginArray();
  for (const Failure& failure : failures_) {
    writer.BeginObject().Key("ticket").Int(failure.ticket).Key("error");
    WriteError(writer, failure.error);
    writer.EndObject();
  }
  writer.EndArray().EndObject();
  return writer.Take();
}

void DeliveryQueue::ReadStaged(JsonScanner& scanner) {
  Staged staged;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("id")) {
      staged.id = scanner.String();
    } else if (members.Is("at")) {
      staged.at = ReadStoredTime(scanner);
    } else if (members.Is("serverAt")) {
      staged.server_at = ReadStoredTime(scanner);
    } else if (members.Is("page")) {
      staged.page = scanner.String();
    } else if (members.Is("sent")) {
      staged.sent = scanner.Boolean();
    } else if (members.Is("again")) {
      staged.again = scanner.Boolean();
    }
  }
  if (staged.id.empty()) scanner.Reject("the id of what was staged is missing");
  staged_ = std::move(staged);
}

void DeliveryQueue::ReadFailures(JsonScanner& scanner) {
  if (!scanner.BeginArray()) return;
  while (scanner.NextElement()) {
    Failure failure{0, Error(kIncrementInDoubt, "")};
    JsonMembers members(scanner);
    while (members.Next()) {
      if (members.Is("ticket")) {
        failure.ticket = ReadStored(scanner, 1);
      } else if (members.Is("error")) {
        failure.error = ReadError(scanner);
      }
    }
    failures_.push_back(std::move(failure));
  }
}

Result<DeliveryQueue> DeliveryQueue::Parse(std::string_view text) {
  const PaddedText padded(text);
  JsonScanner scanner(padded);
  DeliveryQueue queue;
  std::int64_t version = 0;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("version")) {
      version = ReadStored(scanner, 1);
    } else if (members.Is("client")) {
      queue.client_ = scanner.String();
    } else if (members.Is("shared")) {
      queue.shared_ = scanner.Boolean();
    } else if (members.Is("line")) {
      queue.line_ = scanner.String();
    } else if (members.Is("ledger")) {
      queue.ledger_ = LedgerState::Read(scanner);
    } else if (members.Is("own")) {
      if (!scanner.BeginArray()) break;
      while (scanner.NextElement()) queue.own_.push_back(scanner.String());
    } else if (members.Is("restarts")) {
      queue.restarts_ = std::min(ReadStored(scanner, 0), kMaxRestarts);
    } else if (members.Is("nextTicket")) {
      queue.next_ticket_ = ReadStored(scanner, 1);
    } else if (members.Is("entries")) {
      if (!scanner.BeginArray()) break;
      while (scanner.NextElement()) queue.entries_.push_back(ReadAmount(scanner));
    } else if (members.Is("staged")) {
      queue.ReadStaged(scanner);
    } else if (members.Is("failures")) {
      queue.ReadFailures(scanner);
    }
  }
  if (version != kVersion) scanner.Reject("it is of another version");
  const bool line_fits = queue.line_.empty() || (queue.shared_ && IsLine(queue.line_));
  if (queue.settled() < 0 || (queue.staged_ && queue.entries_.empty()) || !line_fits ||
      !CheckId(queue.client_, "client")) {
    scanner.Reject("it contradicts itself");
  }
  if (!scanner.Finish()) {
    return Fail(kStorageAltered, scanner.failure("the stored increments").error().message);
  }
  return queue;
}

}  // namespace shardline
