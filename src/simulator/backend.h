// The embedded Firestore: the REST v1 interface of Cloud Firestore over documents in memory.
//
//   Backend backend({});
//   Answer answer = backend.Handle({"POST", "/v1/projects/p/databases/(default)/documents:commit"},
//   body, now);
//
// It reads no clock and rolls no dice but its own seeded ones. Whatever it is sent, it answers:
// what is malformed with INVALID_ARGUMENT, an address that does not exist with 404. It checks no
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
  // True if a lock of another transaction was in the way: Firestore would have waited first.
  bool blocked = false;
};

// The answer to a request that fails.
Answer ErrorAnswer(const Error& error);

class Backend {
 public:
  explicit Backend(BackendOptions options);

  // `now` is the server's clock and should not run backwards; commit times increase strictly
  // anyway.
  Answer Handle(const Request& request, const PaddedText& body, Timestamp now);

  // Documents in all databases.
  std::size_t size() const;

  // The indexes that queries of all databases have lacked so far, if BackendOptions::index_check
  // asks for them: each as an entry of firestore.indexes.json. Beyond 1,000 no more are noted.
  const std::set<std::string>& missing_indexes() const { return missing_indexes_; }

  // ---- Outliving the program (persistence.cc). The backend keeps documents with their versions of
  // the past hour. It drops open transactions: they have ended. ----

  // From now on, notes what changes, for TakeJournal().
  void KeepJournal();
  // The changes since the last call, as text for Restore(); empty for nothing.
  std::string TakeJournal();
  // Everything there is, as text for Restore().
  std::string Snapshot() const;
  // Does again what a snapshot or a journal says: first the last snapshot, then every journal since
  // in their order. After an error, which is for text from elsewhere, the backend is of no use.
  Status Restore(const PaddedText& text);

 private:
  Status RestoreDatabase(JsonScanner& scanner);

  Database& DatabaseNamed(const std::string& name);

  BackendOptions options_;
  Random random_;
  std::map<std::string, std::unique_ptr<Database>> databases_;
  bool keeps_journal_ = false;
  // Databases that were emptied since the last TakeJournal().
  std::set<std::string> cleared_;
  std::set<std::string> missing_indexes_;
};

}  // namespace shardline::simulator
