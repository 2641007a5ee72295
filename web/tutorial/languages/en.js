// Everything that the page says, by id, in ICU MessageFormat: {name} and {name, number} are values, <code>…</code> marks
// code, and an empty line separates paragraphs. Literal braces and angle brackets are quoted: '{'.

export const messages = {
  'page.title': 'Shardline: past Firestore’s two write limits',
  'page.name': 'Shardline',
  'page.title.view': '{view} – Shardline',
  'page.skip': 'Skip to the counter',
  'page.skip.main': 'Skip to the content',
  'page.language': 'Language:',
  'page.heading': 'Past Firestore’s two write limits',

  'contents.title': 'Contents',
  'contents.intro': 'Firestore writes fast, but not everywhere: one document takes about one write a second, and one range of an index about 500. An '
    + 'app that grows meets both limits.\n\nIn these chapters you first break things, then fix them. Everything that moves is real: you watch the '
    + 'library that your app would use, on a Firestore inside this page. You install nothing and need no account. A chapter takes about five '
    + 'minutes.',
  'contents.race': 'A thousand people press Like at once: one document counts about one like a second, and ten shards count about ten.',
  'contents.begin': 'Begin',
  'contents.done': '(done)',
  'contents.reference': 'API reference',
  'contents.forget': 'Reset my progress',
  'chapter.number': 'Chapter {n, number}',
  'steps.title': 'Steps of this chapter',
  'load-failure.title': 'This part of the tutorial did not load',
  'load-failure.text': 'You may be offline, or the tutorial has been updated.',
  'load-failure.reload': 'Reload the page',
  'pager.steps': 'Previous and next',
  'pager.back': 'Back',
  'pager.forward': 'Next',

  'prediction.title': 'What do you expect?',
  'prediction.commit': 'Submit my guess',
  'prediction.skip': 'Show me without a guess',
  'prediction.missing-number': 'Type a number, such as 100.',
  'prediction.missing-choice': 'Choose one first.',
  'prediction.outcome.computed': 'Your guess: <b>{guess}</b>. Answer: <b>{answer}</b>.',
  'prediction.answer.computed': 'Answer: <b>{answer}</b>.',
  'prediction.outcome': 'Your guess: <b>{guess}</b>. What happened: <b>{answer}</b>.',
  'prediction.answer': 'What happened: <b>{answer}</b>.',
  'prediction.kept': 'You guessed <b>{guess}</b>. Run it to see the result.',
  'prediction.awaited': 'Your guess: <b>{guess}</b>. You see the result {when, select, end {at the end of the run} other {after {moment}}}.',
  'prediction.awaited.unguessed': 'You see the result {when, select, end {at the end of the run} other {after {moment} of the run}}.',
  'prediction.elsewhere': '{isGuessed, select, yes {Your guess: <b>{guess}</b>. } other {}}This run has other settings than the question. To see the '
    + 'answer, choose the question’s settings again.',
  'run.start': 'Run it',
  'run.busy': 'Computing the run…',
  'run.other-seed': 'Run again with another seed',
  'run.seed': 'Chance decides who meets whom. The seed, {seed}, is in this page’s address. Open that address to repeat this run, or change the seed '
    + 'for another.',
  'stage.more': 'Speed, seed and tables',
  'stage.curtain': 'Answer first. The picture appears here.',
  'picture.table': 'As a table',
  'player.title': 'Player',
  'player.play': 'Play',
  'player.pause': 'Pause',
  'player.back': 'Step back',
  'player.forward': 'Step',
  'player.reset': 'To the start',
  'player.position': 'Position in the run',
  'player.speed': 'Speed',
  'player.slower': '1/{n, number}×',
  'player.faster': '{n, number}×',
  'player.time': '{now} of {end}',
  'tasks.title': 'Try this',
  'tasks.reached': 'Reached:',
  'tasks.state.reached': '(reached)',
  'tasks.state.open': '(open)',
  'sandbox.title': 'Sandbox',
  'sandbox.text': 'Here you can change every setting of this chapter’s runs. The address of this page holds your settings and the seed. Copy the '
    + 'address, and another person sees the same run.',
  'challenge.title': 'Challenge',
  'challenge.result': 'Your result',
  'challenge.awaited': 'You see the result at the end of the run.',
  'challenge.reached': 'Goal reached.',
  'challenge.missed': 'Goal not reached.',
  'challenge.best': 'Your best result so far:',
  'code.title': 'Your code',
  'code.copy': 'Copy',
  'code.copied': 'Copied.',
  'code.selected': 'The code is selected. Copy it with the keyboard.',
  'trial.title': 'Run the code here',
  'trial.hint': 'Change the code, and run it here. <code>db</code> is connected to <code>firestore</code>, an embedded Firestore that is a new one for each '
    + 'run. A run takes {seconds, plural, one {# second} other {# seconds}} at the most and shows up to {count, plural, one {# output} other {# outputs}}. '
    + 'Ctrl+Enter runs the code, and Tab leaves the field.',
  'trial.judged': 'The challenge judges this code, too: its bill, and the value that it returns.',
  'trial.run': 'Run the code',
  'trial.stop': 'Stop',
  'trial.reset': 'Reset the code',
  'trial.output': 'Output',
  'trial.bill': 'Bill of the run',
  'trial.loading': 'Firestore is starting.',
  'trial.running': 'The code is running.',
  'trial.end.done': 'The code has ended after {time}.',
  'trial.end.failed': 'The code has ended with an error.',
  'trial.end.late': 'The code was stopped because it took more than {seconds, plural, one {# second} other {# seconds}}.',
  'trial.end.stopped': 'You have stopped the code.',
  'trial.end.broken': 'The code could not start. You may be offline, or the tutorial has been updated. Load the page again.',
  'trial.line': 'Line {line, number}.',
  'trial.cut': 'You see the first {count, plural, one {output} other {# outputs}} only.',

  'playground.title': 'Playground',
  'playground.about': 'Try every setting on the embedded Firestore, on Google’s emulator, or on your own project.',
  'playground.intro': 'Below you use the real library, on the embedded Firestore or on your own. The log shows every request and its cost.',

  'chapter.lost-answer.title': 'The answer that got lost',
  'chapter.lost-answer.about': 'An app that tries again can count twice. An app that marks each commit counts once. You cut the wire.',
  'chapter.lost-answer.again.title': 'Try again?',
  'chapter.lost-answer.again.text': 'A reader presses Like a few times. One answer gets lost on its way back. The app cannot know whether Firestore '
    + 'counted the like, because no answer comes in either case.\n\nThe first app simply tries again. The second app puts a <b>marker</b> into '
    + 'each commit: a small document with a random name, which Firestore creates only if it does not exist yet. If the marker exists, Firestore '
    + 'refuses the whole commit. A commit therefore counts once, however often the app sends it. Step through the run, event by event.',
  'chapter.lost-answer.again.question': 'The first app tries again. What does the counter show in the end?',
  'chapter.lost-answer.again.choice.less': 'Fewer likes than presses',
  'chapter.lost-answer.again.choice.same': 'As many likes as presses',
  'chapter.lost-answer.again.choice.more': 'More likes than presses',
  'chapter.lost-answer.again.result': 'Trying again: {pressed, plural, one {# press} other {# presses}}, <b>{counted, number} counted</b>. With the '
    + 'marker: {markerPressed, plural, one {# press} other {# presses}}, <b>{markerCounted, number} counted</b>. When no answer comes, the second app '
    + 'sends the same commit again. If Firestore refuses the commit, the app reads the marker. The marker exists, so Firestore has counted the like.',
  'chapter.lost-answer.again.task.double': 'See the first app count a press twice, and the second count it once.',
  'chapter.lost-answer.again.task.refused': 'See Firestore refuse a commit because its marker exists already.',
  'chapter.lost-answer.again.task.harmless': 'Find a fault that does no harm, even without a marker.',
  'knob.fault': 'Fault',
  'knob.fault.none': 'No fault',
  'knob.fault.cut': 'The answer gets lost',
  'knob.fault.lost': 'The request gets lost',
  'knob.fault.twice': 'The request arrives twice',
  'knob.fault.late': 'The request arrives late',
  'knob.request': 'Affected request',
  'answers.naive': 'An app that tries again',
  'answers.marker': 'An app with a marker',
  'answers.page': 'App',
  'answers.firestore': 'Firestore: the counter’s value',
  'answers.legend': '▼ pressed, ✓ confirmed, ● counted, ○ changed nothing, ✕ lost. Dashed: sent again. Thin: reads the marker.',
  'answers.pressed': 'Pressed:',
  'answers.counted': 'Counted:',
  'answers.confirmed': 'Confirmed:',
  'answers.summary': '{way}, after {time}: pressed {pressed, number}, requests sent {sent, number}, counted {counted, number}, confirmed {confirmed, number}.',
  'answers.column.request': 'Request',
  'answers.column.what': 'Action',
  'answers.column.sent': 'Sent',
  'answers.column.arrived': 'Arrived',
  'answers.column.answer': 'Answered',
  'answers.what.commit': 'add 1',
  'answers.what.commit.again': 'add 1 again: request {number, number} got no answer',
  'answers.what.read': 'read the marker',
  'answers.what.read.again': 'read the marker, after request {number, number}',
  'answers.arrived.counted': '{time}, counted',
  'answers.arrived.ignored': '{time}, changed nothing',
  'answers.none': 'never',

  'chapter.sharded-query.title': 'The sharded query',
  'chapter.sharded-query.about': 'Shardline asks all shards at once and merges their answers into one list, in exactly the right order.',
  'chapter.sharded-query.merge.title': 'Chunks and the merge',
  'chapter.sharded-query.merge.text': 'The collection <code>instruments</code> is the same as in Firestore’s documentation. Each document has a '
    + 'random shard value, so “the newest 10” are spread over all shards.\n\nFirestore’s <code>in</code> takes up to 30 values. Shardline therefore cuts the '
    + 'shard values into <b>chunks</b>. Each chunk is one query, sorted by time, and Shardline merges the answers. If a chunk runs out of documents '
    + 'during the merge, Shardline asks it again: a <b>refill</b>. Shardline asks each chunk for its share of the page and a few documents more, '
    + 'because chance spreads documents unevenly.',
  'chapter.sharded-query.merge.question': 'Shardline asks two chunks for one page of 10 documents. How many reads does Firestore bill?',
  'chapter.sharded-query.merge.result': 'Shardline sent {requests, plural, one {# request} other {# requests}} to {chunks, plural, one {# chunk} '
    + 'other {# chunks}} and merged {merged, plural, one {# document} other {# documents}}. Firestore billed <b>{reads, plural, one {# read} other {# '
    + 'reads}}</b>. {over, select, yes {{same, select, yes {The list is exactly the list that one query without shards returns.} other {The list '
    + 'differs from the list that one query returns.}}} other {}}',
  'chapter.sharded-query.merge.task.tie': 'See two documents with exactly the same time merged: look for the “=” on a card.',
  'chapter.sharded-query.merge.task.one': 'Get a page with one request and no read too many.',
  'chapter.sharded-query.merge.task.refill': 'See a refill. More chunks and a longer page make a refill likelier.',
  'chapter.sharded-query.pages.title': 'The next page',
  'chapter.sharded-query.pages.text': '<code>stream()</code> keeps every document that it has fetched. The next page begins with these documents, and '
    + 'Shardline asks only for the rest.',
  'chapter.sharded-query.pages.question': 'How many reads does Firestore bill for the second page of 10 documents?',
  'chapter.sharded-query.pages.result': '{pages, plural, =0 {No whole page yet} one {# page} other {# pages}}: {merged, plural, one {# document} '
    + 'other {# documents}} for <b>{reads, plural, one {# read} other {# reads}}</b>. {over, select, yes {{same, select, yes {Page by page, you '
    + 'get exactly the documents that one query returns.} other {The pages differ from the pages that one query returns.}}} other {}}',
  'chapter.sharded-query.pages.task.cheap': 'See a second page for which Firestore bills no more reads than documents.',
  'chapter.sharded-query.pages.task.last': 'Go on to the last page.',
  'chapter.sharded-query.three-queries.title': 'The documentation’s three queries',
  'chapter.sharded-query.three-queries.text': 'You can ask by type, by exchange, or by the currency of the price. Each query needs its own index, '
    + 'with the shard in front. You can also ask each chunk for the <b>whole</b> page. This is called <code>whole-page</code>: it never needs a refill, '
    + 'and costs the most reads.',
  'chapter.sharded-query.three-queries.result': '{requests, plural, one {# request} other {# requests}}, {merged, plural, one {# document} other {# documents}}, '
    + '<b>{reads, plural, one {# read} other {# reads}}</b>.',
  'chapter.sharded-query.three-queries.task.exchange': 'Ask for one exchange.',
  'chapter.sharded-query.three-queries.task.currency': 'Ask for prices in US dollars.',
  'chapter.sharded-query.three-queries.task.whole-page': 'Find out how many reads it costs to ask each chunk for the whole page.',
  'chapter.sharded-query.challenge.text': 'Fetch a page of <b>50 documents for at most 60 reads</b>. Spread the documents over as many shard values '
    + 'as you can: each shard value adds 500 writes a second.',
  'chapter.sharded-query.challenge.outcome': 'The page of {documents, plural, one {# document} other {# documents}} cost <b>{reads, plural, one {# '
    + 'read} other {# reads}}</b>{extra, plural, =0 {. The limit is {most, number}.} one {: # read too many.} other {: # reads too many.}}',
  'chapter.sharded-query.challenge.code': 'The code returned {right, plural, one {# document} other {# documents}} of the newest {limit, number}. '
    + 'The cost is <b>{reads, plural, one {# read} other {# reads}}</b>, and the limit is {most, number}.',
  'knob.shard-values': 'Shard values',
  'knob.limit': 'Documents on a page',
  'knob.pages': 'Pages',
  'knob.query': 'Query',
  'knob.query.type': 'Common stock',
  'knob.query.exchange': 'Exchange 1',
  'knob.query.currency': 'In US dollars',
  'knob.chunk-reads': 'Ask each chunk for',
  'knob.chunk-reads.share': 'Its share of the page',
  'knob.chunk-reads.whole-page': 'The whole page',
  'merge.chunk': 'Chunk {n, number}: {shards, plural, one {# shard value} other {# shard values}}',
  'merge.asked': 'asked for {count, number}…',
  'merge.asked-all': 'asked for all…',
  'merge.asked-more': 'ran dry, asked for {count, number} more…',
  'merge.answered': 'answered {count, number}',
  'merge.result': 'The merged list, the newest first',
  'merge.legend': 'On each card: the document’s time in minutes and seconds, and below it its shard value. “=”: the same time as on the card before. Dashed: already merged.',
  'merge.page': 'Page {n, number}',
  'merge.summary': 'After {time}: requests sent {requests, number}, documents fetched {fetched, number}, merged {merged, number}, whole pages {pages, number}.',
  'merge.column.number': 'No.',
  'merge.column.time': 'Time',
  'merge.column.symbol': 'Symbol',
  'merge.column.shard': 'Shard',
  'merge.column.chunk': 'Chunk',
  'merge.column.page': 'Page',

  'chapter.your-indexes.title': 'Your indexes',
  'chapter.your-indexes.about': 'Drop your <code>firestore.indexes.json</code> here. You see which indexes are hot and why, and you get the file that '
    + 'fixes them.',
  'chapter.your-indexes.hot.title': 'Hot indexes',
  'chapter.your-indexes.hot.text': 'Below is the index file of the instruments of the previous chapter. It lists two composite indexes, each over '
    + 'several fields. Firestore also indexes every field by itself, although no file says so.\n\nAn index is <b>hot</b> if its first field has '
    + 'values that keep rising. Then each new entry goes to the same end of the index, and this end takes about 500 writes a second.',
  'chapter.your-indexes.hot.question': 'How many indexes of this collection are hot?',
  'chapter.your-indexes.hot.sandbox': 'Try how many writes a second a hot index lets through',
  'chapter.your-indexes.hot.task.hidden': 'Find a hot index that no file lists.',
  'chapter.your-indexes.hot.task.mend': 'Change the file by hand until no composite index is hot or perhaps hot: put <code>shard</code> in front.',
  'chapter.your-indexes.rewrite.title': 'The file that fixes it',
  'chapter.your-indexes.rewrite.text': 'You do not have to do this by hand. For each composite index in which a field rises, Shardline adds the same '
    + 'index with the shard in front. Shardline does this only for collections that you tick: an index takes 500 writes a second, so the other '
    + 'collections need no change.\n\nYou get two files. The first file keeps all old indexes, because queries without their index fail. The second '
    + 'file leaves the old indexes out. Deploy it when no app asks the old queries any more.\n\nYour own file works as well. It does not leave this '
    + 'page.',
  'chapter.your-indexes.rewrite.task.clean': 'Tick a collection and get two files. In the second file, no index is hot.',
  'chapter.your-indexes.rewrite.task.counters': 'Add the entries for distributed counters: a TTL policy deletes old markers.',
  'chapter.your-indexes.missing.title': 'The index that is missing',
  'chapter.your-indexes.missing.text': 'A query without its index fails, and Firestore answers with a link. The link says which index the query '
    + 'needs. Look before you click: that index could be hot.',
  'chapter.your-indexes.missing.task.read': 'Read which index the error asks for.',
  'unit.hot-indexes': '{count, plural, one {# hot index} other {# hot indexes}}',

  'indexes.file.choice': 'File',
  'indexes.file.instruments': 'Instruments',
  'indexes.file.chat': 'A chat',
  'indexes.file.own': 'Your own',
  'indexes.file': 'firestore.indexes.json',
  'indexes.file.hint': 'Type, paste, or drop a file here. It does not leave this page.',
  'indexes.file.open': 'Open a file',
  'indexes.file.too-large': 'This file is larger than any index file. Choose another one.',
  'indexes.file.unreadable': 'This file cannot be read. Choose another one.',
  'indexes.findings': 'Hot indexes',
  'indexes.findings.count': 'Hot: {hot, number}. Perhaps hot: {perhaps, number}.',
  'indexes.risk.hot': 'Hot',
  'indexes.risk.perhaps': 'Perhaps hot',
  'indexes.why.single': 'Firestore indexes every field by itself; “•” marks such an index. The values of <code>{field}</code> rise, so all new '
    + 'entries go to one end. No file lists this index. The next step shows when to switch it off.',
  'indexes.why.first': '<code>{field}</code> comes first and its values rise, so all new entries go to one end of this index.',
  'indexes.why.behind': 'The values of <code>{field}</code> rise behind <code>{front}</code>. If most documents have the same value in '
    + '<code>{front}</code>, all new entries go to one place.',
  'indexes.perhaps': 'If the values rise:',
  'indexes.candidates': 'Which of these fields rise?',
  'indexes.candidates.hint': 'Their names suggest it, and a name proves nothing. Tick a field if its values rise from one document to the next.',
  'indexes.candidate': '<code>{field}</code> in <code>{collection}</code>',
  'indexes.busy': 'Which collections take more than 500 writes a second?',
  'indexes.busy.hint': 'Tick a collection only if its field really rises. All others stay as they are.',
  'indexes.busy.label': '<code>{collection}</code>, in which <code>{field}</code> rises',
  'indexes.ascending': 'ascending',
  'indexes.descending': 'descending',
  'indexes.shard-field': 'Shard field',
  'indexes.shard-field.hint': 'Each new document gets a random value there.',
  'indexes.counters': 'Add the entries for distributed counters',
  'indexes.rewritten': 'First: firestore.indexes.json',
  'indexes.rewritten.later': 'Later: firestore.indexes.json without the old indexes',
  'indexes.before-after': 'Hot or perhaps hot before: {before, number}. After the second file: {after, number}.',
  'indexes.changes': 'Changes and reasons',
  'indexes.changes.later': 'Changes in the second file',
  'indexes.step.queries': 'Queries: write them with <code>shardedCollection</code>, and give each new document a <code>{shard}</code>. Release the writes now, and the queries after the third step.',
  'indexes.step.backfill': 'Backfill: give the existing documents a <code>{shard}</code> with <code>backfill()</code>.',
  'indexes.step.indexes': 'Indexes: deploy the first file with <code>firebase deploy --only firestore:indexes</code>, and wait until Firestore has built the new ones. Then release the queries.',
  'indexes.step.remove': 'Old indexes: deploy the second file when no released app and no server asks the old queries any more.',
  'indexes.kind.removed': 'Removed.',
  'indexes.kind.added': 'Added.',
  'indexes.kind.exempted': 'Exempted from indexing.',
  'indexes.change.removed': 'A field in this index rises, and <code>{shard}</code> is not in front.',
  'indexes.change.added': 'With <code>{shard}</code> in front, writes spread over as many ranges as there are shards.',
  'indexes.change.exempted': 'An index of this field alone would be hot, or cost writes without any use. Queries that sort by this field alone stop '
    + 'working: ask through <code>shardedCollection</code>.',
  'indexes.change.exempted.own': 'These documents are Shardline’s own, and you need not know them. No query asks for such a field alone. Its index '
    + 'would cost writes or be hot.',
  'indexes.change.ttl': 'TTL: Firestore deletes a document after the time in <code>{field}</code>, and needs no index for that.',
  'indexes.error': 'Firestore’s error',
  'indexes.error.hint': 'Paste the whole message, or the link in it. The page sends nothing.',
  'indexes.error.sample': 'Use a sample',
  'indexes.entry': 'For firestore.indexes.json',
  'indexes.entry.sharded': 'For more than 500 writes a second: with the shard in front',
  'indexes.entry.asked': 'As Firestore asked',
  'indexes.asks.composite': 'The error asks for this composite index:',
  'indexes.asks.single': 'The error asks for an index of this field alone:',
  'indexes.asks.risk.perhaps': 'The name of a field in this index suggests rising values. If the values rise, and the collection takes more than 500 '
    + 'writes a second, put the shard field in front and ask with a sharded query.',
  'indexes.asks.risk.none': 'No field in this index seems to rise, so the index takes as many writes as you need.',

  'chapter.one-document.title': 'One document, many writers',
  'chapter.one-document.about': 'All readers press Like at once, and one document has to count them.',
  'chapter.one-document.many-writers.title': 'A thousand Likes',
  'chapter.one-document.many-writers.text': 'A post keeps its likes in one field of one document. Each press of the button writes to that document, '
    + 'and <code>increment(1)</code> makes sure that no press overwrites another.\n\nFirestore performs the writes to one document one after the '
    + 'other. It keeps up with about one write a second. A few more can come in a burst.',
  'chapter.one-document.many-writers.question': '1,000 people press Like at the same moment. How many likes does Firestore count within 10 seconds?',
  'chapter.one-document.many-writers.result': 'After {time}: {asked, plural, one {# person has} other {# people have}} pressed, and Firestore has '
    + 'counted <b>{counted, plural, one {# like} other {# likes}}</b>. {conflicts, plural, =0 {Firestore refused no request.} one {Firestore '
    + 'refused # request, because too many others were in front of it.} other {Firestore refused # requests, because too many others were in front '
    + 'of them.}} {failed, plural, =0 {The app has reported no failed like.} one {The app has reported a failed like to # person.} other {The app '
    + 'has reported a failed like to # people.}}{judged, select, yes {\n\nAfter 10 seconds, the count was {early, number}.} other {}}{over, '
    + 'select, yes {\n\nTrying again at once does not help, because the document is as busy as before. More documents help.} other {}}',
  'chapter.one-document.many-writers.task.lost': 'See a reader lose a like: play until an increment has failed for good.',
  'chapter.one-document.many-writers.task.holds': 'Find a crowd of five or more people whose likes Firestore counts within 10 seconds.',

  'chapter.distributed-counter.title': 'The distributed counter',
  'chapter.distributed-counter.about': 'Spread the count over several documents until the counter keeps up.',
  'chapter.distributed-counter.turn-up.title': 'Turn the shards up',
  'chapter.distributed-counter.turn-up.text': 'A <b>distributed counter</b> keeps its count in several documents, the <b>shards</b>. Each increment '
    + 'goes to one of them at random, and the total is the sum of all. Twice as many shards take twice as many writes.\n\nHere 50 people press Like '
    + 'each second during 40 seconds.',
  'chapter.distributed-counter.turn-up.question': 'With 10 shards, how many of the 50 presses does Firestore count each second?',
  'chapter.distributed-counter.turn-up.result': '{over, select, yes {With {shards, plural, one {# shard} other {# shards}}, Firestore counted '
    + '<b>{counted, plural, one {# increment} other {# increments}} a second</b>, of {asked, number} requested. Of 20 counted presses, 19 took less '
    + 'than {wait}. {retries, plural, =0 {The app sent no request again.} one {The app sent # request again.} other {The app sent # requests again.}} '
    + '{failed, plural, =0 {No increment was lost.} one {# increment was lost.} other {# increments were lost.}}\n\n{holds, select, yes {The counter '
    + 'keeps up.} nearly {{shards, plural, one {# shard carries} other {# shards carry}} this load on average, but presses meet at the same shard, '
    + 'and people wait too long: try more shards.} other {The counter does not keep up: people wait too long.}} By the rule of one write a second for '
    + 'each shard, this load needs {needed, plural, one {# shard} other {# shards}}. More shards shorten the wait when several presses happen to meet '
    + 'at the same shard.} other {After {time}: {pressed, plural, one {# person has} other {# people have}} pressed, and Firestore has counted '
    + '<b>{done, plural, one {# press} other {# presses}}</b>.}}',
  'chapter.distributed-counter.turn-up.task.crowded': 'See a shard refuse a request because too many others are in front of it.',
  'chapter.distributed-counter.turn-up.task.holds': 'Turn the shards up until the counter keeps up: no press fails, and 19 of 20 presses take less '
    + 'than a second.',
  'chapter.distributed-counter.challenge.text': 'Hold <b>300 presses a second</b> with as few shards as you can: no press fails, and 19 of 20 '
    + 'presses take less than a second.\n\nHere 300 people press Like each second during 20 seconds.',
  'chapter.distributed-counter.challenge.outcome': 'With {shards, plural, one {# shard} other {# shards}}, {failed, plural, =0 {no press failed} one '
    + '{# press failed} other {# presses failed}}, and 19 of 20 presses took less than {wait}. The goal is less than a second.',

  'chapter.reading.title': 'The cost of reading',
  'chapter.reading.about': 'Read every part of the count, let the server add up, or share one total.',
  'chapter.reading.three-ways.title': 'Three ways to one number',
  'chapter.reading.three-ways.text': 'The writes are spread over the shards now, so a read has to bring the values together again. Firestore bills '
    + 'each document that it reads.\n\nFirebase’s sample <b>reads every shard</b> and adds the values up. The server can <b>add up</b> itself, and '
    + 'Firestore bills this as one read for up to 1,000 shards. Or all readers <b>share a total</b> in a document of its own. When the shared total '
    + 'is older than a second, one of the readers updates it. A shared total is for counters with more than 1,000 shards: with fewer shards, like '
    + 'here, it costs more than the server’s sum.\n\nHere each reader looks at the total about once a second during 20 seconds, in all three ways at '
    + 'once.',
  'chapter.reading.three-ways.question': '50 shards, 20 readers, 20 seconds: how many reads does Firestore bill if every reader reads every shard?',
  'chapter.reading.three-ways.result': 'For {totals, plural, one {# total} other {# totals}} of {shards, plural, one {# shard} other {# shards}}, '
    + 'Firestore bills <b>{all, plural, one {# read} other {# reads}}</b> if the readers read every shard. It bills <b>{sum, number}</b> if the '
    + 'server adds up, and <b>{shared, number}</b> with a shared total.\n\nA month of this costs about <b>{dollarsAll}</b> the first way and '
    + '<b>{dollarsSum}</b> the second. Sharing pays off with more than 1,000 shards, because Firestore then bills more than one read for each sum.',
  'chapter.reading.three-ways.task.dear': 'Make the first way cost 100,000 reads in 20 seconds.',
  'chapter.reading.three-ways.task.same': 'Find a setting in which reading every shard costs no more than one read for each total.',

  'chapter.live.title': 'Live totals',
  'chapter.live.about': 'A page that asks pays for every question. See when it pays to listen.',
  'chapter.live.ask-or-listen.title': 'Ask or listen',
  'chapter.live.ask-or-listen.text': 'Other people change the total while your page shows it. Your page can <b>ask</b> every few seconds. '
    + 'Firestore bills a read for each question, also if nothing has changed. Your page can <b>listen</b>: the server then sends each shard '
    + 'that changes. Firestore bills the first total and each shard once, and then each change of a shard.\n\nIf changes come too fast, '
    + '<code>watch()</code> asks each second until they are rare again. With <code>readsPerHour</code> you set <b>a bound</b>: the highest '
    + 'bill of an hour. Near the bound, the page asks less often, and its number still moves.\n\nHere a page shows a counter with 10 shards '
    + 'for an hour, in three ways at once. Shardline’s own code runs, in virtual time. A <b>published total</b> is cheaper still for a busy '
    + 'counter: a page that listens to it pays one read for each time that it is published.',
  'chapter.live.ask-or-listen.question': 'A page shows a counter with 10 shards for an hour, and 2 people a minute press Like. How many '
    + 'reads does Firestore bill if the page listens?',
  'chapter.live.ask-or-listen.result': 'After {time}, Firestore has billed <b>{ask, plural, one {# read} other {# reads}}</b> if the page '
    + 'asks every {every, plural, one {second} other {# seconds}}, and <b>{listen, plural, one {# read} other {# reads}}</b> if it listens. '
    + 'With a bound of {bound, plural, one {# read} other {# reads}} an hour, it has billed <b>{bounded, plural, one {# read} other {# '
    + 'reads}}</b>.{seen, select, yes {\n\nThe slowest like appeared after {askLate} if the page asks, after {listenLate} if it listens, '
    + 'and after {boundedLate} with the bound.} other {}}{over, select, yes {\n\nIf {people, plural, one {# person looks} other {# people '
    + 'look}} for an hour each day, a month costs about <b>{dollarsAsk}</b>, <b>{dollarsListen}</b> and <b>{dollarsBounded}</b>.} other {}}',
  'chapter.live.ask-or-listen.task.quiet': 'Let an hour pass without a like, and compare the billed reads.',
  'chapter.live.ask-or-listen.task.busy': 'Find a load at which a page that listens pays more than a page that asks.',
  'chapter.live.ask-or-listen.task.hidden': 'Hide the tab, and see which way goes on paying.',
  'knob.likes': 'Likes a minute',
  'knob.every': 'Seconds between questions',
  'knob.tab': 'The tab',
  'knob.tab.shown': 'In view for the whole hour',
  'knob.tab.hidden': 'Hidden for the middle third of the hour',
  'series.reads': 'Billed reads so far',
  'code.note.asks': 'asks',
  'code.note.listens': 'listens',
  'code.note.bounded': 'listens with a bound',
  'live.way.ask': 'The page asks',
  'live.way.listen': 'The page listens',
  'live.way.bounded': 'It listens with a bound',
  'live.key.shown': '{people, plural, one {# like} other {# likes}} on the page',
  'live.key.missing': 'not on the page yet',
  'live.shown': '{behind, plural, =0 {shows {shown, number}} one {shows {shown, number}, # missing} other {shows {shown, number}, # '
    + 'missing}}',
  'live.tab': 'The tab is hidden.',
  'live.number': 'Number on the page',
  'live.behind': 'Missing likes',
  'live.latest': 'Slowest like',
  'live.summary': 'After {time}, Firestore has billed {ask, plural, one {# read} other {# reads}} for the page that asks, {listen, plural, '
    + 'one {# read} other {# reads}} for the page that listens, and {bounded, plural, one {# read} other {# reads}} with the bound.',

  'chapter.hot-range.title': 'The hot range',
  'chapter.hot-range.about': 'Writes with a rising timestamp are slow, however many documents there are. See why.',
  'chapter.hot-range.tablets.title': 'Tablets fill and split',
  'chapter.hot-range.tablets.text': 'Each new event is a document of its own, so no single document gets too many writes. But Firestore keeps an '
    + '<b>index</b> of each field, sorted by value, and cuts it into <b>tablets</b>: ranges of keys that take about 500 writes a second each. A '
    + 'tablet that gets more writes is <b>hot</b>, and after a while Firestore splits it in two.\n\nA timestamp rises. So every new entry goes to the '
    + 'very end of the index, into the last tablet, however often Firestore splits it.\n\nThe cure is a field <code>shard</code> with one of a few '
    + 'values, drawn at random for each document. This time, a shard is not a document: it is only a value in each event. An index of the shard, then '
    + 'the time, has an end for each of these values.\n\nHere 900 events arrive each second during 20 seconds.',
  'chapter.hot-range.tablets.question': 'The app sends 900 documents each second. How many documents a second does Firestore write?',
  'chapter.hot-range.tablets.result': '{over, select, yes {{index, select, time {With the index of the time alone,} shard {With the index of shard, '
    + 'then time, and {shards, plural, one {# shard} other {# shards}},} other {With {shards, plural, one {# shard} other {# shards}}, and the old '
    + 'index of the time alone still in place,}} Firestore writes <b>{written, plural, one {# document} other {# documents}} a second</b>, of {asked, '
    + 'number}.} other {After {time}: the app has sent {came, plural, one {# document} other {# documents}}, and Firestore has written <b>{done, '
    + 'number}</b>.}} {tablets, plural, =0 {There is no index of the time alone.} one {The index of the time alone is one tablet.} other {The index '
    + 'of the time alone has # tablets by now, and all new entries go to the last one.}}{over, select, yes {\n\n{index, select, time {A split does '
    + 'not help, because it moves only the past away.} shard {With a shard in front, new entries go to several places at once, one for each shard. At '
    + 'first all these places are in one tablet. Once Firestore has split the tablet between them, each shard has its own.} other {Firestore also '
    + 'writes the old index, and every write waits for it. So remove the old index: exempt the field from indexing.}}} other {}}',
  'chapter.hot-range.tablets.task.split': 'With the index of the time alone, see a tablet split and the new tablet become hot again.',
  'chapter.hot-range.tablets.task.old-index': 'Put a shard in front and leave the old index in place: see that this does not help.',
  'chapter.hot-range.tablets.task.spread': 'Get more than 800 documents a second written.',
  'chapter.hot-range.challenge.text': 'Bring <b>2,000 events a second</b> through with as few shards as you can: on average over 15 seconds, '
    + 'Firestore writes 1,900 documents a second or more.\n\nIn this run, Firestore splits a hot tablet sooner than in the first step, so you need '
    + 'not wait long.',
  'chapter.hot-range.challenge.outcome': 'Firestore wrote <b>{written, plural, one {# document} other {# documents}} a second</b>.{missing, plural, '
    + '=0 {} one { The goal is # document a second more.} other { The goal is # documents a second more.}}',

  'chapter.ids.title': 'Ids under load',
  'chapter.ids.about': 'Numbers for 1,000 users: slow, wrong, or in blocks.',
  'chapter.ids.three-ways.title': 'Three ways to the next number',
  'chapter.ids.three-ways.text': 'A team wanted to number its records, and ran a load test of two minutes: ten more users each second, up to '
    + '1,000.\n\n<b>A transaction</b> reads a counter, adds 1, and writes it. <b>The sum of the shards</b> increments one of 50 shards, and takes the '
    + 'sum of all shards as the id. <b>Blocks</b> take 50 ids at once from one of 50 shards. Each shard owns ids of its own.',
  'chapter.ids.three-ways.question': 'The sum of 50 shards serves as the id. How many times does a user get an id that another user already has?',
  'chapter.ids.three-ways.result': '{method, select, transaction {In transactions} sum {From the sum of the shards} other {In blocks}}: <b>{given, '
    + 'plural, one {# id} other {# ids}}</b> so far, <b>{duplicates, plural, =0 {no duplicate} one {# of them a duplicate} other {# of them '
    + 'duplicates}}</b>.{over, select, yes { In the two minutes of the load, the users got {rate, plural, one {# id} other {# ids}} a second, and '
    + '{failed, plural, =0 {every request got an id} one {# request for an id failed} other {# requests for an id failed}}.\n\n{method, select, '
    + 'transaction {This way is right, and as slow as one document.} sum {This way is fast, and wrong: between the increment and the sum, other users '
    + 'increment as well, and all of them see the same sum.} other {This way is right and fast: no two clients ever own the same block. Ids that a '
    + 'client does not use leave a gap.}}} other {}}',
  'chapter.ids.three-ways.task.twice': 'See two users get the same id.',
  'chapter.ids.three-ways.task.slow': 'Play the right but slow way to its end.',
  'chapter.ids.three-ways.task.unique': 'Give out more than 100 ids a second, and no id twice.',
  'chapter.ids.challenge.text': 'Give ids to <b>1,000 users</b>: no id twice, no request without an id, and 19 of 20 requests take less than a '
    + 'second. Leave as few ids unused as you can.\n\nSmall blocks leave fewer ids unused. But they need more commits, and commits that meet at the '
    + 'same shard wait.',
  'chapter.ids.challenge.outcome': '{duplicates, plural, =0 {No id came twice} one {# id was a duplicate} other {# ids were duplicates}}, {failed, '
    + 'plural, =0 {every request got an id} one {# request got no id} other {# requests got no id}}, and 19 of 20 requests took less than '
    + '{wait}.{blocks, select, yes { {unused, plural, one {# id} other {# ids}} stayed unused.} other {}}',
  'chapter.ids.challenge.code': 'The code returned {ids, plural, one {# id} other {# ids}}, {duplicates, plural, =0 {and no id twice} one {and # '
    + 'of them is a duplicate} other {and # of them are duplicates}}. It cost <b>{writes, plural, one {# write} other {# writes}}</b>. The goal '
    + 'is {goal, plural, one {# id} other {# ids}} without a duplicate.',

  'chapter.tickets.title': '500 tickets',
  'chapter.tickets.about': '1,000 people press at once. Sell every ticket, and not one too many.',
  'chapter.tickets.rush.title': 'Everyone at once',
  'chapter.tickets.rush.text': 'You sell 500 tickets, and 1,000 people press at the same moment. Each person wants one ticket. Three apps try '
    + 'it.\n\n<b>The naive app</b> reads the number of sold tickets. If tickets are left, it increments one of the shards. <b>The transaction</b> '
    + 'reads one document, and writes it only if no other client has changed it. <b>The stock</b> spreads the tickets over shards: it reads one '
    + 'shard, and takes a ticket only if that shard has not changed since. If a shard is empty, Shardline looks for one with tickets.',
  'chapter.tickets.rush.question': 'There are 500 tickets. How many does the naive app sell?',
  'chapter.tickets.rush.result': 'After {time}, the naive app has sold <b>{naive, plural, one {# ticket} other {# tickets}}</b>, the transaction '
    + '<b>{transaction, number}</b>, and the stock <b>{stock, number}</b>.{over, select, yes {\n\n{oversold, plural, =0 {The naive app sold no '
    + 'ticket too many this time.} one {The naive app sold # ticket too many.} other {The naive app sold # tickets too many.}} Everyone reads the '
    + 'number before the first increment arrives. The transaction sells no ticket twice, but one document takes about one write a second: {failed, '
    + 'plural, =0 {no one} one {# person} other {# people}} got an error, and {waiting, plural, =0 {no one still waits} one {# person still waits} '
    + 'other {# people still wait}}.\n\nThe stock sells each ticket once. {refused, plural, one {# person} other {# people}} heard that all '
    + 'tickets are sold, and {errors, plural, =0 {no one got an error} one {# person got an error} other {# people got an error}}. Half of the '
    + 'answers came within {half}, and almost all within {most}.} other {}}',
  'chapter.tickets.rush.task.oversold': 'See the naive app sell a ticket too many.',
  'chapter.tickets.rush.task.exact': 'See the stock sell all 500 tickets, and give everyone an answer without an error.',
  'chapter.tickets.rush.task.slow': 'Find a number of shards that is too small: the last answers of the stock take more than 20 seconds.',
  'chapter.tickets.holds.title': 'Hold, then pay',
  'chapter.tickets.holds.text': 'Your users need time to pay. <code>holdFor</code> holds a ticket for 10 minutes, and <code>confirm()</code> makes '
    + 'the hold final. Some people never pay. Their tickets must go back, or you cannot sell them.\n\nHere you sell 100 tickets for a quarter of an '
    + 'hour. A person comes every two seconds. Half of the people pay after one to three minutes, and the others close the page.',
  'chapter.tickets.holds.question': 'Who gives a ticket back when its 10 minutes are over?',
  'chapter.tickets.holds.choice.server': 'A server, on a schedule',
  'chapter.tickets.holds.choice.lost': 'No one: the ticket is lost',
  'chapter.tickets.holds.choice.next': 'The next person who finds no ticket',
  'chapter.tickets.holds.result': 'After {time}: {paid, plural, one {# ticket is} other {# tickets are}} paid, {held, plural, one {# is} other {# '
    + 'are}} on hold, and {ended, plural, =0 {no ended hold waits} one {# ended hold waits} other {# ended holds wait}} for a taker. <b>{returned, '
    + 'plural, =0 {No ticket has} one {# ticket has} other {# tickets have}} gone to a second person.</b> {refused, plural, =0 {No one has} one {# '
    + 'person has} other {# people have}} heard “sold out”.{late, plural, =0 {} one { # person wanted to pay too late.} other { # people wanted to '
    + 'pay too late.}}{over, select, yes {\n\nYou need no server and no schedule. A user who finds no ticket looks for a hold that has ended, puts '
    + 'its ticket back, and takes it. The server’s clock decides, so a wrong clock of a device changes nothing.} other {}}',
  'chapter.tickets.holds.task.returned': 'See a ticket go to a second person after its hold.',
  'chapter.tickets.holds.task.late': 'Make the hold so short that a person wants to pay too late.',
  'knob.hold': 'Minutes of a hold',
  'knob.paying': 'How many of 100 people pay',
  'unit.tickets': '{count, plural, one {# ticket} other {# tickets}}',
  'series.tickets': 'Tickets sold so far',
  'series.people': 'People so far',
  'series.taken': 'got a ticket',
  'series.refused': 'heard “sold out”',
  'series.paid': 'paid',
  'rush.way.naive': 'Naive app',
  'rush.way.transaction': 'Transaction',
  'rush.way.stock': 'Stock',
  'rush.sold': 'sold',
  'rush.oversold': 'sold too many',
  'rush.refused': 'heard “sold out”',
  'rush.failed': 'got an error',
  'rush.waiting': 'waiting',
  'rush.numbers': '{sold, plural, one {# sold} other {# sold}}{oversold, plural, =0 {} one {, # too many} other {, # too many}}',
  'rush.summary': 'After {time}, of {units, plural, one {# ticket} other {# tickets}}: the naive app has sold {naive, number}, the transaction '
    + '{transaction, number}, and the stock {stock, number}.',
  'holds.paid': 'paid',
  'holds.held': 'on hold',
  'holds.ended': 'hold has ended',
  'holds.free': 'free',
  'holds.returned': 'went to a second person',
  'holds.late': 'wanted to pay too late',
  'holds.refused': 'heard “sold out”',
  'holds.what': 'Tickets and people',
  'holds.number': 'Number',
  'holds.summary': 'After {time}, of all tickets: paid {paid, number}, on hold {held, number}, hold ended {ended, number}, free {free, number}.',

  'chapter.your-app.title': 'In your app',
  'chapter.your-app.about': 'Find out how many shards you need and how much a month costs, and get the code to paste.',
  'chapter.your-app.shards.title': 'How many shards, and at which cost',
  'chapter.your-app.shards.text': 'One shard takes about one write a second. Choose how many people press the button, and how many look at the count.',
  'chapter.your-app.shards.question': '20 people a second press Like. How many shards does the counter need?',
  'chapter.your-app.shards.result': 'For {writes, plural, one {# increment} other {# increments}} a second, take at least <b>{shards, plural, one {# '
    + 'shard} other {# shards}}</b>. They carry the load on average, but presses that meet at one shard wait for seconds. With about twice as many '
    + 'shards, hardly any press waits.\n\nA month at this rate, day and night, costs about <b>{dollars}</b>: increments that count exactly once, and '
    + 'totals that the server adds up.',
  'chapter.your-app.shards.sandbox': 'Try this load with twice as many shards',
  'chapter.your-app.shards.task.busy': 'Find a load that needs 100 shards or more.',
  'chapter.your-app.shards.task.cheap': 'Keep 5 increments a second or more, and bring the cost of a month below $30.',
  'chapter.your-app.code.title': 'The code to paste',
  'chapter.your-app.code.text': 'Choose who may count: the rules and the code follow from your choice. Then go through the steps below. At the end '
    + 'you have a like button in a page of your own.\n\nA reader can take a <b>like</b> back, and the page knows whether its reader likes the post. A '
    + '<b>vote</b> is permanent. If people may press any number of times, every press counts. When a device is offline, the app sends its likes later.',
  'chapter.your-app.code.result': 'For this load, the code, the rules and the commands below use {shards, plural, one {# shard} other {# shards}}: '
    + 'twice as many as it needs on average, so that hardly any press waits.',
  'chapter.your-app.code.recipe.install': 'You need Node 20.19 or later. Make an app with Vite, and install Shardline in it. Shardline is in the '
    + 'folder <code>web</code> of the checkout that this page comes from.',
  'chapter.your-app.code.recipe.project': 'In the Firebase console, <a>console.firebase.google.com</a>, create a project. The free plan is enough. In '
    + 'the project, under “Firestore Database”, create a database: the Standard edition, in production mode. This mode lets no one in until there are '
    + 'rules.',
  'chapter.your-app.code.recipe.user': 'The rules require a signed-in user. In the console, under “Authentication”, “Sign-in method”, enable '
    + '“Anonymous”: every visitor then gets a user id without typing anything. Other ways to sign in work just as well.',
  'chapter.your-app.code.recipe.page': 'Replace the files that Vite has made with these two.',
  'chapter.your-app.code.recipe.key': 'In the console, in the project settings under “General”, “Your apps”, add a web app. The console shows a '
    + '<code>firebaseConfig</code>: put its <code>projectId</code> and <code>apiKey</code> into <code>src/main.js</code>. The key is not a secret. It '
    + 'only names the project. The rules decide the rights of your visitors.',
  'chapter.your-app.code.recipe.rules': 'Put these three files into the folder <code>like-button</code>. The index file is about Shardline’s own '
    + 'documents. No query asks for their fields, so the file keeps these fields out of the indexes. <code>shardline_markers</code> records which '
    + 'commits Firestore has counted,{kind, select, like { <code>shardline_members</code> records who likes the post,} vote { '
    + '<code>shardline_members</code> records who has voted,} other {}} and <code>shardline_totals</code> can hold a total that readers share.',
  'chapter.your-app.code.recipe.emulators': 'In a second terminal, in the folder <code>like-button</code>, start Google’s emulators and leave them '
    + 'running. They need Java {java, number} or later (see <code>java -version</code>), and they check the rules above. The first start downloads a '
    + 'few hundred megabytes. Go on when you see “All emulators ready”. When the emulators end, their data are gone.',
  'chapter.your-app.code.recipe.deploy': 'Deploy the rules and the indexes, with your project’s id in place of <code>my-project</code>. The index '
    + 'file lets Firestore delete old documents (TTL), and for this the project needs billing. Without billing, deploy <code>firestore:rules</code> '
    + 'alone: the button works, and old documents stay.',
  'chapter.your-app.code.recipe.create': 'Create the counter, once. No visitor may create it, so the command needs a token of yours, which '
    + '<code>gcloud</code> gives you for an hour (<a>cloud.google.com/sdk</a>). Or create the counter by hand in the console: a collection '
    + '<code>posts</code>, in it a document <code>p1</code>, in it a field <code>num_shards</code> of the type number: {shards, number}.',
  'chapter.your-app.code.recipe.create-there': 'Create the counter, once, in the first terminal. No visitor may create it, but from a terminal the '
    + 'emulator lets you do everything. If no answer comes, the emulators are not ready yet.',
  'chapter.your-app.code.recipe.start': 'Start the app, open the address that it prints, and press the button. Another browser is another '
    + 'user.{banner, select, yes { Firebase shows a red banner, “Running in emulator mode”, when users sign in on the emulator.} other {}}',
  'chapter.your-app.code.task.vote': 'Let each user vote only once.',
  'chapter.your-app.connect.title': 'Try it',
  'chapter.your-app.connect.text': 'This is the button of the code below. It counts in the embedded Firestore, which checks no rules, until you '
    + 'connect the button to Google’s emulator or to your own project.\n\nUnder the rules of the last step, no page can create the counter. Create it '
    + 'there as that step says.',
  'chapter.your-app.connect.task.counted': 'Get 10 likes counted. If each user has only one like, get yours counted. Wait until no like is on its way.',
  'unit.shards': '{count, plural, one {# shard} other {# shards}}',
  'knob.users': 'People',
  'knob.shards': 'Shards',
  'knob.shards.idle': 'No shard is in front of the time, so the number of shards changes nothing.',
  'knob.index': 'Indexed fields',
  'knob.index.time': 'The time alone',
  'knob.index.shard': 'A shard, then the time',
  'knob.index.both': 'A shard, then the time, and the time alone as before',
  'knob.method': 'How ids are made',
  'knob.method.transaction': 'In a transaction on one document',
  'knob.method.sum': 'From the sum of the shards',
  'knob.method.blocks': 'In blocks',
  'knob.writes': 'Increments a second',
  'knob.readers': 'Readers: each reads about once a second',
  'knob.access': 'Who may count',
  'knob.access.one-like': 'A like: each user once, and it can be taken back',
  'knob.access.public': 'Everyone, any number of times',
  'knob.access.signed-in': 'Signed-in users, any number of times',
  'knob.access.one-vote': 'A vote: each user once, and it is permanent',
  'knob.where': 'Where the app runs',
  'knob.where.project': 'In your own Firebase project',
  'knob.where.emulator': 'On this machine, with Google’s emulators: no account needed',
  'knob.lost': 'How many of 100 answers get lost',
  'knob.events': 'Events a second',
  'knob.split': 'Seconds until a hot tablet splits',
  'knob.documents': 'Documents in the collection',
  'knob.block': 'Ids in a block',
  'knob.block.idle': 'Only blocks have a size.',
  'knob.shards.transaction': 'A transaction uses one document, so the number of shards changes nothing.',
  'knob.units': 'Tickets',
  'code.shell': 'In a terminal',
  'code.html': 'index.html',
  'code.page': 'src/main.js',
  'code.configuration': 'firebase.json',
  'code.rules': 'firestore.rules',
  'code.indexes': 'firestore.indexes.json',
  'code.note.one-document': 'One document counts the likes of all readers.',
  'code.note.readers': 'Six readers press at the same moment. Each press is a commit of its own.',
  'code.note.marker': 'Each commit also writes a marker. Chapter 5 explains it.',
  'code.note.connect': 'The last chapter shows where you find these values.',
  'code.note.every-shard': 'every shard',
  'code.note.server': 'the server adds up',
  'code.note.shared': 'a total that all readers share',
  'code.note.exactly-once': 'Exactly once: each commit creates a marker. That makes two writes.',
  'code.note.at-least-once': 'A second counter, at least once: one write less.',
  'code.note.twice': 'If an answer is lost, its increment may count twice.',
  'code.note.lose': 'From here on, all answers get lost.',
  'code.note.back': 'After half a second, answers arrive again.',
  'code.note.timestamp': 'by timestamp',
  'code.note.handled': 'The page says it, so the element need not.',
  'shard-grid.summary': '{shards, plural, one {# shard takes all writes} other {# shards take {writes, plural, one {# write} other {# writes}} a second each, on average}}.',
  'shard-grid.shards': 'Shards',
  'shard-grid.writes': 'Writes a second for each',
  'price-bars.summary': 'The cost of a month, each way by itself: increments in two ways, totals in two ways.',
  'price-bars.what': 'Operation',
  'price-bars.reads': 'Reads a month',
  'price-bars.writes': 'Writes a month',
  'price-bars.dollars': 'Price',
  'price.exactly-once': 'Increments, exactly once: each with a marker',
  'price.at-least-once': 'Increments, at least once',
  'price.sum': 'Totals, added up by the server',
  'price.shards': 'Totals, from every shard',
  'like.press': 'Like',
  'like.create': 'Create the counter',
  'like.denied': 'The security rules refuse this. Under the rules of the last step, no page may create the counter, and only a user may count. Create '
    + 'the counter as that step says, and connect with the ID token of a user.',
  'like.denied.public': 'The security rules refuse this. Under the rules of the last step, no page may create the counter. Create it as that step '
    + 'says.',
  'like.created': 'The counter is created, with {count, plural, one {# shard} other {# shards}}. Under the rules of the last step, users cannot count '
    + 'before that. Without rules, everyone can.',
  'like.kept': 'The counter exists already, with {count, plural, one {# shard} other {# shards}}.',
  'like.state.loading': 'Asking for the total…',
  'like.state.live': 'Live. On the way: {pending}.',
  'like.state.offline': 'No network. On the way: {pending}.',
  'like.state.error': 'The page cannot read the total. On the way: {pending}.',
  'like.element.pending': 'Saving…',
  'like.element.offline': 'No network: this number may be old.',
  'like.element.error': 'The page cannot read the total: this number may be old.',
  'like.app.title': 'Like button',
  'like.app.refused': 'There may be no counter posts/p1: create it. If it exists, the rules refuse this.',

  'lanes.waiting': 'waiting',
  'lanes.again': 'waiting, sent again',
  'lanes.done': 'counted',
  'lanes.refused': 'refused',
  'lanes.pausing': 'pausing before they try again',
  'lanes.shard': 'Document',
  'lanes.count': 'Holds',
  'lanes.summary': 'After {time}: the users asked for {asked, plural, one {# increment} other {# increments}}, and Firestore counted {counted, '
    + 'number}. {waiting, plural, one {# request waits} other {# requests wait}}, {pausing, plural, one {# pauses} other {# pause}} before another '
    + 'attempt, and {failed, number} failed for good.',
  'series.counter': 'Increments so far',
  'series.rate': 'Increments a second',
  'series.documents': 'Documents a second',
  'series.ids': 'Ids so far',
  'series.asked': 'asked for',
  'series.counted': 'counted',
  'series.written': 'written',
  'series.given': 'given',
  'series.duplicates': 'duplicates',
  'series.time': 'Time',
  'series.value': '{label} {n, number}',
  'series.summary': '{title} after {time}: {values}.',
  'tablets.title': 'Index: {index}',
  'tablets.section': 'shard {shard}',
  'tablets.legend': '▼ the place of new entries. The number and the filled part: writes requested per second. Red: hot.',
  'tablets.index': 'Index',
  'tablets.shard': 'Shard',
  'tablets.range': 'Time range',
  'tablets.load': 'Writes requested per second',
  'tablets.summary': 'After {time} the index “{index}” has {tablets, plural, one {# tablet} other {# tablets}}; {hot, plural, =0 {no tablet is hot} '
    + 'one {# is hot} other {# are hot}}. The app sends {load, plural, one {# write} other {# writes}} a second to the busiest tablet.',
  'ids.numbers': '{given, plural, one {# id given} other {# ids given}}, {duplicates, plural, =0 {no duplicate} one {# of them a duplicate} other '
    + '{# of them duplicates}}',
  'ids.summary': 'After {time}: {given, plural, one {# id was given} other {# ids were given}}, {duplicates, plural, =0 {with no duplicate} one {# '
    + 'of them a duplicate} other {# of them duplicates}}.',
  'ids.again': 'owner no. {owners, number}',
  'ids.id': 'Id',
  'ids.owners': 'Owner no.',
  'ways.shards': 'Read every shard',
  'ways.sum': 'The server adds up',
  'ways.shared': 'A shared total',
  'ways.reads': '{reads, plural, one {# read} other {# reads}}',
  'ways.way': 'Way',
  'ways.totals': 'Totals',
  'ways.billed': 'Billed reads',
  'ways.each': 'Reads for each total',
  'ways.summary': 'After {time}, Firestore billed {shards, plural, one {# read} other {# reads}} for reading every shard, {sum, number} for the '
    + 'server’s sum, and {shared, number} for a shared total.',

  'unit.likes': '{count, plural, one {# like} other {# likes}}',
  'unit.increments-per-second': '{count, plural, one {# increment a second} other {# increments a second}}',
  'unit.documents-per-second': '{count, plural, one {# document a second} other {# documents a second}}',
  'unit.reads': '{count, plural, one {# read} other {# reads}}',
  'unit.duplicates': '{count, plural, one {# duplicate} other {# duplicates}}',
  'unit.shard-values': '{count, plural, one {# shard value} other {# shard values}}',
  'unit.unused-ids': '{count, plural, one {# unused id} other {# unused ids}}',
  'unit.ms': '{ms}\u00a0ms',
  'unit.seconds': '{seconds}\u00a0s',
  'unit.minutes': '{minutes}\u00a0min',
  'unit.minutes-seconds': '{minutes}\u00a0min {seconds}\u00a0s',
  'unit.bytes': '{bytes, number}\u00a0B',
  'unit.kilobytes': '{kilobytes}\u00a0kB',

  'state.closed': 'Not connected',
  'state.connecting': 'Connecting to {host}…',
  'state.connected': 'Connected to {host}',
  'state.silent': 'No answer from {host}',
  'state.failed': 'Not connected',
  'place.embedded': 'the embedded Firestore',
  'meter.reads': '{count, plural, one {read} other {reads}}',
  'meter.writes': '{count, plural, one {write} other {writes}}',

  'connect.title': 'Connection',
  'connect.about': 'Connect to the embedded Firestore, to Google’s emulator, or to your own project.',
  'connect.kind': 'Where your Firestore is',
  'connect.embedded': 'Embedded in this page',
  'connect.emulator': 'Google’s emulator',
  'connect.project': 'Firebase project',
  'connect.host': 'Host and port',
  'connect.host.hint': '<code>scripts/emulator run --port 8080</code> starts one.',
  'connect.host.wrong': 'Type a host and a port such as 127.0.0.1:8080.',
  'connect.project-id': 'Project id',
  'connect.project-id.missing': 'Type the id of your project. The emulator takes any id, such as demo.',
  'connect.database-id': 'Database',
  'connect.api-key': 'Web API key',
  'connect.api-key.hint': 'You find it in the project’s settings. It stays in this page.',
  'connect.id-token': 'ID token (optional)',
  'connect.id-token.hint': 'Type the token of a signed-in user if your rules ask for one. In your app, <code>await '
    + 'auth.currentUser.getIdToken()</code> returns it. It stays in this page.',
  'connect.submit': 'Connect',
  'connect.change': 'Change',
  'connect.summary.closed': 'The page sends nothing before you connect.',
  'connect.summary.failed': 'There is no connection.',
  'connect.summary.connecting': 'Waiting for a first answer from {host}…',
  'connect.summary.unkept': 'You are connected to the embedded Firestore, inside this page: no network, no account. This browser does not let the '
    + 'page keep data. Your data are gone when you close the page.',
  'connect.summary.embedded': 'You are connected to the embedded Firestore, inside this page: no network, no account. Your data stay in this browser, '
    + 'and all tabs of this page share them.',
  'connect.summary.emulator': 'You are connected to the emulator at {host}, project {project}.',
  'connect.summary.project': 'You are connected to project {project} at {host}.',
  'connect.silent.embedded': 'The last answer was lost.',
  'connect.silent.emulator': '{host} did not answer the last request. Has the emulator stopped? Start it again on the same port: the next request '
    + 'will find it. (It starts empty.)',
  'connect.silent.project': '{host} did not answer the last request. Is this device online? The next request will show it.',
  'connect.denied': 'Firestore answers, but its security rules do not let this page read {path}. Use paths that the rules allow, or connect with the '
    + 'ID token of a user who may read this path.',

  'simulator.title': 'Embedded Firestore',
  'simulator.about': 'A real Firestore has limits, answers late, and sometimes does not answer. The embedded one, inside this page, does the same as '
    + 'you set it.',
  'simulator.limits': 'Firestore’s limits: about one write a second for a document, 500 for a range of an index',
  'simulator.latency': 'Answers take',
  'simulator.latency.value': 'up to {ms}',
  'simulator.lost': 'Answers lost',
  'simulator.documents': 'documents',
  'simulator.price': 'price',
  'simulator.waited': 'had to wait',
  'simulator.aborted': 'refused',
  'simulator.reset': 'Delete all data',
  'simulator.reset.done': 'All data deleted. The meter restarts at zero.',
  'hot.title': 'Where writes wait',
  'hot.none': 'No write waits. On a counter with one shard, choose “Check before writing”, press +1 many times, and look again.',
  'hot.off': 'The limits are off, so no write ever waits.',
  'hot.documents': 'Documents that a write would have to wait for',
  'hot.document': 'Document',
  'hot.wait': 'Wait',
  'hot.tablets': 'Ranges of indexes that are written to',
  'hot.tablet': 'Range of an index',
  'hot.tablet.all': '{index}',
  'hot.tablet.from': '{index}, from {start} on',
  'hot.rate': 'Writes a second',
  'hot.rate.value': '{rate} of {most, number}',

  'counter.title': 'Distributed counter',
  'counter.about': 'One document sustains about one write a second. A distributed counter is many documents, its shards: each '
    + 'increment goes to one of them, chosen at random, and the total is their sum.',
  'counter.path': 'Path',
  'counter.layout': 'Layout',
  'counter.shards': 'Shards',
  'counter.shards.hint': 'About one write a second each.',
  'counter.delivery': 'If an answer is lost',
  'counter.create': 'Create the counter',
  'counter.created': 'Shardline created <code>{path}</code> with {count, plural, one {# shard} other {# shards}}, in one atomic commit.',
  'counter.kept': '<code>{path}</code> exists already, with {count, plural, one {# shard} other {# shards}}. Shardline kept its count.',
  'counter.increment': '+1',
  'counter.increment-10': '+10',
  'counter.delta': 'Amount',
  'counter.delta.wrong': 'Type a number such as {whole, number}, {negative, number} or {fraction, number}.',
  'counter.add': 'Add',
  'counter.follow': 'Read the total after increments (1 read)',
  'counter.pending': 'On the way: {pending}',
  'counter.read-sum': 'Read the total',
  'counter.read-shards': 'Read every shard',
  'counter.read-shared': 'Read the shared total',
  'counter.reads': '{count, plural, one {# read} other {# reads}}',
  'counter.reads.each': '1 each',
  'counter.care': 'Maintenance',
  'counter.live': 'Follow the total live (at most 1 read a second)',
  'counter.stats': 'How the load is spread',
  'counter.stats.result': 'Commits that this page has sent: {attempts, number}. Of these, {aborted, number} met other commits at the same shard. '
    + 'Shards that Shardline suggests: {suggested, number}.',
  'counter.resize': 'Resize to the number of shards above',
  'counter.resized': '<code>{path}</code> has {count, plural, one {# shard} other {# shards}} now. Shardline added {folded, plural, one {# document} '
    + 'other {# documents}} to the remaining shards. The count is the same.',
  'counter.rules': 'Security rules for such counters',

  'layout.web-sample': 'Web',
  'layout.web-sample.hint': '<code>{path}</code> holds <code>num_shards</code>; <code>{path}/shards/0</code> and so on hold <code>count</code>.',
  'layout.mobile-sample': 'Swift, Objective-C, Java, Kotlin',
  'layout.mobile-sample.hint': '<code>{path}</code> holds <code>numShards</code>; <code>{path}/shards/0</code> and so on hold <code>count</code>.',
  'layout.node-sample': 'Node.js, Python, C#',
  'layout.node-sample.hint': '<code>{path}/shards/0</code> and so on hold <code>count</code>; there is no parent document.',
  'layout.go-sample': 'Go',
  'layout.go-sample.hint': '<code>{path}/shards/0</code> and so on hold <code>Count</code>; there is no parent document.',
  'layout.php-sample': 'PHP',
  'layout.php-sample.hint': 'The path is a collection: <code>{path}/0</code> and so on hold <code>Cnt</code>.',
  'layout.ruby-sample': 'Ruby',
  'layout.ruby-sample.hint': 'The path is a collection: <code>{path}/0</code> and so on hold <code>count</code>.',
  'layout.collection': 'Collection of shards',
  'layout.collection.hint': 'The path is a collection: <code>{path}/0</code> and so on hold <code>count</code>.',

  'delivery.exactly-once': 'Look for the marker',
  'delivery.exactly-once.hint': 'Exactly once: 2 writes, because Shardline writes a marker beside the count. Shardline stores waiting increments, and '
    + 'sends them even after a reload.',
  'delivery.at-least-once': 'Send again',
  'delivery.at-least-once.hint': 'At least once: 1 write, no read. If an answer is lost, its increment may count twice.',
  'delivery.transaction': 'Check before writing',
  'delivery.transaction.hint': 'Read, add, and write if no other client has changed the value: 1 read and 1 write.',

  'reading.title': 'Total',
  'reading.none': '–',
  'reading.none.hint': 'Not read yet.',
  'reading.no-shards': 'No shards here yet: create the counter, or increment it.',
  'reading.sum': 'One <code>sum</code> over the shards, on the server: {count, plural, one {# read} other {# reads}}, {ms}',
  'reading.shared': 'A total that all readers share, at most a second old: {count, plural, one {# read} other {# reads}}, {ms}',
  'reading.renewed': 'No shared total was fresh enough, so the server added up again: {count, plural, one {# read} other {# reads}}, {ms}',
  'reading.shards': 'Every shard document, added up here: {count, plural, one {# read} other {# reads}}, {ms}',
  'comparison.sum': 'Sum on the server',
  'comparison.shards': 'Every shard',
  'comparison.reads': '{count, plural, one {# read} other {# reads}}',

  'bars.title': 'Shards',
  'bars.region': 'The value of each shard',
  'bars.shard': 'Shard',
  'bars.count': 'Count',
  'bars.caption': '{count, plural, one {# shard at {time}} other {# shards at {time}}}',
  'bars.empty': 'Read every shard to see how the increments have spread.',
  'bars.stale': 'There have been increments since.',

  'instruments.title': 'Sharded timestamps',
  'instruments.about': 'An index over rising timestamps sustains about 500 writes a second. With a <code>shard</code> field in front, each value of '
    + 'that field adds 500. A query then asks all shards at once, and merges the answers into one list.',
  'instruments.path': 'Collection',
  'instruments.path.hint': 'The stocks and funds of Firestore’s documentation.',
  'instruments.shards': 'Shard values',
  'instruments.shards.hint': 'A list, or a number n for 0 to n − 1.',
  'instruments.insert-samples': 'Insert the 3 samples',
  'instruments.insert-random': 'Insert 100 random ones',
  'instruments.inserted': '{count, plural, one {# document inserted in {ms}, on a random shard:} '
    + 'other {# documents inserted in {ms}, each on a random shard:}}',
  'instruments.times': '× {count, number}',

  'query.title': 'Query',
  'query.commonstock': 'Common stock',
  'query.exchange': 'Exchange 1',
  'query.currency': 'In US dollars',
  'query.direction': 'Order',
  'query.desc': 'Newest first',
  'query.asc': 'Oldest first',
  'query.limit': 'Limit',
  'query.run': 'Run the query',

  'plan.title': 'Plan',
  'plan.chunks': 'Chunks',
  'plan.chunks.value': '{count, number} (shard values: {sizes})',
  'plan.requests': 'Requests',
  'plan.reads': 'Reads, at most',
  'plan.reads.all': 'all',
  'plan.none': '–',
  'plan.index': 'Index',
  'plan.ascending': '↑',
  'plan.descending': '↓',
  'plan.index-file': 'For firestore.indexes.json',

  'results.caption': 'Rows {first, number} to {last, number}, merged from all shards',
  'results.number': 'No.',
  'results.symbol': 'Symbol',
  'results.type': 'Type',
  'results.exchange': 'Exchange',
  'results.price': 'Price',
  'results.timestamp': 'Timestamp (UTC)',
  'results.shard': 'Shard',
  'results.missing': '–',
  'results.none': 'No document matches. Have you inserted the samples?',
  'results.no-more': 'There are no more documents.',
  'results.cost': 'Rows {first, number} to {last, number}: {requests}, {count, plural, one {# read} other {# reads}}, {ms}.',
  'results.requests': '{count, plural, one {# request} other {# requests}}',
  'results.raw': 'As JavaScript objects',
  'pager.title': 'Pages of the result',
  'pager.previous': 'Previous page',
  'pager.next': 'Next page',
  'sequence.title': 'Unique ids',
  'sequence.about': 'Each shard owns ids of its own, and a page takes a block of them at once. No id is ever given twice. Ids that a page does not '
    + 'use leave a gap.',
  'sequence.shards.hint': 'About one block a second each.',
  'sequence.block': 'Ids in a block',
  'sequence.block.hint': 'A page takes them at once, with one commit.',
  'sequence.create': 'Create the sequence',
  'sequence.created': 'Shardline created <code>{path}</code> with {count, plural, one {# shard} other {# shards}}.',
  'sequence.kept': '<code>{path}</code> exists already, with {count, plural, one {# shard} other {# shards}}. The sequence continues after its last '
    + 'id.',
  'sequence.next': 'Next id',
  'sequence.take': 'Take {count, number} at once',
  'sequence.given': 'Ids that this page was given, the newest first',

  'experiments.title': 'Experiments',
  'experiments.about': 'A load test on one counter: up to 1,000 users, ten more each second. Each user adds 1 again and again for two minutes. The '
    + 'clients are the real library, the Firestore is the embedded one with its limits on, and time is virtual: the test takes seconds.',
  'experiments.choice': 'Where the count is',
  'experiments.singleDocument': 'One document',
  'experiments.singleDocument.about': 'read, add, write',
  'experiments.tenShards': '10 shards',
  'experiments.tenShards.about': 'increment one at random',
  'experiments.fiftyShards': '50 shards',
  'experiments.fiftyShards.about': 'increment one at random',
  'experiments.run': 'Run the load test',
  'experiments.stop': 'Stop',
  'experiments.progress': 'Progress of the load test',
  'experiments.done': '{seconds, number} s of load in {ms}: {count, plural, one {# increment was acknowledged, and it was counted.} '
    + 'other {# increments were acknowledged, and every one of them was counted.}}',
  'experiments.done.lost': '{seconds, number} s of load in {ms}: {count, plural, one {# increment was acknowledged} '
    + 'other {# increments were acknowledged}}; {lost, plural, one {# of them was not counted.} other {# of them were not counted.}}',
  'experiments.results': 'Results of the load tests',
  'experiments.throughput': 'Increments a second',
  'experiments.p50': 'Half of them within',
  'experiments.p95': '95% within',
  'experiments.p99': '99% within',
  'experiments.retries': 'Retries',
  'experiments.failed': 'Given up',
  'experiments.acknowledged': 'Acknowledged',
  'experiments.found': 'Counted in the end',
  'experiments.chart': 'Increments acknowledged per second',

  'log.title': 'Requests',
  'log.about': 'Every request that this page has sent, and its cost in Firestore.',
  'log.caption': '{count, plural, one {The last request} other {The last # requests, the newest first}}',
  'log.region': 'Log of requests',
  'log.request': 'Request',
  'log.status': 'Status',
  'log.time': 'Time',
  'log.size': 'Size of the answer',
  'log.reads': 'Billed reads',
  'log.writes': 'Billed writes',
  'log.reads.value': '{count, plural, one {# read} other {# reads}}',
  'log.writes.value': '{count, plural, one {# write} other {# writes}}',
  'log.no-answer': 'no answer',
  'log.empty': 'No requests yet.',
  'log.clear': 'Clear',
  'log.total.requests': 'requests',
  'log.total.reads': 'reads',
  'log.total.writes': 'writes',
  'log.total.deletes': 'deletes',
  'log.total.bytes': 'received',

  'error.other': 'Something went wrong.',
  'error.start': 'The library did not start.',
  'error.invalid-argument': 'That request is not valid.',
  'error.permission-denied': 'The security rules refuse this.',
  'error.unauthenticated': 'Firestore does not accept the ID token.',
  'error.not-found': 'That does not exist.',
  'error.already-exists': 'That exists already.',
  'error.failed-precondition': 'Something is missing for this.',
  'error.resource-exhausted': 'Too much at once, or a quota is used up.',
  'error.aborted': 'Too many clients wrote to the same documents at once.',
  'error.unavailable': 'No answer from {host}.',
  'error.outcome-unknown': 'The server may or may not have done this.',
  'error.unimplemented': 'Shardline does not support this yet.',
  'error.original': 'In the library’s words',
  'advice.no-answer.embedded': 'Set how many answers get lost in the panel “Embedded Firestore”.',
  'advice.no-answer.emulator': 'Is the emulator running there? Start it with <code>scripts/demo</code> or <code>scripts/emulator</code>, check host '
    + 'and port, and try again.',
  'advice.no-answer.project': 'Check that this device is online, and that no extension of the browser blocks {host}; then try '
    + 'again.',
  'advice.permission-denied': 'Use a path that the rules allow, or connect with the ID token of a user who may do this. To let signed-in users use '
    + 'this path, open the Firebase console, “Firestore Database”, “Rules”, and add a rule such as <code>{rule}</code>.',
  'advice.unauthenticated': 'An ID token is valid for an hour: get a new one, and connect again.',
  'advice.resource-exhausted': 'Wait a little. If the error stays, look at the quotas of the project.',
  'advice.aborted': 'Try again. With more shards, this happens less often.',
  'advice.outcome-unknown': 'Read the total before you try again.',
  'advice.other': 'This is a fault of the page or the library. Reload the page, and please report the fault if you see it again.',

  'reason.argument-not-allowed': 'This value of <code>{argument}</code> is not allowed.',
  'reason.argument-missing': '<code>{argument}</code> is missing.',
  'reason.argument-unknown': 'There is no option <code>{argument}</code>.',
  'reason.argument-unreadable': '<code>{argument}</code> cannot be read.',
  'reason.arguments-conflict': '<code>{argument}</code> and <code>{other}</code> do not fit together.',
  'reason.path-not-allowed': 'Firestore does not accept this path, or not here.',
  'reason.field-not-allowed': 'Firestore does not accept this field name.',
  'reason.value-not-allowed': 'The field <code>{field}</code> cannot hold this value.',
  'reason.document-too-large': 'The document is larger than 1 MiB.',
  'reason.document-lacks-order-field': 'The document needs the field <code>{field}</code>: without it no query would find it.',
  'reason.request-too-large': 'This is too large for one request.',
  'reason.increment-too-large': 'The increment is too large for one commit.',
  'reason.query-filter-not-allowed': 'Firestore does not support this filter on <code>{field}</code>.',
  'reason.query-order-not-allowed': 'Firestore does not support this order.',
  'reason.query-cursor-not-allowed': 'The query cannot begin or end there.',
  'reason.query-aggregation-not-allowed': 'This query cannot be counted or summed up.',
  'reason.query-too-large': 'The query has more filters or values than Firestore accepts.',
  'reason.token-of-another-query': 'This page does not belong to this query: read from the beginning.',
  'reason.index-file-unreadable': 'This is not an index file of the Firebase CLI.',
  'reason.rules-file-unreadable': 'This is not a file of security rules for Firestore.',
  'reason.index-link-unreadable': 'This text has no readable link to a missing index.',
  'reason.counter-not-found': 'There is no counter at <code>{path}</code>. Create it first.',
  'reason.counter-exists': 'There is a counter at <code>{path}</code> already.',
  'reason.counter-of-another-layout': 'The counter at <code>{path}</code> has another layout: its field <code>{field}</code> holds something else.',
  'reason.counter-full': 'A shard has reached the largest number that it can hold. The excess was not counted.',
  'reason.total-too-large': 'The total does not fit into a number of 64 bits.',
  'reason.resize-overruled': 'Another client has chosen another number of shards meanwhile. That number stays.',
  'reason.ids-not-found': 'There is no id sequence at <code>{path}</code>. Create it first.',
  'reason.ids-path-taken': '<code>{path}</code> holds something else, or the rest of an id sequence. Choose another path.',
  'reason.ids-too-many-shards': 'The id sequence was made for fewer shards.',
  'reason.ids-damaged': 'Another client has deleted or changed <code>{document}</code>. Recreating it would repeat ids.',
  'reason.ids-used-up': 'The id sequence has come to its end: no larger number fits into 64 bits.',
  'reason.ids-perhaps-lost': 'No answer came when Shardline took ids. Some ids may be lost, but no id is given twice: try again.',
  'reason.too-much-contention': 'Other clients kept writing to the same documents.',
  'reason.document-not-found': 'This document does not exist.',
  'reason.server-refused': 'The server refused the request: <code>{status}</code>.',
  'reason.answer-unreadable': 'The answer did not come from Firestore, or cannot be read (HTTP {http}).',
  'reason.no-network': 'The page could not reach the server, or the connection was cut.',
  'reason.timed-out': 'The server did not answer in time.',
  'reason.page-too-large': 'This page of results is larger than 64 MiB. Ask for fewer documents at a time.',
  'reason.write-in-doubt': 'The answer to a write was lost. Firestore may or may not have applied the write.',
  'reason.increment-in-doubt': 'Firestore may or may not have counted the increment.',
  'reason.token-not-given': 'There is no usable token: <code>{function}</code>.',
  'reason.closed': 'The connection is closed.',
  'reason.increments-not-sent': 'Waiting increments cannot be sent for now.',
  'reason.module-not-loaded': '<code>{file}</code> did not load and start.',
  'reason.module-crashed': 'The WebAssembly module crashed, most likely because no memory was left. It restarts.',
  'reason.memory-full': 'There is no memory left.',
  'reason.storage-not-readable': 'The browser’s storage cannot be read.',
  'reason.storage-not-writable': 'The browser stores nothing here. Increments that are not sent are lost when you close the page.',
  'reason.storage-altered': 'Stored increments cannot be read, because something else has changed them.',
  'reason.internal-fault': 'This is a fault of the library, or of something between the library and the server.',
  'reason.result-in-doubt': 'Something failed during a write. Firestore may or may not have applied the write.',
  'reason.worker-not-started': 'The worker <code>{file}</code> did not start, or has failed.',
  'reason.storage-missing': 'This browser stores nothing here. It needs <code>https://</code> or <code>localhost</code>.',
  'reason.kept-data-unreadable': 'The data stored as “{name}” cannot be read.',
  'reason.taken-over': 'Another tab is now running the embedded Firestore.',
};
