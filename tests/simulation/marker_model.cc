// The proof of the table in exactly_once/marker.h: a model checker tries every
// order of events around one batch.
//
//   marker_model                  every configuration, and CommitBatch itself against the model;
//                                 the largest ones only if SHARDLINE_RUN=long
//   marker_model --mutants        each planted fault must be found
//   marker_model --mutant NAME    this one, and the shortest way to the broken invariant

#include <cstddef>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/marker_replay.h"
#include "simulation/marker_space.h"
#include "unit/support/run_size.h"

namespace {

using namespace shardline::simulation;  // NOLINT(google-build-using-namespace): a program.

// The last three take four fifths of the time.
constexpr Space kSpaces[] = {
    {.name = "an honest network, rules that refuse commits",
     .loses_answers = false,
     .refuses_markers = false,
     .has_weeks = false},
    {.name = "the same, and the browser repeats requests",
     .arrivals = 2,
     .loses_answers = false,
     .refuses_markers = false,
     .has_weeks = false},
    {.name = "one page"},
    {.name = "one page, the browser repeats requests", .arrivals = 2},
    {.name = "one page, and the user may give it up", .arrivals = 2, .has_withdrawals = true},
    {.name = "one key, two devices", .owners = Owners::kOneKey, .has_weeks = false},
    {.name = "a row that is taken over", .owners = Owners::kTakenOver},
    {.name = "two copies of one storage", .owners = Owners::kTwoCopies},
    {.name = "clocks that are wrong, nothing else is refused",
     .owners = Owners::kTakenOver,
     .refuses_commits = false,
     .refuses_markers = false,
     .has_weeks = false,
     .has_wrong_clocks = true,
     .must_count = true},
    {.name = "clocks that are wrong, and the user gives it up",
     .refuses_commits = false,
     .refuses_markers = false,
     .has_withdrawals = true,
     .has_weeks = false,
     .has_wrong_clocks = true},
    {.name = "a row that is taken over, repeated requests",
     .owners = Owners::kTakenOver,
     .arrivals = 2},
    {.name = "two copies, rules let markers be",
     .owners = Owners::kTwoCopies,
     .arrivals = 2,
     .refuses_markers = false},
    {.name = "clocks that are wrong, a row that is taken over",
     .owners = Owners::kTakenOver,
     .has_weeks = false,
     .has_wrong_clocks = true},
};

// The default run leaves out the last three.
std::span<const Space> SpacesOfRun() {
  constexpr std::size_t kAll = std::size(kSpaces);
  return std::span(kSpaces).first(shardline::InRun(kAll - 3, kAll));
}

// A duplicate that the browser sends by itself, or a copy of the storage that lives on, gets
// through when the rules have changed, after both commit and withdrawal were refused.
bool IsException(const Space& space, Wrong wrong) {
  const bool has_others = space.arrivals > 1 || space.owners == Owners::kTwoCopies;
  return wrong == Wrong::kRefusedUnmarked && has_others && space.refuses_markers &&
         space.refuses_commits;
}

void PrintPath(const std::vector<std::string>& path) {
  for (const std::string& step : path) std::printf("      %s\n", step.c_str());
}

// Whether all is as it must be.
bool Judge(const Space& space, const Exploration& exploration, bool prints) {
  bool is_right = !exploration.is_off_table;
  if (exploration.is_off_table && prints) std::printf("    Decide() differs from its table\n");
  for (std::size_t i = 0; i < std::size(exploration.wrong); ++i) {
    const auto wrong = static_cast<Wrong>(i);
    const bool is_there = exploration.wrong[i] > 0;
    const bool is_exception = IsException(space, wrong);
    is_right = is_right && is_there == is_exception;
    if (!prints || (!is_there && !is_exception)) continue;
    std::printf("    %s: %s\n",
                !is_there      ? "NOT FOUND, and stated as an exception"
                : is_exception ? "the stated exception"
                               : "WRONG",
                std::string(Name(wrong)).c_str());
    if (!is_exception) PrintPath(exploration.path[i]);
  }
  return is_right;
}

long long Number(std::int64_t value) { return static_cast<long long>(value); }

bool Prove() {
  bool is_right = true;
  std::int64_t times[static_cast<std::size_t>(TableRow::kCount)] = {};
  std::int64_t states = 0;
  std::int64_t edges = 0;
  std::printf("%-54s %9s %10s %9s %9s %9s %9s\n", "", "states", "steps", "counted", "refused",
              "unknown", "waiting");
  for (const Space& space : SpacesOfRun()) {
    const Exploration found = Explore(space, ModelMutant::kNone);
    std::printf("%-54s %9lld %10lld %9lld %9lld %9lld %9lld\n", std::string(space.name).c_str(),
                Number(found.states), Number(found.edges), Number(found.counted),
                Number(found.refused), Number(found.unknown), Number(found.waiting));
    std::fflush(stdout);
    is_right = Judge(space, found, true) && is_right;
    states += found.states;
    edges += found.edges;
    for (std::size_t row = 0; row < std::size(times); ++row) times[row] += found.times[row];
  }
  std::printf("%-54s %9lld %10lld\n\n", "together", Number(states), Number(edges));
  for (std::size_t row = 0; row < std::size(times); ++row) {
    std::printf("%-54s %9lld times\n", std::string(Name(static_cast<TableRow>(row))).c_str(),
                Number(times[row]));
    is_right = is_right && times[row] > 0;
  }
  return is_right;
}

bool Compare() {
  const Replayed replayed = CompareWithCommitBatch();
  std::printf("\nCommitBatch does the same as the model on %lld of %lld series of answers\n",
              Number(replayed.same), Number(replayed.series));
  if (!replayed.difference.empty()) std::printf("  %s\n", replayed.difference.c_str());
  return replayed.series > 0 && replayed.same == replayed.series;
}

// The first violation that the search has found in this space, apart from the allowed exceptions.
std::optional<Wrong> FirstWrong(const Space& space, const Exploration& exploration) {
  for (std::size_t i = 0; i < std::size(exploration.wrong); ++i) {
    const auto wrong = static_cast<Wrong>(i);
    if (exploration.wrong[i] > 0 && !IsException(space, wrong)) return wrong;
  }
  return std::nullopt;
}

bool Find(const ModelMutantRow& row, bool prints_path) {
  for (const Space& space : kSpaces) {
    const auto is_found = [&](const Exploration& so_far) {
      return FirstWrong(space, so_far).has_value();
    };
    const Exploration found = Explore(space, row.mutant, is_found);
    const std::optional<Wrong> wrong = FirstWrong(space, found);
    if (!wrong) continue;
    const std::vector<std::string>& path = found.path[static_cast<std::size_t>(*wrong)];
    std::printf("caught    %s (%s): %s: %s, in %zu steps\n", std::string(row.name).c_str(),
                std::string(row.what).c_str(), std::string(space.name).c_str(),
                std::string(Name(*wrong)).c_str(), path.size());
    if (prints_path) PrintPath(path);
    std::fflush(stdout);
    return true;
  }
  std::printf("SURVIVED  %s (%s)\n", std::string(row.name).c_str(), std::string(row.what).c_str());
  return false;
}

bool FindAll() {
  std::size_t caught = 0;
  for (const ModelMutantRow& row : ModelMutants()) caught += Find(row, false) ? 1 : 0;
  std::printf("%zu of %zu planted faults caught\n", caught, ModelMutants().size());
  return caught == ModelMutants().size();
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() == 1) {
    const bool is_proved = Prove();
    return Compare() && is_proved ? 0 : 1;
  }
  if (arguments.size() == 2 && std::string_view(arguments[1]) == "--mutants") {
    return FindAll() ? 0 : 1;
  }
  if (arguments.size() == 3 && std::string_view(arguments[1]) == "--mutant") {
    for (const ModelMutantRow& row : ModelMutants()) {
      if (row.name == arguments[2]) return Find(row, true) ? 0 : 1;
    }
  }
  std::fprintf(stderr, "usage: %s [--mutants | --mutant NAME]\n", argv[0]);
  return 2;
}
