#include "simulation/marker_space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <functional>
#include <unordered_map>
#include <utility>

namespace shardline::simulation {
namespace {

enum class Age : std::uint8_t { kYoung, kTooOld, kExpired };

struct Sender {
  ClientCall call;
  bool calls = false;  // A call is under way.
  // Of the request under way: how often it may still arrive, and what the server has said of it, as
  // bits of Reply.
  std::uint8_t arrivals = 0;
  std::uint16_t replies = 0;
  bool pauses = false;  // Before the request is sent once more.
  // The page's memory of earlier calls.
  bool sent_before = false;
  bool knows_time = false;
  Verdict verdict = Verdict::kNone;
  bool unmarked = false;

  friend bool operator==(const Sender&, const Sender&) = default;
};

struct World {
  std::array<Sender, 2> senders;
  // Commits by sender, and withdrawals, that may still arrive: as often as they like.
  std::array<bool, 2> late_commits = {};
  bool late_withdrawals = false;
  Marker marker = Marker::kMissing;
  bool is_short_lived = false;  // The marker's expireAt is in the past.
  std::uint8_t counted = 0;     // 2: more than once.
  std::array<bool, 2> counted_of = {};
  Age age = Age::kYoung;
  bool is_taken_over = false;

  friend bool operator==(const World&, const World&) = default;
};

struct Hash {
  std::size_t operator()(const World& world) const {
    std::uint64_t hash = 14'695'981'039'346'656'037U;
    const auto mix = [&hash](std::uint64_t value) {
      hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15U;
      hash ^= hash >> 29U;
    };
    for (const Sender& sender : world.senders) {
      mix(Bits(sender.call));
      mix(Bits(sender.calls, sender.pauses, sender.sent_before, sender.knows_time, sender.unmarked,
               sender.arrivals, sender.verdict, sender.replies));
    }
    mix(Bits(world.late_commits[0], world.late_commits[1], world.late_withdrawals, world.marker,
             world.counted, world.age, world.is_short_lived, world.is_taken_over,
             world.counted_of[0], world.counted_of[1]));
    return hash;
  }

 private:
  // Of values below 16; the last one may be larger.
  template <class... Values>
  static std::uint64_t Bits(Values... values) {
    std::uint64_t bits = 0;
    ((bits = bits << 4U | static_cast<std::uint64_t>(values)), ...);
    return bits;
  }
  static std::uint64_t Bits(const ClientCall& call) {
    return Bits(call.request, call.verdict, call.withdraws, call.sent_before, call.sole_owner,
                call.can_withdraw, call.lost, call.guessed, call.dated, call.last, call.unmarked,
                call.refusal ? 1 + static_cast<int>(*call.refusal) : 0);
  }
};

constexpr std::array<const char*, 4> kRequests = {"nothing", "the commit", "a reading",
                                                  "the withdrawal"};
constexpr std::array<const char*, 9> kReplies = {
    "done",          "ALREADY_EXISTS",  "denied", "contention", "it is missing",
    "it is applied", "it is withdrawn", "denied", "nothing"};
constexpr std::array<const char*, 5> kVerdicts = {"", ": counted", ": refused", ": unknown",
                                                  ": to be sent again"};

// An event that leads from one state to the next.
struct Step {
  enum class Kind : std::uint8_t {
    kNone,
    kCalls,
    kGivesUp,
    kArrives,
    kHears,
    kResumes,
    kCommitLate,
    kWithdrawalLate,
    kTooOld,
    kExpires,
    kExpiresAtOnce,
  };
  Kind kind = Kind::kNone;
  std::uint8_t sender = 0;
  Request request = Request::kNone;
  Reply reply = Reply::kLost;
  Verdict verdict = Verdict::kNone;
};

std::string Text(const Step& step) {
  const std::string page = "page " + std::to_string(step.sender);
  const std::string request = kRequests[static_cast<std::size_t>(step.request)];
  const std::string reply = kReplies[static_cast<std::size_t>(step.reply)];
  switch (step.kind) {
    case Step::Kind::kNone:
      return "";
    case Step::Kind::kCalls:
      return page + " calls";
    case Step::Kind::kGivesUp:
      return page + " gives the batch up";
    case Step::Kind::kArrives:
      return page + ": " + request + " arrives: " + reply;
    case Step::Kind::kHears:
      return page + " hears of " + request + ": " + reply +
             kVerdicts[static_cast<std::size_t>(step.verdict)];
    case Step::Kind::kResumes:
      return page + " sends " + request + " after a pause";
    case Step::Kind::kCommitLate:
      return page + ": the commit arrives late";
    case Step::Kind::kWithdrawalLate:
      return "the withdrawal arrives late";
    case Step::Kind::kTooOld:
      return "28 days have gone by";
    case Step::Kind::kExpires:
      return "the marker expires";
    case Step::Kind::kExpiresAtOnce:
      return "the marker expires at once";
  }
  return "";
}

class Explorer {
 public:
  Explorer(const Space& space, ModelMutant mutant, const Stop& stops)
      : space_(space), mutant_(mutant), client_(mutant), stops_(stops) {}

  Exploration Run() {
    World first;
    if (space_.owners == Owners::kOnePage) first.senders[1].verdict = Verdict::kUnknown;
    Found(first, nullptr, {});
    while (!queue_.empty() && !(stops_ && stops_(exploration_))) {
      from_ = queue_.front();
      queue_.pop_front();
      Expand(from_->first);
    }
    exploration_.states = static_cast<std::int64_t>(seen_.size());
    exploration_.is_off_table = client_.is_off_table();
    for (std::size_t row = 0; row < std::size(exploration_.times); ++row) {
      exploration_.times[row] = client_.times(static_cast<TableRow>(row));
    }
    return std::move(exploration_);
  }

 private:
  struct Origin {
    const std::pair<const World, Origin>* from;
    Step step;
  };
  using Node = std::pair<const World, Origin>;

  // ---- The successors of a state. ----

  void Expand(const World& world) {
    for (std::size_t i = 0; i < world.senders.size(); ++i) {
      if (world.senders[i].pauses) {
        Resume(world, i);
      } else if (world.senders[i].calls) {
        Arrive(world, i);
        Answer(world, i);
      } else if (world.senders[i].verdict == Verdict::kNone) {
        Call(world, i);
      }
    }
    ArriveLate(world);
    GrowOld(world);
  }

  // ---- A page calls. ----

  void Call(const World& world, std::size_t i) {
    // A row that is settled is there no more.
    const bool takes_over = space_.owners == Owners::kTakenOver && i == 1;
    if (takes_over && !world.is_taken_over && world.senders[0].verdict != Verdict::kNone) return;
    for (const bool withdraws : {false, true}) {
      if (withdraws && !space_.has_withdrawals) continue;
      World next = world;
      Sender& sender = next.senders[i];
      if (takes_over) next.is_taken_over = true;
      sender.call = {.withdraws = withdraws,
                     .sent_before = sender.sent_before,
                     .sole_owner = !next.is_taken_over,
                     .can_withdraw = space_.owners != Owners::kOneKey,
                     .guessed = !sender.knows_time};
      client_.Begin(sender.call, MomentOf(world, false));
      sender.calls = true;
      Send(next, i);
      Reach(next,
            {.kind = withdraws ? Step::Kind::kGivesUp : Step::Kind::kCalls, .sender = Number(i)});
    }
  }

  // The request under way goes out.
  void Send(World& world, std::size_t i) const {
    Sender& sender = world.senders[i];
    sender.replies = 0;
    sender.arrivals = static_cast<std::uint8_t>(sender.calls ? space_.arrivals : 0);
  }

  Moment MomentOf(const World& world, bool is_last_attempt) const {
    return {.is_too_old = world.age != Age::kYoung,
            .is_last_attempt = is_last_attempt,
            .clock_is_wrong = space_.has_wrong_clocks};
  }

  // ---- A request arrives at the server. ----

  bool IsDatedWrongly(const Sender& sender) const {
    return space_.has_wrong_clocks && sender.call.guessed;
  }

  void Arrive(const World& world, std::size_t i) {
    const Sender& sender = world.senders[i];
    if (sender.arrivals == 0) return;
    const auto reply = [&](World next, Reply said) {
      next.senders[i].arrivals -= 1;
      next.senders[i].replies |= static_cast<std::uint16_t>(1U << static_cast<unsigned>(said));
      Reach(next, {Step::Kind::kArrives, Number(i), sender.call.request, said});
    };
    if (sender.call.request == Request::kRead) {
      if (space_.refuses_markers) reply(world, Reply::kHidden);
      const Marker marker = world.marker;
      return reply(world, marker == Marker::kMissing   ? Reply::kMissing
                          : marker == Marker::kApplied ? Reply::kApplied
                                                       : Reply::kWithdrawn);
    }
    const bool is_commit = sender.call.request == Request::kCommit;
    const bool is_dated_wrongly = IsDatedWrongly(sender);
    const bool is_denied = is_dated_wrongly && mutant_ != ModelMutant::kExpiryUnbounded;
    if (is_denied || (is_commit ? space_.refuses_commits : space_.refuses_markers)) {
      reply(world, Reply::kDenied);
    }
    if (is_denied) return;
    reply(world, Reply::kContention);
    World next = world;
    const Reply said = is_commit ? Commit(next, i) : Withdraw(next);
    if (said == Reply::kDone) next.is_short_lived = is_dated_wrongly;
    reply(next, said);
  }

  Reply Commit(World& world, std::size_t i) const {
    if (world.marker != Marker::kMissing && mutant_ != ModelMutant::kCommitUnconditional) {
      return Reply::kExists;
    }
    world.marker = Marker::kApplied;
    world.counted = static_cast<std::uint8_t>(std::min(world.counted + 1, 2));
    world.counted_of[i] = true;
    return Reply::kDone;
  }

  Reply Withdraw(World& world) const {
    if (world.marker != Marker::kMissing && mutant_ != ModelMutant::kWithdrawalUnconditional) {
      return Reply::kExists;
    }
    world.marker = Marker::kWithdrawn;
    return Reply::kDone;
  }

  // A request that no page waits for arrives, and is applied. If it is refused, or never arrives,
  // nothing changes.
  void ArriveLate(const World& world) {
    for (std::size_t i = 0; i < world.senders.size(); ++i) {
      if (!world.late_commits[i]) continue;
      World next = world;
      Commit(next, i);
      Reach(next, {.kind = Step::Kind::kCommitLate, .sender = Number(i)});
    }
    if (world.late_withdrawals) {
      World next = world;
      Withdraw(next);
      Reach(next, {.kind = Step::Kind::kWithdrawalLate});
    }
  }

  // ---- An answer arrives at its page, or no answer does. ----

  void Answer(const World& world, std::size_t i) {
    for (unsigned replies = world.senders[i].replies; replies != 0; replies &= replies - 1) {
      Hear(world, i, static_cast<Reply>(std::countr_zero(replies)));
    }
    if (space_.loses_answers) Hear(world, i, Reply::kLost);
  }

  void Hear(const World& world, std::size_t i, Reply reply) {
    const bool may_go_on = reply == Reply::kLost || reply == Reply::kContention;
    for (const bool is_last_attempt : {false, true}) {
      if (is_last_attempt && !may_go_on) break;
      World next = world;
      Sender& sender = next.senders[i];
      const Request request = sender.call.request;
      // The server refuses a commit with a wrong date at any time.
      if (sender.arrivals > 0 && !IsDatedWrongly(sender)) {
        if (request == Request::kCommit) next.late_commits[i] = true;
        if (request == Request::kWithdrawal) next.late_withdrawals = true;
      }
      const Moment moment = MomentOf(world, is_last_attempt);
      const bool pauses = client_.Handle(sender.call, reply, moment);
      const Verdict verdict = sender.call.verdict;
      if (verdict != Verdict::kNone) End(next, i);
      Send(next, i);
      if (pauses) {
        sender.pauses = true;
        sender.arrivals = 0;
        if (mutant_ == ModelMutant::kSleepsInPause) client_.Resume(sender.call, moment);
      }
      Reach(next, {Step::Kind::kHears, Number(i), request, reply, verdict});
    }
  }

  void Resume(const World& world, std::size_t i) {
    World next = world;
    Sender& sender = next.senders[i];
    if (mutant_ != ModelMutant::kSleepsInPause) client_.Resume(sender.call, MomentOf(world, false));
    sender.pauses = false;
    Send(next, i);
    Reach(next,
          {.kind = Step::Kind::kResumes, .sender = Number(i), .request = sender.call.request});
  }

  // The call has ended.
  void End(World& world, std::size_t i) {
    Sender& sender = world.senders[i];
    const ClientCall call = std::exchange(sender.call, {});
    sender.calls = false;
    sender.knows_time = sender.knows_time || !call.guessed;
    sender.sent_before = call.sent_before || call.lost;
    if (call.verdict == Verdict::kWaiting) {
      ++exploration_.waiting;
      return;
    }
    if (call.verdict == Verdict::kUnknown) {
      ++exploration_.unknown;
    } else if (call.verdict == Verdict::kCounted) {
      ++exploration_.counted;
    } else {
      ++exploration_.refused;
      // Whoever settles a row looks whether it is still its own: if not, it asks again.
      const bool was_taken_over = call.sole_owner && world.is_taken_over;
      if (was_taken_over && mutant_ != ModelMutant::kRowNotLookedAt) return;
    }
    sender.verdict = call.verdict;
    sender.unmarked = call.unmarked;
  }

  // ---- Weeks go by. ----

  void GrowOld(const World& world) {
    if (world.is_short_lived && world.marker != Marker::kMissing) {
      World next = world;
      next.marker = Marker::kMissing;
      next.is_short_lived = false;
      Reach(next, {.kind = Step::Kind::kExpiresAtOnce});
    }
    if (!space_.has_weeks) return;
    if (world.age == Age::kYoung) {
      World next = world;
      next.age = Age::kTooOld;
      Reach(next, {.kind = Step::Kind::kTooOld});
    } else if (world.age == Age::kTooOld) {
      // Two days later nothing is under way any more that was sent before.
      World next = world;
      next.age = Age::kExpired;
      next.marker = Marker::kMissing;
      next.late_commits = {};
      next.late_withdrawals = false;
      for (Sender& sender : next.senders) sender.arrivals = 0;
      Reach(next, {.kind = Step::Kind::kExpires});
    }
  }

  // ---- States that were reached. ----

  static std::uint8_t Number(std::size_t i) { return static_cast<std::uint8_t>(i); }

  void Reach(const World& world, const Step& step) {
    ++exploration_.edges;
    Found(world, from_, step);
  }

  // States that differ in nothing that matters are one: unless a planted fault looks at it.
  World Plain(World world) const {
    using enum ModelMutant;
    const bool doubts_matter = mutant_ == kOwnerTakenForSole || mutant_ == kLostAnswerForgotten ||
                               mutant_ == kEarlierCallForgotten;
    const bool markers_hold =
        mutant_ != kCommitUnconditional && mutant_ != kWithdrawalUnconditional;
    if (space_.owners != Owners::kOneKey) {
      world.counted_of = {};
      world.late_commits = {world.late_commits[0] || world.late_commits[1], false};
    }
    // A late commit finds the marker.
    if (markers_hold && world.marker != Marker::kMissing && !world.is_short_lived) {
      world.late_commits = {};
      world.late_withdrawals = false;
    }
    for (Sender& sender : world.senders) {
      if (!space_.has_wrong_clocks) {
        sender.knows_time = false;
        sender.call.guessed = false;
        sender.call.dated = false;
        sender.call.refusal.reset();
      }
      if (sender.verdict != Verdict::kNone) sender.sent_before = sender.knows_time = false;
      if (doubts_matter) continue;
      if (sender.calls && !sender.call.sole_owner) sender.call.lost = sender.call.sent_before;
      if (sender.call.sent_before) sender.call.lost = false;
      if (world.is_taken_over) sender.sent_before = false;
    }
    return world;
  }

  void Found(const World& reached, const Node* from, const Step& step) {
    const World world = Plain(reached);
    const auto [node, is_new] = seen_.try_emplace(world, Origin{from, step});
    if (!is_new) return;
    bool is_wrong = false;
    for (std::size_t wrong = 0; wrong < std::size(exploration_.wrong); ++wrong) {
      if (!Is(world, static_cast<Wrong>(wrong))) continue;
      is_wrong = true;
      if (++exploration_.wrong[wrong] == 1) exploration_.path[wrong] = PathTo(*node);
    }
    // A violation stays one in all later states.
    if (!is_wrong) queue_.push_back(&*node);
  }

  bool Is(const World& world, Wrong wrong) const {
    if (wrong == Wrong::kCountedTwice) return world.counted > 1;
    bool is = false;
    for (std::size_t i = 0; i < world.senders.size(); ++i) {
      const Sender& sender = world.senders[i];
      const bool is_refused = sender.verdict == Verdict::kRefused;
      // For a key, each call returns the outcome of its own requests.
      const bool is_counted =
          space_.owners == Owners::kOneKey ? world.counted_of[i] : world.counted > 0;
      switch (wrong) {
        case Wrong::kCountedWrongly:
          is = is || (sender.verdict == Verdict::kCounted && world.counted == 0);
          break;
        case Wrong::kRefusedWrongly:
          is = is || (is_refused && is_counted && !sender.unmarked);
          break;
        case Wrong::kRefusedUnmarked:
          is = is || (is_refused && is_counted && sender.unmarked);
          break;
        case Wrong::kUnknownNeedlessly:
          is = is || (sender.verdict == Verdict::kUnknown && !space_.loses_answers &&
                      !space_.refuses_markers && !space_.has_weeks &&
                      !(space_.owners == Owners::kOnePage && i == 1));
          break;
        case Wrong::kRefusedNeedlessly:
          is = is || (is_refused && space_.must_count);
          break;
        default:
          break;
      }
    }
    return is;
  }

  static std::vector<std::string> PathTo(const Node& node) {
    std::vector<std::string> path;
    for (const Node* at = &node; at->second.from != nullptr; at = at->second.from) {
      path.push_back(Text(at->second.step));
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  const Space& space_;
  const ModelMutant mutant_;
  ModelClient client_;
  const Stop& stops_;
  std::unordered_map<World, Origin, Hash> seen_;
  std::deque<const Node*> queue_;
  const Node* from_ = nullptr;
  Exploration exploration_;
};

}  // namespace

std::string_view Name(Wrong wrong) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Wrong::kCount)> kWrongs = {
      "counted twice",
      "counted, and is not",
      "refused, and is counted",
      "refused when commit and withdrawal were denied, and is counted",
      "unknown, and nothing got lost",
      "refused, and nothing stood in its way",
  };
  return kWrongs[static_cast<std::size_t>(wrong)];
}

Exploration Explore(const Space& space, ModelMutant mutant, const Stop& stops) {
  return Explorer(space, mutant, stops).Run();
}

}  // namespace shardline::simulation
