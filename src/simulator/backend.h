// The embedded Firestore: the REST v1 interface of Cloud Firestore over documents in memory.
//
//   Backend backend({});
//   Answer answer = backend.Handle({"POST", "/v1/projects/p/databases/(default)/documents:commit"},
//   body, now);
//
// It is deterministic: it reads no clock, and its random numbers come from a seed. It answers every
// request: a malformed one with INVALID_ARGUMENT, one to an unknown address with 404. It checks no
// security rules, and every request that it answers counts as signed in.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/random.h"
#include "simulator/caller.h"
#include "simulator/database.h"

namespace shardline::simulator {

struct Request {
  std::string_view method;
  // Path and query as in the URL, percent-encoded:
  // "/v1/projects/…/documents/posts/p1?mask.fieldPaths=a"
  std::string_view target;
  Caller caller = Caller::kUser;
};

struct Answer {
  int status = 200;
  std::string body;
  std::string_view content_type = "application/json";
  Billed billed;
  ReadFacts read;
  // True if a lock of another transaction blocked the request: Firestore would have waited first.
  bool blocked = false;
};

// The answer to a request that fails.
Answer ErrorAnswer(const Error& error);

class Backend {
 public:
  explicit Backend(BackendOptions options);

  // `now` is the server's clock. It should not run backwards, but commit times increase strictly in
  // any case.
  Answer Handle(const Request& request, const PaddedText& body, Timestamp now);

  // The number of documents in all databases.
  std::size_t size() const;

  // The indexes that queries of all databases have lacked so far, if BackendOptions::index_check
  // asks for them. Each is an entry of firestore.indexes.json. The backend notes the first 1,000.
  const std::set<std::string>& missing_indexes() const { return missing_indexes_; }

  // ---- Persistence by snapshots and a write-ahead journal (persistence.cc). It keeps documents
  // with their versions of the past hour. It drops open transactions: they have ended. ----

  // From now on, notes each change for TakeJournal().
  void KeepJournal();
  // The changes since the last call, in a text that Restore() takes; empty if nothing has changed.
  std::string TakeJournal();
  // The whole backend, in a text that Restore() takes.
  std::string Snapshot() const;
  // Replays a snapshot or a journal. Call it with the last snapshot, and then with every later
  // journal in order. After an error, which means that the text is not the backend's own, do not
  // use the backend any more.
  Status Restore(const PaddedText& text);

 private:
  Status RestoreDatabase(JsonScanner& scanner);

  Database& DatabaseNamed(const std::string& name);

  BackendOptions options_;
  Random random_;
  std::map<std::string, std::unique_ptr<Database>> databases_;
  bool keeps_journal_ = false;
  // The databases that were emptied since the last TakeJournal().
  std::set<std::string> cleared_;
  std::set<std::string> missing_indexes_;
};

}  // namespace shardline::simulator
