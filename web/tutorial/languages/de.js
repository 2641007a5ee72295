// German. en.js is the source, and explains the marks.

export const messages = {
  'page.title': 'Shardline: über die zwei Schreibgrenzen von Firestore hinaus',
  'page.name': 'Shardline',
  'page.title.view': '{view} – Shardline',
  'page.skip': 'Zum Zähler springen',
  'page.skip.main': 'Zum Inhalt springen',
  'page.language': 'Sprache:',
  'page.heading': 'Über die zwei Schreibgrenzen von Firestore hinaus',

  'contents.title': 'Inhalt',
  'contents.intro': 'Firestore schreibt schnell, aber nicht überall: Ein einzelnes Dokument schafft etwa einen Schreibvorgang pro Sekunde, ein einzelner Bereich '
    + 'eines Index etwa 500. Eine App, die wächst, stößt an beide Grenzen.\n\nIn diesen Kapiteln machst du erst etwas kaputt und reparierst es dann. Was sich bewegt, ist '
    + 'echt: die Bibliothek, die auch deine App benutzen würde, mit einem Firestore, das auf dieser Seite läuft. Du musst nichts installieren und brauchst kein Konto. '
    + 'Ein Kapitel dauert etwa fünf Minuten.',
  'contents.race': 'Tausend Leute drücken gleichzeitig auf „Gefällt mir“: Ein Dokument zählt etwa ein Like pro Sekunde, zehn Shards zählen etwa zehn.',
  'contents.begin': 'Los geht’s',
  'contents.done': '(erledigt)',
  'contents.reference': 'API-Referenz',
  'contents.forget': 'Meinen Fortschritt löschen',
  'chapter.number': 'Kapitel {n, number}',
  'steps.title': 'Schritte dieses Kapitels',
  'load-failure.title': 'Dieser Teil des Tutorials wurde nicht geladen',
  'load-failure.text': 'Vielleicht fehlt die Netzwerkverbindung, oder es gibt inzwischen eine neuere Version des Tutorials.',
  'load-failure.reload': 'Seite neu laden',
  'pager.steps': 'Zurück und weiter',
  'pager.back': 'Zurück',
  'pager.forward': 'Weiter',

  'prediction.title': 'Was erwartest du?',
  'prediction.commit': 'Tipp abgeben',
  'prediction.skip': 'Ohne Tipp zeigen',
  'prediction.missing-number': 'Gib eine Zahl ein, zum Beispiel 100.',
  'prediction.missing-choice': 'Wähle zuerst etwas aus.',
  'prediction.outcome.computed': 'Dein Tipp: <b>{guess}</b>. Antwort: <b>{answer}</b>.',
  'prediction.answer.computed': 'Antwort: <b>{answer}</b>.',
  'prediction.outcome': 'Dein Tipp: <b>{guess}</b>. Ergebnis: <b>{answer}</b>.',
  'prediction.answer': 'Ergebnis: <b>{answer}</b>.',
  'prediction.kept': 'Du hast auf <b>{guess}</b> getippt. Starte den Ablauf, um das Ergebnis zu sehen.',
  'prediction.awaited': 'Dein Tipp: <b>{guess}</b>. Das Ergebnis siehst du {when, select, end {am Ende des Ablaufs} other {nach {moment}}}.',
  'prediction.awaited.unguessed': 'Das Ergebnis siehst du {when, select, end {am Ende des Ablaufs} other {nach {moment} des Ablaufs}}.',
  'prediction.elsewhere': '{isGuessed, select, yes {Dein Tipp: <b>{guess}</b>. } other {}}Dieser Ablauf hat andere Einstellungen als die Frage. Die '
    + 'Antwort siehst du mit den Einstellungen der Frage.',
  'run.start': 'Starten',
  'run.busy': 'Ablauf wird berechnet …',
  'run.other-seed': 'Noch einmal, mit anderem Startwert',
  'run.seed': 'Der Zufall entscheidet, wer auf wen trifft. Der Startwert (Seed) {seed} steht in der Adresse dieser Seite. Öffne diese Adresse, um '
    + 'genau diesen Ablauf zu wiederholen, oder ändere den Startwert für einen anderen.',
  'stage.more': 'Tempo, Startwert und Tabellen',
  'stage.curtain': 'Antworte zuerst. Das Bild erscheint hier.',
  'picture.table': 'Als Tabelle',
  'player.title': 'Wiedergabe',
  'player.play': 'Abspielen',
  'player.pause': 'Pause',
  'player.back': 'Schritt zurück',
  'player.forward': 'Schritt',
  'player.reset': 'Zum Anfang',
  'player.position': 'Stelle im Ablauf',
  'player.speed': 'Tempo',
  'player.slower': '1/{n, number}×',
  'player.faster': '{n, number}×',
  'player.time': '{now} / {end}',
  'tasks.title': 'Probier das aus',
  'tasks.reached': 'Geschafft:',
  'tasks.state.reached': '(geschafft)',
  'tasks.state.open': '(offen)',
  'sandbox.title': 'Frei experimentieren',
  'sandbox.text': 'Hier kannst du alle Einstellungen der Abläufe dieses Kapitels ändern. Deine Einstellungen und der Startwert stehen in der Adresse '
    + 'dieser Seite. Kopiere die Adresse, und andere sehen genau diesen Ablauf.',
  'challenge.title': 'Herausforderung',
  'challenge.result': 'Dein Ergebnis',
  'challenge.awaited': 'Das Ergebnis siehst du am Ende des Ablaufs.',
  'challenge.reached': 'Ziel erreicht.',
  'challenge.missed': 'Ziel nicht erreicht.',
  'challenge.best': 'Dein bestes Ergebnis bisher:',
  'code.title': 'Dein Code',
  'code.copy': 'Kopieren',
  'code.copied': 'Kopiert.',
  'code.selected': 'Der Code ist markiert. Kopiere ihn mit der Tastatur.',
  'trial.title': 'Code hier ausführen',
  'trial.hint': 'Ändere den Code und führe ihn hier aus. <code>db</code> ist mit <code>firestore</code> verbunden, einem Firestore auf dieser Seite, '
    + 'das bei jeder Ausführung neu ist. Eine Ausführung dauert höchstens {seconds, plural, one {# Sekunde} other {# Sekunden}} und zeigt bis zu {count, '
    + 'plural, one {# Ausgabe} other {# Ausgaben}}. Strg+Eingabe führt den Code aus, Tab verlässt das Feld.',
  'trial.judged': 'Die Herausforderung bewertet auch diesen Code: seine Abrechnung und den Wert, den er zurückgibt.',
  'trial.run': 'Code ausführen',
  'trial.stop': 'Anhalten',
  'trial.reset': 'Code zurücksetzen',
  'trial.output': 'Ausgabe',
  'trial.bill': 'Abrechnung der Ausführung',
  'trial.loading': 'Firestore startet.',
  'trial.running': 'Der Code läuft.',
  'trial.end.done': 'Der Code ist nach {time} zu Ende.',
  'trial.end.failed': 'Der Code endete mit einem Fehler.',
  'trial.end.late': 'Der Code wurde angehalten, weil er länger als {seconds, plural, one {# Sekunde} other {# Sekunden}} lief.',
  'trial.end.stopped': 'Du hast den Code angehalten.',
  'trial.end.broken': 'Der Code konnte nicht starten. Vielleicht bist du offline, oder das Tutorial wurde aktualisiert. Lade die Seite neu.',
  'trial.line': 'Zeile {line, number}.',
  'trial.cut': 'Du siehst nur {count, plural, one {die erste Ausgabe} other {die ersten # Ausgaben}}.',

  'playground.title': 'Spielwiese',
  'playground.about': 'Alle Regler, für das Firestore auf dieser Seite, für den Emulator von Google oder für dein eigenes Projekt.',
  'playground.intro': 'Hier arbeitet die echte Bibliothek, mit einem Firestore auf dieser Seite oder mit deinem eigenen. Das Protokoll zeigt jede Anfrage und '
    + 'was sie kostet.',

  'chapter.lost-answer.title': 'Die verlorene Antwort',
  'chapter.lost-answer.about': 'Eine App, die es noch einmal versucht, zählt vielleicht doppelt. Eine App, die jeden Commit markiert, zählt einmal. '
    + 'Du kappst die Leitung.',
  'chapter.lost-answer.again.title': 'Noch einmal versuchen?',
  'chapter.lost-answer.again.text': 'Jemand drückt ein paarmal auf „Gefällt mir“. Eine Antwort geht auf dem Rückweg verloren. Die App kann nicht wissen, ob Firestore das '
    + 'Like gezählt hat: So oder so kommt keine Antwort.\n\nDie erste App versucht es einfach noch einmal. Die zweite legt in jedem Commit einen <b>Marker</b> '
    + 'an: ein kleines Dokument mit zufälligem Namen, das Firestore nur anlegt, wenn es noch nicht da ist. Ist es da, lehnt Firestore den ganzen Commit ab. So zählt '
    + 'ein Commit einmal, egal wie oft er gesendet wird. Geh den Ablauf Ereignis für Ereignis durch.',
  'chapter.lost-answer.again.question': 'Die erste App versucht es noch einmal. Was zeigt der Zähler am Ende?',
  'chapter.lost-answer.again.choice.less': 'Weniger Likes als Klicks',
  'chapter.lost-answer.again.choice.same': 'So viele Likes wie Klicks',
  'chapter.lost-answer.again.choice.more': 'Mehr Likes als Klicks',
  'chapter.lost-answer.again.result': 'Mit neuem Versuch: {pressed, plural, one {#-mal} other {#-mal}} gedrückt, <b>{counted, number} gezählt</b>. Mit Marker: '
    + '{markerPressed, plural, one {#-mal} other {#-mal}} gedrückt, <b>{markerCounted, number} gezählt</b>. Fehlt eine Antwort, dann sendet die zweite App denselben '
    + 'Commit noch einmal. Lehnt Firestore ihn ab, liest sie den Marker: Er ist da, also ist das Like gezählt.',
  'chapter.lost-answer.again.task.double': 'Sieh zu, wie die erste App einen Klick zweimal zählt und die zweite nur einmal.',
  'chapter.lost-answer.again.task.refused': 'Sieh zu, wie Firestore einen Commit ablehnt, weil sein Marker schon da ist.',
  'chapter.lost-answer.again.task.harmless': 'Finde einen Fehler, der auch ohne Marker nicht schadet.',
  'knob.fault': 'Fehler',
  'knob.fault.none': 'Kein Fehler',
  'knob.fault.cut': 'Die Antwort geht verloren',
  'knob.fault.lost': 'Die Anfrage geht verloren',
  'knob.fault.twice': 'Die Anfrage kommt zweimal an',
  'knob.fault.late': 'Die Anfrage kommt zu spät an',
  'knob.request': 'Betroffene Anfrage',
  'answers.naive': 'Eine App, die es noch einmal versucht',
  'answers.marker': 'Eine App mit Marker',
  'answers.page': 'App',
  'answers.firestore': 'Firestore: der Zählerstand',
  'answers.legend': '▼ gedrückt, ✓ bestätigt, ● gezählt, ○ ohne Wirkung, ✕ verloren. Gestrichelt: noch einmal gesendet. Dünn: liest den Marker.',
  'answers.pressed': 'Gedrückt:',
  'answers.counted': 'Gezählt:',
  'answers.confirmed': 'Bestätigt:',
  'answers.summary': '{way}, nach {time}: gedrückt {pressed, number}, Anfragen gesendet {sent, number}, gezählt {counted, number}, bestätigt {confirmed, number}.',
  'answers.column.request': 'Anfrage',
  'answers.column.what': 'Aktion',
  'answers.column.sent': 'Gesendet',
  'answers.column.arrived': 'Angekommen',
  'answers.column.answer': 'Beantwortet',
  'answers.what.commit': '1 addieren',
  'answers.what.commit.again': '1 noch einmal addieren: keine Antwort auf Anfrage {number, number}',
  'answers.what.read': 'den Marker lesen',
  'answers.what.read.again': 'den Marker lesen, nach Anfrage {number, number}',
  'answers.arrived.counted': '{time}, gezählt',
  'answers.arrived.ignored': '{time}, ohne Wirkung',
  'answers.none': 'nie',

  'chapter.sharded-query.title': 'Die Abfrage über alle Shards',
  'chapter.sharded-query.about': 'Shardline fragt alle Shards gleichzeitig und führt ihre Antworten zu einer Liste zusammen, in genau der richtigen '
    + 'Reihenfolge.',
  'chapter.sharded-query.merge.title': 'Chunks und Zusammenführen',
  'chapter.sharded-query.merge.text': 'Die Sammlung <code>instruments</code> ist dieselbe wie in der Firestore-Dokumentation. Jedes Dokument hat '
    + 'einen zufälligen Shard-Wert. „Die neuesten 10“ liegen also über alle Shards verstreut.\n\nDer Operator <code>in</code> von Firestore nimmt '
    + 'bis zu 30 Werte. Darum teilt Shardline die Shard-Werte in Gruppen auf, die <b>Chunks</b>. Jeder Chunk ist eine Abfrage, nach Zeit sortiert, '
    + 'und Shardline führt die Antworten zusammen. Ist ein Chunk dabei aufgebraucht, fragt Shardline ihn noch einmal: Das heißt <b>Nachladen</b>. '
    + 'Shardline fragt jeden Chunk nach seinem Anteil an der Seite und ein paar Dokumenten mehr, weil der Zufall sie ungleich verteilt.',
  'chapter.sharded-query.merge.question': 'Zwei Chunks werden nach einer Seite mit 10 Dokumenten gefragt. Wie viele Lesevorgänge stellt Firestore in Rechnung?',
  'chapter.sharded-query.merge.result': 'Shardline hat {requests, plural, one {# Anfrage} other {# Anfragen}} an {chunks, plural, one {# Chunk} '
    + 'other {# Chunks}} gesendet und {merged, plural, one {# Dokument} other {# Dokumente}} zusammengeführt. Firestore rechnet <b>{reads, plural, '
    + 'one {# Lesevorgang} other {# Lesevorgänge}}</b> ab. {over, select, yes {{same, select, yes {Die Liste ist genau die, die eine einzige '
    + 'Abfrage ohne Shards liefert.} other {Die Liste ist eine andere als die, die eine einzige Abfrage liefert.}}} other {}}',
  'chapter.sharded-query.merge.task.tie': 'Sieh zu, wie zwei Dokumente mit genau derselben Zeit zusammengeführt werden: Achte auf das „=“ auf einer Karte.',
  'chapter.sharded-query.merge.task.one': 'Hol eine Seite mit nur einer Anfrage und ohne einen Lesevorgang zu viel.',
  'chapter.sharded-query.merge.task.refill': 'Sieh zu, wie nachgeladen wird. Mit mehr Chunks und einer längeren Seite ist es wahrscheinlicher.',
  'chapter.sharded-query.pages.title': 'Die nächste Seite',
  'chapter.sharded-query.pages.text': '<code>stream()</code> verliert kein Dokument, das es geholt hat: Die nächste Seite beginnt damit und fragt nur nach dem Rest.',
  'chapter.sharded-query.pages.question': 'Wie viele Lesevorgänge stellt Firestore für die zweite Seite mit 10 Dokumenten in Rechnung?',
  'chapter.sharded-query.pages.result': '{pages, plural, =0 {Noch keine ganze Seite} one {# Seite} other {# Seiten}}: {merged, plural, one {# '
    + 'Dokument} other {# Dokumente}} für <b>{reads, plural, one {# Lesevorgang} other {# Lesevorgänge}}</b>. {over, select, yes {{same, select, '
    + 'yes {Seite für Seite ist es genau das, was eine einzige Abfrage liefert.} other {Die Seiten weichen von dem ab, was eine einzige Abfrage '
    + 'liefert.}}} other {}}',
  'chapter.sharded-query.pages.task.cheap': 'Sieh dir eine zweite Seite an, für die Firestore nicht mehr Lesevorgänge abrechnet, als sie Dokumente '
    + 'hat.',
  'chapter.sharded-query.pages.task.last': 'Geh weiter bis zur letzten Seite.',
  'chapter.sharded-query.three-queries.title': 'Die drei Abfragen der Dokumentation',
  'chapter.sharded-query.three-queries.text': 'Du kannst nach dem Typ, nach der Börse oder nach der Währung des Preises fragen. Jede Abfrage '
    + 'braucht ihren eigenen Index, mit dem Shard an erster Stelle. Du kannst auch jeden Chunk nach der <b>ganzen</b> Seite fragen. Das heißt '
    + '<code>whole-page</code>: Es muss nie nachgeladen werden, aber es kostet die meisten Lesevorgänge.',
  'chapter.sharded-query.three-queries.result': '{requests, plural, one {# Anfrage} other {# Anfragen}}, {merged, plural, one {# Dokument} other {# Dokumente}}, '
    + '<b>{reads, plural, one {# Lesevorgang} other {# Lesevorgänge}}</b>.',
  'chapter.sharded-query.three-queries.task.exchange': 'Frag nach einer Börse.',
  'chapter.sharded-query.three-queries.task.currency': 'Frag nach Preisen in US-Dollar.',
  'chapter.sharded-query.three-queries.task.whole-page': 'Finde heraus, wie viele Lesevorgänge es kostet, jeden Chunk nach der ganzen Seite zu fragen.',
  'chapter.sharded-query.challenge.text': 'Hol eine Seite mit <b>50 Dokumenten für höchstens 60 Lesevorgänge</b>. Verteile die Dokumente dabei auf '
    + 'möglichst viele Shard-Werte: Jeder Shard-Wert schafft 500 Schreibvorgänge pro Sekunde zusätzlich.',
  'chapter.sharded-query.challenge.outcome': 'Die Seite mit {documents, plural, one {# Dokument} other {# Dokumenten}} kostete <b>{reads, plural, '
    + 'one {# Lesevorgang} other {# Lesevorgänge}}</b>{extra, plural, =0 {. Die Grenze ist {most, number}.} one {: # Lesevorgang zu viel.} other {: '
    + '# Lesevorgänge zu viel.}}',
  'chapter.sharded-query.challenge.code': 'Der Code lieferte {right, plural, one {# Dokument} other {# Dokumente}} der neuesten {limit, number}. '
    + 'Die Kosten: <b>{reads, plural, one {# Lesevorgang} other {# Lesevorgänge}}</b>. Die Grenze ist {most, number}.',
  'knob.shard-values': 'Shard-Werte',
  'knob.limit': 'Dokumente pro Seite',
  'knob.pages': 'Seiten',
  'knob.query': 'Abfrage',
  'knob.query.type': 'Stammaktien',
  'knob.query.exchange': 'Börse 1',
  'knob.query.currency': 'In US-Dollar',
  'knob.chunk-reads': 'Jeder Chunk liefert',
  'knob.chunk-reads.share': 'Seinen Anteil an der Seite',
  'knob.chunk-reads.whole-page': 'Die ganze Seite',
  'merge.chunk': 'Chunk {n, number}: {shards, plural, one {# Shard-Wert} other {# Shard-Werte}}',
  'merge.asked': 'soll {count, number} liefern…',
  'merge.asked-all': 'soll alle liefern…',
  'merge.asked-more': 'aufgebraucht, soll {count, number} weitere liefern…',
  'merge.answered': 'hat {count, number} geliefert',
  'merge.result': 'Die zusammengeführte Liste, das Neueste zuerst',
  'merge.legend': 'Auf jeder Karte: die Zeit des Dokuments in Minuten und Sekunden, darunter sein Shard-Wert. „=“: dieselbe Zeit wie auf der Karte davor. Gestrichelt: schon '
    + 'zusammengeführt.',
  'merge.page': 'Seite {n, number}',
  'merge.summary': 'Nach {time}: Anfragen gesendet {requests, number}, Dokumente geholt {fetched, number}, zusammengeführt {merged, number}, ganze Seiten {pages, number}.',
  'merge.column.number': 'Nr.',
  'merge.column.time': 'Zeit',
  'merge.column.symbol': 'Symbol',
  'merge.column.shard': 'Shard',
  'merge.column.chunk': 'Chunk',
  'merge.column.page': 'Seite',

  'chapter.your-indexes.title': 'Deine Indexe',
  'chapter.your-indexes.about': 'Zieh deine <code>firestore.indexes.json</code> hierher: Du siehst, welche Indexe heiß sind und warum, und '
    + 'bekommst die Datei, die es behebt.',
  'chapter.your-indexes.hot.title': 'Heiße Indexe',
  'chapter.your-indexes.hot.text': 'Unten steht die Indexdatei für die Wertpapiere aus dem letzten Kapitel. Sie nennt zwei zusammengesetzte '
    + 'Indexe, also solche über mehrere Felder. Außerdem indexiert Firestore jedes Feld einzeln, auch wenn das in keiner Datei steht.\n\nEin Index '
    + 'ist <b>heiß</b>, wenn an erster Stelle ein Feld steht, dessen Werte immer weiter steigen: Jeder neue Eintrag landet dann am selben Ende, '
    + 'und das schafft nur etwa 500 Schreibvorgänge pro Sekunde.',
  'chapter.your-indexes.hot.question': 'Wie viele Indexe dieser Sammlung sind heiß?',
  'chapter.your-indexes.hot.sandbox': 'Ausprobieren, wie viele Schreibvorgänge pro Sekunde ein heißer Index durchlässt',
  'chapter.your-indexes.hot.task.hidden': 'Finde einen heißen Index, der in keiner Datei steht.',
  'chapter.your-indexes.hot.task.mend': 'Ändere die Datei von Hand, bis kein zusammengesetzter Index mehr heiß ist, auch nicht „vielleicht heiß“: Stell <code>shard</code> an die erste Stelle.',
  'chapter.your-indexes.rewrite.title': 'Die Datei, die es behebt',
  'chapter.your-indexes.rewrite.text': 'Das muss niemand von Hand machen. Für jeden zusammengesetzten Index, in dem ein Feld steigt, fügt Shardline denselben mit dem Shard an erster Stelle hinzu. Das geschieht nur für Sammlungen, die du ankreuzt: Ein Index verträgt 500 Schreibvorgänge pro Sekunde, alle anderen Sammlungen brauchen also keine Änderung.\n\nDu bekommst zwei Dateien. Die erste behält alle alten Indexe, denn Abfragen ohne ihren Index schlagen fehl. Stell die zweite, ohne sie, erst bereit, wenn niemand mehr die alten Abfragen stellt.\n\nDas geht auch mit deiner eigenen Datei. Sie verlässt diese Seite nicht.',
  'chapter.your-indexes.rewrite.task.clean': 'Kreuze eine Sammlung an und erzeuge zwei Dateien. In der zweiten ist kein Index mehr heiß.',
  'chapter.your-indexes.rewrite.task.counters': 'Füge die Einträge für verteilte Zähler hinzu: Eine TTL-Richtlinie löscht alte Marker.',
  'chapter.your-indexes.missing.title': 'Der fehlende Index',
  'chapter.your-indexes.missing.text': 'Eine Abfrage ohne passenden Index schlägt fehl, und Firestore antwortet mit einem Link. Darin steht, '
    + 'welcher Index fehlt. Sieh nach, bevor du klickst: Vielleicht ist es einer, der heiß wäre.',
  'chapter.your-indexes.missing.task.read': 'Lies ab, welchen Index die Fehlermeldung verlangt.',
  'unit.hot-indexes': '{count, plural, one {# heißer Index} other {# heiße Indexe}}',

  'indexes.file.choice': 'Datei',
  'indexes.file.instruments': 'Wertpapiere',
  'indexes.file.chat': 'Ein Chat',
  'indexes.file.own': 'Deine eigene',
  'indexes.file': 'firestore.indexes.json',
  'indexes.file.hint': 'Tippe, füge Text ein oder zieh eine Datei hierher. Sie verlässt diese Seite nicht.',
  'indexes.file.open': 'Datei öffnen',
  'indexes.file.too-large': 'Diese Datei ist größer, als eine Indexdatei je sein kann. Wähle eine andere.',
  'indexes.file.unreadable': 'Diese Datei kann nicht gelesen werden. Wähle eine andere.',
  'indexes.findings': 'Heiße Indexe',
  'indexes.findings.count': 'Heiß: {hot, number}. Vielleicht heiß: {perhaps, number}.',
  'indexes.risk.hot': 'Heiß',
  'indexes.risk.perhaps': 'Vielleicht heiß',
  'indexes.why.single': 'Firestore indexiert jedes Feld einzeln; dafür steht „•“. Die Werte von <code>{field}</code> steigen, also landen alle neuen Einträge am selben Ende. Diesen Index nennt keine Datei; der nächste Schritt zeigt, wann du ihn abschaltest.',
  'indexes.why.first': '<code>{field}</code> steht an erster Stelle, und die Werte steigen. Also landen alle neuen Einträge an einem Ende dieses Index.',
  'indexes.why.behind': 'Hinter <code>{front}</code> kommt <code>{field}</code>, dessen Werte steigen. Wenn die meisten Dokumente in <code>{front}</code> denselben Wert haben, landen alle neuen Einträge an '
    + 'derselben Stelle.',
  'indexes.perhaps': 'Falls die Werte steigen:',
  'indexes.candidates': 'Welche dieser Felder steigen?',
  'indexes.candidates.hint': 'Ihre Namen lassen es vermuten, beweisen aber nichts. Kreuze ein Feld an, wenn seine Werte von Dokument zu Dokument steigen.',
  'indexes.candidate': '<code>{field}</code> in <code>{collection}</code>',
  'indexes.busy': 'Welche Sammlungen bekommen mehr als 500 Schreibvorgänge pro Sekunde?',
  'indexes.busy.hint': 'Kreuze eine Sammlung nur an, wenn ihr Feld wirklich steigt. Alle anderen bleiben, wie sie sind.',
  'indexes.busy.label': '<code>{collection}</code>, darin steigt <code>{field}</code>',
  'indexes.ascending': 'aufsteigend',
  'indexes.descending': 'absteigend',
  'indexes.shard-field': 'Shard-Feld',
  'indexes.shard-field.hint': 'Jedes neue Dokument bekommt darin einen zufälligen Wert.',
  'indexes.counters': 'Einträge für verteilte Zähler hinzufügen',
  'indexes.rewritten': 'Zuerst: firestore.indexes.json',
  'indexes.rewritten.later': 'Später: firestore.indexes.json ohne die alten Indexe',
  'indexes.before-after': 'Heiß oder vielleicht heiß vorher: {before, number}. Nach der zweiten Datei: {after, number}.',
  'indexes.changes': 'Änderungen und Gründe',
  'indexes.changes.later': 'Änderungen in der zweiten Datei',
  'indexes.step.queries': 'Abfragen: Schreib sie mit <code>shardedCollection</code>, und gib jedem neuen Dokument ein <code>{shard}</code>. '
    + 'Veröffentliche den schreibenden Code jetzt, die Abfragen nach dem dritten Schritt.',
  'indexes.step.backfill': 'Nachtragen: Gib den vorhandenen Dokumenten mit <code>backfill()</code> ein <code>{shard}</code>.',
  'indexes.step.indexes': 'Indexe: Stell die erste Datei mit <code>firebase deploy --only firestore:indexes</code> bereit und warte, bis Firestore die neuen Indexe aufgebaut hat. Veröffentliche dann die Abfragen.',
  'indexes.step.remove': 'Alte Indexe entfernen: Stell die zweite Datei bereit, wenn keine veröffentlichte App und kein Server mehr die alten Abfragen stellt.',
  'indexes.kind.removed': 'Entfernt.',
  'indexes.kind.added': 'Hinzugefügt.',
  'indexes.kind.exempted': 'Von der Indexierung ausgenommen.',
  'indexes.change.removed': 'Ein Feld in diesem Index steigt, und <code>{shard}</code> steht nicht an erster Stelle.',
  'indexes.change.added': 'Mit <code>{shard}</code> an erster Stelle verteilen sich die Schreibvorgänge auf so viele Bereiche, wie es Shards gibt.',
  'indexes.change.exempted': 'Ein Index nur über dieses Feld würde heiß laufen oder nutzlos Schreibvorgänge kosten. Abfragen, die nur nach diesem '
    + 'Feld sortieren, gehen nicht mehr: Frag über <code>shardedCollection</code> ab.',
  'indexes.change.exempted.own': 'Das sind Dokumente von Shardline, die du nicht zu kennen brauchst. Keine Abfrage fragt nur nach so einem Feld. Sein '
    + 'Index würde Schreibvorgänge kosten oder heiß laufen.',
  'indexes.change.ttl': 'TTL: Firestore löscht ein Dokument nach der Zeit, die in <code>{field}</code> steht, und braucht dafür keinen Index.',
  'indexes.error': 'Fehlermeldung von Firestore',
  'indexes.error.hint': 'Die ganze Meldung oder nur der Link darin. Nichts wird gesendet.',
  'indexes.error.sample': 'Beispiel einsetzen',
  'indexes.entry': 'Für firestore.indexes.json',
  'indexes.entry.sharded': 'Bei mehr als 500 Schreibvorgängen pro Sekunde: mit dem Shard vorn',
  'indexes.entry.asked': 'Wie Firestore es verlangt',
  'indexes.asks.composite': 'Die Fehlermeldung verlangt diesen zusammengesetzten Index:',
  'indexes.asks.single': 'Die Fehlermeldung verlangt einen Index nur über dieses Feld:',
  'indexes.asks.risk.perhaps': 'Der Name eines Feldes in diesem Index lässt steigende Werte vermuten. Wenn sie steigen und die Sammlung mehr als 500 '
    + 'Schreibvorgänge pro Sekunde bekommt, stell das Shard-Feld an die erste Stelle und nutze die Abfrage über alle Shards.',
  'indexes.asks.risk.none': 'Kein Feld in diesem Index scheint zu steigen. Der Index verträgt also so viele Schreibvorgänge, wie du brauchst.',

  'chapter.one-document.title': 'Ein Dokument, viele Schreiber',
  'chapter.one-document.about': 'Alle drücken gleichzeitig auf „Gefällt mir“, und ein einziges Dokument muss zählen.',
  'chapter.one-document.many-writers.title': 'Tausend Likes',
  'chapter.one-document.many-writers.text': 'Ein Beitrag speichert seine Likes in einem Feld eines Dokuments. Jeder Klick auf „Gefällt mir“ schreibt in dieses Dokument, und <code>increment(1)</code> sorgt '
    + 'dafür, dass kein Klick einen anderen überschreibt.\n\nFirestore schreibt in ein Dokument immer nur nacheinander, auf Dauer etwa einmal pro Sekunde. Ein paar Schreibvorgänge auf einmal '
    + 'gehen auch.',
  'chapter.one-document.many-writers.question': '1.000 Leute drücken im selben Moment auf „Gefällt mir“. Wie viele Likes sind nach 10 Sekunden gezählt?',
  'chapter.one-document.many-writers.result': 'Nach {time} {asked, plural, one {hat # Person} other {haben # Personen}} gedrückt, und <b>{counted, '
    + 'plural, one {# Like ist} other {# Likes sind}} gezählt</b>. {conflicts, plural, =0 {Firestore hat keine Anfrage abgelehnt.} one {Firestore '
    + 'hat # Anfrage abgelehnt, weil zu viele andere vor ihr an der Reihe waren.} other {Firestore hat # Anfragen abgelehnt, weil zu viele andere '
    + 'vor ihnen an der Reihe waren.}} {failed, plural, =0 {Noch niemand hat eine Fehlermeldung gesehen.} one {# Person hat eine Fehlermeldung '
    + 'gesehen.} other {# Personen haben eine Fehlermeldung gesehen.}}{judged, select, yes {\n\nNach 10 Sekunden {early, plural, one {war es #} '
    + 'other {waren es #}}.} other {}}{over, select, yes {\n\nSofort noch einmal zu schreiben hilft nicht, weil das Dokument so beschäftigt ist '
    + 'wie zuvor. Mehr Dokumente helfen.} other {}}',
  'chapter.one-document.many-writers.task.lost': 'Sieh zu, wie jemand sein Like verliert: Lass es laufen, bis eine Erhöhung endgültig scheitert.',
  'chapter.one-document.many-writers.task.holds': 'Finde eine Gruppe von mindestens fünf Leuten, deren Likes innerhalb von 10 Sekunden alle gezählt '
    + 'werden.',

  'chapter.distributed-counter.title': 'Der verteilte Zähler',
  'chapter.distributed-counter.about': 'Verteile den Stand auf mehrere Dokumente, bis der Zähler mithält.',
  'chapter.distributed-counter.turn-up.title': 'Mehr Shards',
  'chapter.distributed-counter.turn-up.text': 'Ein <b>verteilter Zähler</b> verteilt seinen Stand auf mehrere Dokumente, die <b>Shards</b> (englisch für Scherben). Jede Erhöhung geht an einen zufälligen '
    + 'Shard, und die Gesamtzahl ist die Summe aller Shards. Doppelt so viele Shards schaffen doppelt so viele Schreibvorgänge.\n\nHier drücken 40 Sekunden lang jede Sekunde 50 Leute auf „Gefällt mir“.',
  'chapter.distributed-counter.turn-up.question': 'Wie viele der 50 Klicks pro Sekunde werden mit 10 Shards gezählt?',
  'chapter.distributed-counter.turn-up.result': '{over, select, yes {Mit {shards, plural, one {# Shard} other {# Shards}} {counted, plural, one '
    + '{wurde <b># Erhöhung pro Sekunde</b>} other {wurden <b># Erhöhungen pro Sekunde</b>}} gezählt, von {asked, number} gewünschten. Von 20 '
    + 'gezählten Klicks dauerten 19 weniger als {wait}. {retries, plural, =0 {Keine Anfrage musste noch einmal gesendet werden.} one {# Anfrage '
    + 'wurde noch einmal gesendet.} other {# Anfragen wurden noch einmal gesendet.}} {failed, plural, =0 {Keine Erhöhung ging verloren.} one {# '
    + 'Erhöhung ging am Ende verloren.} other {# Erhöhungen gingen am Ende verloren.}}\n\n{holds, select, yes {Der Zähler hält mit.} nearly {Im '
    + 'Durchschnitt {shards, plural, one {trägt # Shard} other {tragen # Shards}} diese Last, aber manche Klicks treffen sich beim selben Shard, '
    + 'und die Leute warten zu lange: Nimm mehr Shards.} other {Der Zähler hält nicht mit: Die Leute warten zu lange.}} Nach der Faustregel „ein '
    + 'Schreibvorgang pro Sekunde und Shard“ braucht diese Last {needed, plural, one {# Shard} other {# Shards}}. Noch mehr Shards verkürzen die '
    + 'Wartezeit, wenn der Zufall mehrere Klicks zum selben Shard schickt.} other {Nach {time} {pressed, plural, one {hat # Person} other {haben # '
    + 'Personen}} gedrückt, und <b>{done, plural, one {# Klick ist} other {# Klicks sind}} gezählt</b>.}}',
  'chapter.distributed-counter.turn-up.task.crowded': 'Sieh zu, wie ein Shard eine Anfrage ablehnt, weil zu viele andere vor ihr anstehen.',
  'chapter.distributed-counter.turn-up.task.holds': 'Erhöhe die Zahl der Shards, bis der Zähler mithält: Kein Klick scheitert, und 19 von 20 Klicks '
    + 'dauern weniger als eine Sekunde.',
  'chapter.distributed-counter.challenge.text': 'Bewältige mit möglichst wenigen Shards <b>300 Klicks pro Sekunde</b>: Kein Klick scheitert, und 19 '
    + 'von 20 Klicks dauern weniger als eine Sekunde.\n\nHier drücken 20 Sekunden lang jede Sekunde 300 Leute auf „Gefällt mir“.',
  'chapter.distributed-counter.challenge.outcome': 'Mit {shards, plural, one {# Shard} other {# Shards}} {failed, plural, =0 {ist kein Klick '
    + 'gescheitert} one {ist # Klick gescheitert} other {sind # Klicks gescheitert}}, und 19 von 20 Klicks dauerten weniger als {wait}. Das Ziel ist '
    + 'weniger als eine Sekunde.',

  'chapter.reading.title': 'Was Lesen kostet',
  'chapter.reading.about': 'Jeden Teil des Stands lesen, den Server addieren lassen oder eine Gesamtzahl teilen.',
  'chapter.reading.three-ways.title': 'Drei Wege zu einer Zahl',
  'chapter.reading.three-ways.text': 'Das Schreiben ist jetzt verteilt; beim Lesen muss alles wieder zusammenkommen. Firestore rechnet jedes Dokument ab, das gelesen wird.\n\n'
    + 'Das Beispiel von Firebase <b>liest jeden Shard</b> und addiert. Auch der <b>Server kann addieren</b>: Das wird für bis zu 1.000 Shards wie ein einziger Lesevorgang abgerechnet. '
    + 'Oder alle Leser <b>teilen sich eine Gesamtzahl</b> in einem eigenen Dokument. Ist sie älter als eine Sekunde, bringt einer von ihnen sie auf den neuesten Stand. '
    + 'Das ist für Zähler mit mehr als 1.000 Shards gedacht: Mit weniger, wie hier, kostet es mehr als die Summe des Servers.\n\n'
    + 'Hier sieht jeder Leser 20 Sekunden lang etwa einmal pro Sekunde nach der Gesamtzahl, auf allen drei Wegen zugleich.',
  'chapter.reading.three-ways.question': '50 Shards, 20 Leser, 20 Sekunden: Wie viele Lesevorgänge werden abgerechnet, wenn jeder Leser jeden Shard liest?',
  'chapter.reading.three-ways.result': 'Für {totals, plural, one {# Gesamtzahl} other {# Gesamtzahlen}} aus {shards, plural, one {# Shard} other '
    + '{# Shards}}: <b>{all, plural, one {# Lesevorgang} other {# Lesevorgänge}}</b>, wenn jeder Shard gelesen wird, <b>{sum, number}</b>, wenn '
    + 'der Server addiert, <b>{shared, number}</b> mit einer geteilten Gesamtzahl.\n\nEin Monat kostet so auf dem ersten Weg etwa '
    + '<b>{dollarsAll}</b> und auf dem zweiten <b>{dollarsSum}</b>. Das Teilen lohnt sich ab mehr als 1.000 Shards: Dann rechnet Firestore für '
    + 'jede Summe mehr als einen Lesevorgang ab.',
  'chapter.reading.three-ways.task.dear': 'Bring den ersten Weg dazu, in 20 Sekunden 100.000 Lesevorgänge zu kosten.',
  'chapter.reading.three-ways.task.same': 'Finde eine Einstellung, bei der es nicht mehr als einen Lesevorgang pro Gesamtzahl kostet, jeden Shard zu lesen.',

  'chapter.live.title': 'Aktuelle Gesamtzahlen',
  'chapter.live.about': 'Wer nachfragt, zahlt für jede Frage. Sieh, wann sich Zuhören lohnt.',
  'chapter.live.ask-or-listen.title': 'Nachfragen oder zuhören',
  'chapter.live.ask-or-listen.text': 'Andere ändern die Gesamtzahl, während deine Seite sie zeigt. Deine Seite kann alle paar Sekunden '
    + '<b>nachfragen</b>. Firestore rechnet für jede Frage einen Lesevorgang ab, auch wenn sich nichts geändert hat. Oder deine Seite '
    + '<b>hört zu</b>: Dann schickt der Server jeden Shard, der sich ändert. Firestore rechnet die erste Gesamtzahl und jeden Shard einmal ab und '
    + 'danach jede Änderung eines Shards.\n\nKommen die Änderungen zu schnell, fragt <code>watch()</code> jede Sekunde nach, bis sie wieder selten '
    + 'sind. Mit <code>readsPerHour</code> setzt du <b>eine Grenze</b>: die höchste Rechnung einer Stunde. Nahe der Grenze fragt die Seite '
    + 'seltener nach, und ihre Zahl bewegt sich trotzdem.\n\nHier zeigt eine Seite eine Stunde lang einen Zähler mit 10 Shards, auf drei '
    + 'Arten zugleich. Dabei läuft der Code von Shardline selbst, in virtueller Zeit. Für einen stark genutzten Zähler ist eine '
    + '<b>veröffentlichte Gesamtzahl</b> noch billiger: Eine Seite, die ihr zuhört, zahlt für jede Veröffentlichung einen Lesevorgang.',
  'chapter.live.ask-or-listen.question': 'Eine Seite zeigt eine Stunde lang einen Zähler mit 10 Shards, und pro Minute vergeben 2 Leute ein '
    + 'Like. Wie viele Lesevorgänge rechnet Firestore ab, wenn die Seite zuhört?',
  'chapter.live.ask-or-listen.result': 'Nach {time} hat Firestore <b>{ask, plural, one {# Lesevorgang} other {# Lesevorgänge}}</b> '
    + 'abgerechnet, wenn die Seite {every, plural, one {jede Sekunde} other {alle # Sekunden}} nachfragt, und <b>{listen, plural, one {# '
    + 'Lesevorgang} other {# Lesevorgänge}}</b>, wenn sie zuhört. Mit einer Grenze von {bound, plural, one {# Lesevorgang} other {# '
    + 'Lesevorgängen}} pro Stunde sind es <b>{bounded, plural, one {# Lesevorgang} other {# Lesevorgänge}}</b>.{seen, select, yes {\n\nDas '
    + 'langsamste Like erschien nach {askLate}, wenn die Seite nachfragt, nach {listenLate}, wenn sie zuhört, und nach {boundedLate} mit '
    + 'der Grenze.} other {}}{over, select, yes {\n\nSehen {people, plural, one {# Person} other {# Personen}} jeden Tag eine Stunde lang '
    + 'zu, kostet ein Monat etwa <b>{dollarsAsk}</b>, <b>{dollarsListen}</b> und <b>{dollarsBounded}</b>.} other {}}',
  'chapter.live.ask-or-listen.task.quiet': 'Lass eine Stunde ohne Like vergehen und vergleiche die abgerechneten Lesevorgänge.',
  'chapter.live.ask-or-listen.task.busy': 'Finde eine Last, bei der eine Seite, die zuhört, mehr zahlt als eine, die nachfragt.',
  'chapter.live.ask-or-listen.task.hidden': 'Verbirg den Tab und sieh, welche Art weiter zahlt.',
  'knob.likes': 'Likes pro Minute',
  'knob.every': 'Sekunden zwischen den Fragen',
  'knob.tab': 'Der Tab',
  'knob.tab.shown': 'Die ganze Stunde zu sehen',
  'knob.tab.hidden': 'Im mittleren Drittel der Stunde verborgen',
  'series.reads': 'Bisher abgerechnete Lesevorgänge',
  'code.note.asks': 'fragt nach',
  'code.note.listens': 'hört zu',
  'code.note.bounded': 'hört mit einer Grenze zu',
  'live.way.ask': 'Die Seite fragt nach',
  'live.way.listen': 'Die Seite hört zu',
  'live.way.bounded': 'Sie hört mit einer Grenze zu',
  'live.key.shown': '{people, plural, one {# Like} other {# Likes}} auf der Seite',
  'live.key.missing': 'noch nicht auf der Seite',
  'live.shown': '{behind, plural, =0 {zeigt {shown, number}} one {zeigt {shown, number}, es fehlt #} other {zeigt {shown, number}, es '
    + 'fehlen #}}',
  'live.tab': 'Der Tab ist verborgen.',
  'live.number': 'Zahl auf der Seite',
  'live.behind': 'Fehlende Likes',
  'live.latest': 'Langsamstes Like',
  'live.summary': 'Nach {time} hat Firestore {ask, plural, one {# Lesevorgang} other {# Lesevorgänge}} für die Seite abgerechnet, die '
    + 'nachfragt, {listen, plural, one {# Lesevorgang} other {# Lesevorgänge}} für die Seite, die zuhört, und {bounded, plural, one {# '
    + 'Lesevorgang} other {# Lesevorgänge}} mit der Grenze.',

  'chapter.hot-range.title': 'Der heiße Bereich',
  'chapter.hot-range.about': 'Warum das Schreiben mit einem steigenden Zeitstempel langsam ist, egal, wie viele Dokumente es gibt.',
  'chapter.hot-range.tablets.title': 'Tablets füllen und teilen sich',
  'chapter.hot-range.tablets.text': 'Jedes neue Ereignis ist ein eigenes Dokument, also bekommt kein einzelnes Dokument zu viele Schreibvorgänge ab. Aber Firestore führt zu '
    + 'jedem Feld einen <b>Index</b>, nach Wert sortiert, und schneidet ihn in <b>Tablets</b>: Bereiche von Schlüsseln, die je etwa 500 Schreibvorgänge pro Sekunde schaffen. '
    + 'Ein Tablet, von dem mehr verlangt wird, ist <b>heiß</b> und wird nach einer Weile in zwei geteilt.\n\nEin Zeitstempel steigt. Darum landet jeder neue Eintrag ganz am Ende '
    + 'des Index, im letzten Tablet, ganz gleich, wie oft es geteilt wird.\n\nAbhilfe schafft ein Feld <code>shard</code> mit einem von wenigen Werten, für jedes Dokument '
    + 'zufällig gezogen. Diesmal sind es keine eigenen Dokumente: Ein Shard ist hier nur ein Wert in jedem Ereignis. Ein Index über den Shard und dann die Zeit hat für jeden dieser Werte ein eigenes Ende.\n\nHier kommen 20 Sekunden lang jede Sekunde 900 Ereignisse an.',
  'chapter.hot-range.tablets.question': 'Die App sendet jede Sekunde 900 Dokumente. Wie viele Dokumente pro Sekunde schreibt Firestore?',
  'chapter.hot-range.tablets.result': '{over, select, yes {{index, select, time {Mit dem Index nur über die Zeit} shard {Mit dem Index über Shard '
    + 'und Zeit, mit {shards, plural, one {# Shard} other {# Shards}},} other {Mit {shards, plural, one {# Shard} other {# Shards}} und dem alten '
    + 'Index nur über die Zeit}} schreibt Firestore <b>{written, plural, one {# Dokument} other {# Dokumente}} pro Sekunde</b>, von {asked, '
    + 'number}.} other {Nach {time}: {came, plural, one {# Dokument sollte} other {# Dokumente sollten}} geschrieben werden, <b>{done, plural, one '
    + '{# davon ist} other {# davon sind}} geschrieben</b>.}} {tablets, plural, =0 {Einen Index nur über die Zeit gibt es nicht.} one {Der Index '
    + 'nur über die Zeit ist ein einziges Tablet.} other {Der Index nur über die Zeit hat inzwischen # Tablets, und alle neuen Einträge gehen in '
    + 'das letzte.}}{over, select, yes {\n\n{index, select, time {Eine Teilung hilft nicht, weil sie nur die alten Einträge abtrennt.} shard {Mit '
    + 'einem Shard an erster Stelle landen neue Einträge an mehreren Stellen zugleich, eine für jeden Shard. Anfangs liegen alle in einem Tablet; '
    + 'sobald Firestore es zwischen ihnen geteilt hat, hat jeder Shard sein eigenes.} other {Firestore schreibt auch den alten Index, und jeder '
    + 'Schreibvorgang wartet darauf. Darum muss er weg: Nimm das Feld von der Indexierung aus.}}} other {}}',
  'chapter.hot-range.tablets.task.split': 'Sieh zu, wie sich mit dem Index nur über die Zeit ein Tablet teilt und das neue wieder heiß wird.',
  'chapter.hot-range.tablets.task.old-index': 'Stell einen Shard an die erste Stelle und lass den alten Index stehen: Du wirst sehen, dass es nicht hilft.',
  'chapter.hot-range.tablets.task.spread': 'Bring mehr als 800 Dokumente pro Sekunde durch.',
  'chapter.hot-range.challenge.text': 'Bring mit möglichst wenigen Shards <b>2.000 Ereignisse pro Sekunde</b> durch: Im Durchschnitt über 15 '
    + 'Sekunden schreibt Firestore mindestens 1.900 Dokumente pro Sekunde.\n\nIn diesem Ablauf teilt Firestore ein heißes Tablet früher als im '
    + 'ersten Schritt, damit du nicht lange warten musst.',
  'chapter.hot-range.challenge.outcome': 'Firestore schrieb <b>{written, plural, one {# Dokument} other {# Dokumente}} pro Sekunde</b>.{missing, '
    + 'plural, =0 {} one { Zum Ziel fehlt # Dokument pro Sekunde.} other { Zum Ziel fehlen # Dokumente pro Sekunde.}}',

  'chapter.ids.title': 'IDs unter Last',
  'chapter.ids.about': 'Nummern für 1.000 Nutzer: langsam, falsch oder in Blöcken.',
  'chapter.ids.three-ways.title': 'Drei Wege zur nächsten Nummer',
  'chapter.ids.three-ways.text': 'Ein Team wollte seine Datensätze nummerieren und hat das mit 1.000 Nutzern getestet: jede Sekunde zehn mehr, zwei Minuten lang.\n\n'
    + '<b>Eine Transaktion</b> liest einen Zähler, addiert eins und schreibt ihn zurück. <b>Die Summe der Shards</b>: Einer von 50 Shards wird erhöht, und die Summe aller Shards dient als ID. '
    + '<b>Blöcke</b>: Jeder von 50 Shards besitzt eigene IDs, und einer davon gibt 50 auf einmal heraus.',
  'chapter.ids.three-ways.question': 'IDs aus der Summe von 50 Shards: Wie viele werden vergeben, obwohl schon jemand anders dieselbe hat?',
  'chapter.ids.three-ways.result': '{method, select, transaction {In Transaktionen} sum {Aus der Summe der Shards} other {In Blöcken}}: bisher '
    + '<b>{given, plural, one {# ID} other {# IDs}}</b>, <b>{duplicates, plural, =0 {keine davon doppelt} one {# davon doppelt} other {# davon '
    + 'doppelt}}</b>.{over, select, yes { In den zwei Minuten der Last {rate, plural, one {ist es # ID} other {sind es # IDs}} pro Sekunde, und '
    + '{failed, plural, =0 {jede Anfrage bekam eine ID} one {# Anfrage nach einer ID scheiterte} other {# Anfragen nach einer ID '
    + 'scheiterten}}.\n\n{method, select, transaction {Das ist richtig und so langsam wie ein einzelnes Dokument.} sum {Das ist schnell und falsch: '
    + 'Zwischen der Erhöhung und der Summe erhöhen auch andere, und alle sehen dieselbe Summe.} other {Das ist richtig und schnell: Nie besitzen zwei '
    + 'Clients denselben Block. Was ein Client nicht verbraucht, bleibt als Lücke.}}} other {}}',
  'chapter.ids.three-ways.task.twice': 'Sieh zu, wie dieselbe ID zweimal vergeben wird.',
  'chapter.ids.three-ways.task.slow': 'Sieh dir den Weg, der richtig und langsam ist, bis zum Ende an.',
  'chapter.ids.three-ways.task.unique': 'Vergib mehr als 100 IDs pro Sekunde, keine davon zweimal.',
  'chapter.ids.challenge.text': 'Vergib IDs an <b>1.000 Nutzer</b>: keine ID zweimal, keine Anfrage ohne ID, und 19 von 20 Anfragen dauern weniger '
    + 'als eine Sekunde. Lass dabei möglichst wenige IDs ungenutzt.\n\nKleine Blöcke lassen weniger IDs ungenutzt. Sie brauchen aber mehr Commits, '
    + 'und Commits, die sich beim selben Shard treffen, warten.',
  'chapter.ids.challenge.outcome': '{duplicates, plural, =0 {Keine ID wurde zweimal vergeben} one {# ID war doppelt} other {# IDs waren doppelt}}, '
    + '{failed, plural, =0 {jede Anfrage bekam eine ID} one {# Anfrage bekam keine ID} other {# Anfragen bekamen keine ID}}, und 19 von 20 Anfragen '
    + 'dauerten weniger als {wait}.{blocks, select, yes { {unused, plural, one {# ID blieb} other {# IDs blieben}} ungenutzt.} other {}}',
  'chapter.ids.challenge.code': 'Der Code lieferte {ids, plural, one {# ID} other {# IDs}}, {duplicates, plural, =0 {keine davon doppelt} one {# '
    + 'davon doppelt} other {# davon doppelt}}. Er kostete <b>{writes, plural, one {# Schreibvorgang} other {# Schreibvorgänge}}</b>. Das Ziel: '
    + '{goal, plural, one {# ID} other {# IDs}}, keine doppelt.',

  'chapter.tickets.title': '500 Tickets',
  'chapter.tickets.about': '1.000 Leute drücken gleichzeitig. Verkaufe jedes Ticket und keins zu viel.',
  'chapter.tickets.rush.title': 'Alle auf einmal',
  'chapter.tickets.rush.text': 'Du verkaufst 500 Tickets, und 1.000 Leute drücken im selben Moment. Jeder will ein Ticket. Drei Apps versuchen '
    + 'es.\n\n<b>Die naive App</b> liest, wie viele Tickets verkauft sind. Gibt es noch welche, erhöht sie einen der Shards. <b>Die Transaktion</b> '
    + 'liest ein einzelnes Dokument und schreibt es nur, wenn kein anderer Client es geändert hat. <b>Das Kontingent</b> verteilt die Tickets auf '
    + 'Shards: Es liest einen Shard und nimmt ein Ticket nur, wenn sich der Shard seitdem nicht geändert hat. Ist ein Shard leer, sucht Shardline '
    + 'einen mit Tickets.',
  'chapter.tickets.rush.question': 'Es gibt 500 Tickets. Wie viele verkauft die naive App?',
  'chapter.tickets.rush.result': 'Verkauft nach {time}: naive App <b>{naive, plural, one {# Ticket} other {# Tickets}}</b>, Transaktion '
    + '<b>{transaction, number}</b>, Kontingent <b>{stock, number}</b>.{over, select, yes {\n\n{oversold, plural, =0 {Die naive App hat diesmal '
    + 'kein Ticket zu viel verkauft.} one {Die naive App hat # Ticket zu viel verkauft.} other {Die naive App hat # Tickets zu viel verkauft.}} '
    + 'Alle lesen die Zahl, bevor die erste Erhöhung ankommt. Die Transaktion verkauft kein Ticket doppelt, aber ein einzelnes Dokument schafft '
    + 'nur etwa einen Schreibvorgang pro Sekunde: {failed, plural, =0 {Niemand hat} one {# Person hat} other {# Personen haben}} eine '
    + 'Fehlermeldung gesehen, und {waiting, plural, =0 {niemand wartet} one {# Person wartet} other {# Personen warten}} noch.\n\nDas Kontingent '
    + 'verkauft jedes Ticket einmal. {refused, plural, one {# Person hat} other {# Personen haben}} erfahren, dass alle Tickets verkauft sind, und '
    + '{errors, plural, =0 {niemand hat eine Fehlermeldung gesehen} one {# Person hat eine Fehlermeldung gesehen} other {# Personen haben eine '
    + 'Fehlermeldung gesehen}}. Die Hälfte der Antworten kam innerhalb von {half}, fast alle kamen innerhalb von {most}.} other {}}',
  'chapter.tickets.rush.task.oversold': 'Sieh zu, wie die naive App ein Ticket zu viel verkauft.',
  'chapter.tickets.rush.task.exact': 'Sieh zu, wie das Kontingent alle 500 Tickets verkauft und alle eine Antwort ohne Fehler bekommen.',
  'chapter.tickets.rush.task.slow': 'Finde eine Zahl von Shards, die zu klein ist: Die letzten Antworten des Kontingents dauern länger als 20 '
    + 'Sekunden.',
  'chapter.tickets.holds.title': 'Reservieren, dann zahlen',
  'chapter.tickets.holds.text': 'Zahlen braucht Zeit. <code>holdFor</code> reserviert ein Ticket für 10 Minuten, und <code>confirm()</code> macht '
    + 'die Reservierung endgültig. Manche zahlen nie. Ihre Tickets müssen zurück, sonst kannst du sie nicht verkaufen.\n\nHier verkaufst du eine '
    + 'Viertelstunde lang 100 Tickets. Alle zwei Sekunden kommt jemand. Die Hälfte der Leute zahlt nach ein bis drei Minuten, die anderen schließen '
    + 'die Seite.',
  'chapter.tickets.holds.question': 'Wer gibt ein Ticket zurück, wenn seine 10 Minuten um sind?',
  'chapter.tickets.holds.choice.server': 'Ein Server, nach Zeitplan',
  'chapter.tickets.holds.choice.lost': 'Niemand: Das Ticket ist verloren',
  'chapter.tickets.holds.choice.next': 'Die nächste Person, die kein Ticket findet',
  'chapter.tickets.holds.result': 'Nach {time}: {paid, plural, one {# Ticket ist} other {# Tickets sind}} bezahlt, {held, plural, one {# ist} '
    + 'other {# sind}} reserviert, und {ended, plural, =0 {keine abgelaufene Reservierung wartet} one {# abgelaufene Reservierung wartet} other {# '
    + 'abgelaufene Reservierungen warten}} auf die nächste Person. <b>{returned, plural, =0 {Kein Ticket ist} one {# Ticket ist} other {# Tickets '
    + 'sind}} an eine zweite Person gegangen.</b> {refused, plural, =0 {Niemand hat} one {# Person hat} other {# Personen haben}} „ausverkauft“ '
    + 'gehört.{late, plural, =0 {} one { # Person wollte zu spät zahlen.} other { # Personen wollten zu spät zahlen.}}{over, select, yes {\n\nDu '
    + 'brauchst dafür keinen Server und keinen Zeitplan. Wer kein Ticket findet, sucht eine abgelaufene Reservierung, legt ihr Ticket zurück und '
    + 'nimmt es. Die Uhr des Servers entscheidet. Eine falsche Uhr auf einem Gerät ändert nichts.} other {}}',
  'chapter.tickets.holds.task.returned': 'Sieh zu, wie ein Ticket nach Ablauf seiner Reservierung an eine zweite Person geht.',
  'chapter.tickets.holds.task.late': 'Mach die Reservierung so kurz, dass jemand zu spät zahlen will.',
  'knob.hold': 'Minuten einer Reservierung',
  'knob.paying': 'Wie viele von 100 Leuten zahlen',
  'unit.tickets': '{count, plural, one {# Ticket} other {# Tickets}}',
  'series.tickets': 'Verkaufte Tickets bisher',
  'series.people': 'Leute bisher',
  'series.taken': 'Ticket bekommen',
  'series.refused': '„ausverkauft“ gehört',
  'series.paid': 'bezahlt',
  'rush.way.naive': 'Naive App',
  'rush.way.transaction': 'Transaktion',
  'rush.way.stock': 'Kontingent',
  'rush.sold': 'verkauft',
  'rush.oversold': 'zu viel verkauft',
  'rush.refused': '„ausverkauft“ gehört',
  'rush.failed': 'Fehlermeldung gesehen',
  'rush.waiting': 'warten',
  'rush.numbers': '{sold, plural, one {# verkauft} other {# verkauft}}{oversold, plural, =0 {} one {, # zu viel} other {, # zu viel}}',
  'rush.summary': 'Nach {time} von {units, plural, one {# Ticket} other {# Tickets}} verkauft: naive App {naive, number}, Transaktion {transaction, '
    + 'number}, Kontingent {stock, number}.',
  'holds.paid': 'bezahlt',
  'holds.held': 'reserviert',
  'holds.ended': 'Reservierung abgelaufen',
  'holds.free': 'frei',
  'holds.returned': 'gingen an eine zweite Person',
  'holds.late': 'wollten zu spät zahlen',
  'holds.refused': '„ausverkauft“ gehört',
  'holds.what': 'Tickets und Leute',
  'holds.number': 'Anzahl',
  'holds.summary': 'Alle Tickets nach {time}: bezahlt {paid, number}, reserviert {held, number}, Reservierung abgelaufen {ended, number}, frei '
    + '{free, number}.',

  'chapter.your-app.title': 'In deiner App',
  'chapter.your-app.about': 'Wie viele Shards du brauchst, was ein Monat kostet, und der Code zum Einfügen.',
  'chapter.your-app.shards.title': 'Wie viele Shards, und was sie kosten',
  'chapter.your-app.shards.text': 'Ein Shard schafft etwa einen Schreibvorgang pro Sekunde. Wähle, wie viele Leute auf „Gefällt mir“ drücken und wie viele den Stand ansehen.',
  'chapter.your-app.shards.question': '20 Leute pro Sekunde drücken auf „Gefällt mir“. Wie viele Shards braucht der Zähler?',
  'chapter.your-app.shards.result': 'Nimm für {writes, plural, one {# Erhöhung} other {# Erhöhungen}} pro Sekunde mindestens <b>{shards, plural, one {# Shard} other {# Shards}}</b>. Im Mittel tragen sie die Last, '
    + 'aber wer auf demselben Shard mit anderen zusammentrifft, wartet sekundenlang; mit etwa doppelt so vielen wartet kaum jemand.\n\nEin Monat mit dieser Last bei Tag und Nacht '
    + 'kostet etwa <b>{dollars}</b>: Erhöhungen, die genau einmal zählen, und Gesamtzahlen, die der Server addiert.',
  'chapter.your-app.shards.sandbox': 'Diese Last mit doppelt so vielen Shards ausprobieren',
  'chapter.your-app.shards.task.busy': 'Finde eine Last, die 100 Shards oder mehr braucht.',
  'chapter.your-app.shards.task.cheap': 'Bleib bei mindestens 5 Erhöhungen pro Sekunde und bring die Kosten eines Monats unter 30 $.',
  'chapter.your-app.code.title': 'Der Code zum Einfügen',
  'chapter.your-app.code.text': 'Wähle, wer zählen darf: Daraus ergeben sich die Regeln und der Code. Geh dann die Schritte unten durch. Am Ende steht eine '
    + 'Like-Schaltfläche auf deiner eigenen Seite.\n\nEin <b>Like</b> lässt sich zurücknehmen, und die Seite weiß, ob der Leser es vergeben hat. Eine <b>Stimme</b> '
    + 'gilt für immer. Wenn man beliebig oft drücken darf, zählt jeder Klick. Ist ein Gerät offline, sendet die App seine Likes später.',
  'chapter.your-app.code.result': 'Code, Regeln und Befehle unten verwenden für diese Last {shards, plural, one {# Shard} other {# Shards}}: doppelt so '
    + 'viele, wie sie im Mittel braucht, damit kaum jemand wartet.',
  'chapter.your-app.code.recipe.install': 'Du brauchst Node 20.19 oder neuer. Leg mit Vite eine App an und installiere Shardline darin: den Ordner <code>web</code> des Checkouts, aus dem diese Seite kommt.',
  'chapter.your-app.code.recipe.project': 'Leg in der Firebase-Konsole, <a>console.firebase.google.com</a>, ein Projekt an; der kostenlose Tarif genügt. Erstelle dort unter „Firestore Database“ eine '
    + 'Datenbank: die Standard-Edition, im Produktionsmodus, der niemanden hineinlässt, bevor es Regeln gibt.',
  'chapter.your-app.code.recipe.user': 'Die Regeln verlangen einen angemeldeten Nutzer. Aktiviere in der Konsole unter „Authentication“, „Anmeldemethode“ den Anbieter „Anonym“: Jeder Besucher bekommt dann eine '
    + 'Nutzer-ID, ohne etwas einzugeben. Andere Anmeldemethoden gehen genauso gut.',
  'chapter.your-app.code.recipe.page': 'Setz diese beiden an die Stelle der Dateien, die Vite angelegt hat.',
  'chapter.your-app.code.recipe.key': 'Füge in der Konsole in den Projekteinstellungen unter „Allgemein“, „Meine Apps“ eine Web-App hinzu. Die Konsole zeigt eine <code>firebaseConfig</code>: Trag deren '
    + '<code>projectId</code> und <code>apiKey</code> in <code>src/main.js</code> ein. Der Schlüssel ist kein Geheimnis. Er bezeichnet nur das Projekt. Die Rechte der Besucher '
    + 'legen die Regeln fest.',
  'chapter.your-app.code.recipe.rules': 'Leg diese drei Dateien in den Ordner <code>like-button</code>. In der Indexdatei geht es um Dokumente, die '
    + 'Shardline selbst anlegt. Keine Abfrage fragt nach ihren Feldern, darum nimmt die Datei diese aus den Indexen heraus: In '
    + '<code>shardline_markers</code> steht, welche Commits gezählt sind,{kind, select, like { in <code>shardline_members</code> steht, wer ein Like '
    + 'vergeben hat,} vote { in <code>shardline_members</code> steht, wer abgestimmt hat,} other {}} und <code>shardline_totals</code> kann eine '
    + 'Gesamtzahl aufnehmen, die sich die Leser teilen.',
  'chapter.your-app.code.recipe.emulators': 'Starte in einem zweiten Terminal im Ordner <code>like-button</code> die Emulatoren von Google und lass sie laufen. Sie brauchen Java {java, number} oder neuer (siehe <code>java -version</code>) und prüfen die Regeln von oben. Der erste Start lädt einige Hundert Megabyte herunter; mach weiter, wenn „All emulators ready“ erscheint. Wenn sie enden, sind ihre Daten weg.',
  'chapter.your-app.code.recipe.deploy': 'Stell die Regeln und die Indexe bereit, mit der ID deines Projekts anstelle von <code>my-project</code>. Die Indexdatei '
    + 'lässt alte Dokumente löschen (TTL); dafür muss im Projekt die Abrechnung aktiviert sein. Ohne sie stell nur <code>firestore:rules</code> bereit: Die '
    + 'Schaltfläche funktioniert, und alte Dokumente bleiben liegen.',
  'chapter.your-app.code.recipe.create': 'Leg den Zähler an, ein einziges Mal. Kein Besucher darf das; der Befehl braucht darum ein Token von dir, das dir <code>gcloud</code> für eine Stunde gibt '
    + '(<a>cloud.google.com/sdk</a>). Oder von Hand in der Konsole: eine Sammlung <code>posts</code>, darin ein Dokument <code>p1</code>, darin ein Feld '
    + '<code>num_shards</code> vom Typ Zahl: {shards, number}.',
  'chapter.your-app.code.recipe.create-there': 'Leg im ersten Terminal den Zähler an, ein einziges Mal. Kein Besucher darf das, aber im Terminal erlaubt dir der Emulator alles. Kommt keine Antwort, dann sind die Emulatoren noch nicht bereit.',
  'chapter.your-app.code.recipe.start': 'Starte die App, öffne die Adresse, die sie ausgibt, und drück auf die Schaltfläche. Ein anderer Browser ist ein anderer Nutzer.{banner, select, yes { Firebase zeigt ein rotes Banner „Running in emulator mode“, wenn sich Nutzer am Emulator anmelden.} other {}}',
  'chapter.your-app.code.task.vote': 'Lass jeden Nutzer nur einmal abstimmen.',
  'chapter.your-app.connect.title': 'Probier es aus',
  'chapter.your-app.connect.text': 'Das ist die Schaltfläche aus dem Code unten. Sie zählt im Firestore auf dieser Seite, das keine Regeln prüft, bis du sie mit dem Emulator von Google oder mit deinem '
    + 'eigenen Projekt verbindest.\n\nNach den Regeln des letzten Schritts kann keine Seite den Zähler anlegen. Leg ihn dort so an, wie dieser Schritt es beschreibt.',
  'chapter.your-app.connect.task.counted': 'Lass 10 Likes zählen. Wenn jeder Nutzer nur ein Like hat, lass deines zählen. Warte, bis kein Like mehr unterwegs ist.',
  'unit.shards': '{count, plural, one {# Shard} other {# Shards}}',
  'knob.users': 'Personen',
  'knob.shards': 'Shards',
  'knob.shards.idle': 'Vor der Zeit steht kein Shard: Die Zahl der Shards ändert nichts.',
  'knob.index': 'Indexierte Felder',
  'knob.index.time': 'Nur die Zeit',
  'knob.index.shard': 'Ein Shard, dann die Zeit',
  'knob.index.both': 'Ein Shard, dann die Zeit; dazu wie bisher nur die Zeit',
  'knob.method': 'Wie IDs entstehen',
  'knob.method.transaction': 'In einer Transaktion mit einem Dokument',
  'knob.method.sum': 'Aus der Summe der Shards',
  'knob.method.blocks': 'In Blöcken',
  'knob.writes': 'Erhöhungen pro Sekunde',
  'knob.readers': 'Leser: Jeder liest etwa einmal pro Sekunde',
  'knob.access': 'Wer zählen darf',
  'knob.access.one-like': 'Ein Like: jeder Nutzer einmal, und es lässt sich zurücknehmen',
  'knob.access.public': 'Alle, beliebig oft',
  'knob.access.signed-in': 'Angemeldete Nutzer, beliebig oft',
  'knob.access.one-vote': 'Eine Stimme: jeder Nutzer einmal, für immer',
  'knob.where': 'Wo die App läuft',
  'knob.where.project': 'In deinem eigenen Firebase-Projekt',
  'knob.where.emulator': 'Auf diesem Rechner, mit den Emulatoren von Google: ohne Konto',
  'knob.lost': 'Wie viele von 100 Antworten verloren gehen',
  'knob.events': 'Ereignisse pro Sekunde',
  'knob.split': 'Sekunden, bis sich ein heißes Tablet teilt',
  'knob.documents': 'Dokumente in der Sammlung',
  'knob.block': 'IDs pro Block',
  'knob.block.idle': 'Nur Blöcke haben eine Größe.',
  'knob.shards.transaction': 'Eine Transaktion benutzt ein einzelnes Dokument: Die Zahl der Shards ändert nichts.',
  'knob.units': 'Tickets',
  'code.shell': 'Im Terminal',
  'code.html': 'index.html',
  'code.page': 'src/main.js',
  'code.configuration': 'firebase.json',
  'code.rules': 'firestore.rules',
  'code.indexes': 'firestore.indexes.json',
  'code.note.one-document': 'Ein Dokument zählt die Likes aller Leser.',
  'code.note.readers': 'Sechs Leser drücken gleichzeitig. Jeder Druck ist ein eigener Commit.',
  'code.note.marker': 'Jeder Commit schreibt auch einen Marker. Kapitel 5 erklärt ihn.',
  'code.note.connect': 'Das letzte Kapitel zeigt, wo du diese Werte findest.',
  'code.note.every-shard': 'jeder Shard',
  'code.note.server': 'der Server addiert',
  'code.note.shared': 'eine Gesamtzahl, die sich alle Leser teilen',
  'code.note.exactly-once': 'Genau einmal: Jeder Commit legt einen Marker an. Das sind zwei Schreibvorgänge.',
  'code.note.at-least-once': 'Ein zweiter Zähler, mindestens einmal: ein Schreibvorgang weniger.',
  'code.note.twice': 'Geht eine Antwort verloren, zählt ihre Erhöhung vielleicht doppelt.',
  'code.note.lose': 'Ab hier gehen alle Antworten verloren.',
  'code.note.back': 'Nach einer halben Sekunde kommen wieder Antworten an.',
  'code.note.timestamp': 'nach dem Zeitstempel',
  'code.note.handled': 'Die Seite zeigt den Fehler an, also braucht das Element es nicht zu tun.',
  'shard-grid.summary': '{shards, plural, one {# Shard übernimmt alle Schreibvorgänge} other {# Shards übernehmen im Schnitt je {writes, plural, one {# Schreibvorgang} other {# Schreibvorgänge}} pro Sekunde}}.',
  'shard-grid.shards': 'Shards',
  'shard-grid.writes': 'Schreibvorgänge pro Sekunde und Shard',
  'price-bars.summary': 'Die Kosten eines Monats, jeder Weg für sich: Erhöhungen auf zwei Wegen, Gesamtzahlen auf zwei Wegen.',
  'price-bars.what': 'Vorgang',
  'price-bars.reads': 'Lesevorgänge im Monat',
  'price-bars.writes': 'Schreibvorgänge im Monat',
  'price-bars.dollars': 'Preis',
  'price.exactly-once': 'Erhöhungen, genau einmal: jede mit Marker',
  'price.at-least-once': 'Erhöhungen, mindestens einmal',
  'price.sum': 'Gesamtzahlen, vom Server addiert',
  'price.shards': 'Gesamtzahlen, aus jedem Shard',
  'like.press': 'Gefällt mir',
  'like.create': 'Zähler anlegen',
  'like.denied': 'Die Sicherheitsregeln lehnen das ab. Nach den Regeln des vorigen Schritts darf keine Seite den Zähler anlegen, und nur ein Nutzer darf zählen. Leg den Zähler so an, wie dieser Schritt es beschreibt, und verbinde dich mit dem ID-Token eines Nutzers.',
  'like.denied.public': 'Die Sicherheitsregeln lehnen das ab. Nach den Regeln des vorigen Schritts darf keine Seite den Zähler anlegen. Leg ihn so an, wie dieser Schritt es beschreibt.',
  'like.created': 'Der Zähler ist angelegt, mit {count, plural, one {# Shard} other {# Shards}}. Nach den Regeln des vorigen Schritts kann vorher '
    + 'niemand zählen; ohne Regeln können es alle.',
  'like.kept': 'Der Zähler ist schon da, mit {count, plural, one {# Shard} other {# Shards}}.',
  'like.state.loading': 'Die Gesamtzahl wird geladen…',
  'like.state.live': 'Live. Unterwegs: {pending}.',
  'like.state.offline': 'Kein Netz. Unterwegs: {pending}.',
  'like.state.error': 'Die Gesamtzahl kann nicht gelesen werden. Unterwegs: {pending}.',
  'like.element.pending': 'Wird gespeichert…',
  'like.element.offline': 'Kein Netz: Diese Zahl kann veraltet sein.',
  'like.element.error': 'Die Gesamtzahl kann nicht gelesen werden: Diese Zahl kann veraltet sein.',
  'like.app.title': 'Like-Schaltfläche',
  'like.app.refused': 'Vielleicht gibt es keinen Zähler posts/p1: Leg ihn an. Wenn es ihn gibt, lehnen die Regeln das ab.',

  'lanes.waiting': 'warten',
  'lanes.again': 'warten, noch einmal gesendet',
  'lanes.done': 'gezählt',
  'lanes.refused': 'abgelehnt',
  'lanes.pausing': 'machen Pause vor dem nächsten Versuch',
  'lanes.shard': 'Dokument',
  'lanes.count': 'Stand',
  'lanes.summary': 'Nach {time}: {asked, plural, one {# Erhöhung} other {# Erhöhungen}} gewünscht, {counted, number} gezählt. {waiting, plural, '
    + 'one {# Anfrage wartet} other {# Anfragen warten}}, {pausing, plural, one {# macht} other {# machen}} Pause vor dem nächsten Versuch, '
    + '{failed, plural, one {# ist} other {# sind}} endgültig gescheitert.',
  'series.counter': 'Erhöhungen bisher',
  'series.rate': 'Erhöhungen pro Sekunde',
  'series.documents': 'Dokumente pro Sekunde',
  'series.ids': 'IDs bisher',
  'series.asked': 'gewünscht',
  'series.counted': 'gezählt',
  'series.written': 'geschrieben',
  'series.given': 'vergeben',
  'series.duplicates': 'doppelt vergeben',
  'series.time': 'Zeit',
  'series.value': '{label} {n, number}',
  'series.summary': '{title} nach {time}: {values}.',
  'tablets.title': 'Index: {index}',
  'tablets.section': 'Shard {shard}',
  'tablets.legend': '▼ wohin neue Einträge gehen. Zahl und Füllung: Schreibvorgänge pro Sekunde, die von einem Tablet verlangt werden. Rot: heiß.',
  'tablets.index': 'Index',
  'tablets.shard': 'Shard',
  'tablets.range': 'Zeitraum',
  'tablets.load': 'Gewünschte Schreibvorgänge pro Sekunde',
  'tablets.summary': 'Nach {time} hat der Index „{index}“ {tablets, plural, one {# Tablet} other {# Tablets}}; {hot, plural, =0 {keines ist heiß} one '
    + '{# ist heiß} other {# sind heiß}}. Das am stärksten belastete soll {load, plural, one {# Schreibvorgang} other {# Schreibvorgänge}} pro '
    + 'Sekunde aufnehmen.',
  'ids.numbers': '{given, plural, one {# ID vergeben} other {# IDs vergeben}}, davon {duplicates, plural, =0 {keine} one {#} other {#}} doppelt',
  'ids.summary': 'Nach {time}: {given, plural, one {# ID vergeben} other {# IDs vergeben}}, davon {duplicates, plural, =0 {keine} one {#} other '
    + '{#}} doppelt.',
  'ids.again': '{owners, number}. Besitzer',
  'ids.id': 'ID',
  'ids.owners': 'Besitzer Nr.',
  'ways.shards': 'Jeden Shard lesen',
  'ways.sum': 'Der Server addiert',
  'ways.shared': 'Eine geteilte Gesamtzahl',
  'ways.reads': '{reads, plural, one {# Lesevorgang} other {# Lesevorgänge}}',
  'ways.way': 'Weg',
  'ways.totals': 'Gesamtzahlen',
  'ways.billed': 'Abgerechnete Lesevorgänge',
  'ways.each': 'Lesevorgänge pro Gesamtzahl',
  'ways.summary': 'Abgerechnete Lesevorgänge nach {time}: {shards, number}, wenn jeder Shard gelesen wird; {sum, number}, wenn der Server addiert; {shared, number} mit einer geteilten Gesamtzahl.',

  'unit.likes': '{count, plural, one {# Like} other {# Likes}}',
  'unit.increments-per-second': '{count, plural, one {# Erhöhung pro Sekunde} other {# Erhöhungen pro Sekunde}}',
  'unit.documents-per-second': '{count, plural, one {# Dokument pro Sekunde} other {# Dokumente pro Sekunde}}',
  'unit.reads': '{count, plural, one {# Lesevorgang} other {# Lesevorgänge}}',
  'unit.duplicates': '{count, plural, one {# doppelt vergebene ID} other {# doppelt vergebene IDs}}',
  'unit.shard-values': '{count, plural, one {# Shard-Wert} other {# Shard-Werte}}',
  'unit.unused-ids': '{count, plural, one {# ungenutzte ID} other {# ungenutzte IDs}}',
  'unit.ms': '{ms}\u00a0ms',
  'unit.seconds': '{seconds}\u00a0s',
  'unit.minutes': '{minutes}\u00a0min',
  'unit.minutes-seconds': '{minutes}\u00a0min {seconds}\u00a0s',
  'unit.bytes': '{bytes, number}\u00a0B',
  'unit.kilobytes': '{kilobytes}\u00a0kB',

  'state.closed': 'Nicht verbunden',
  'state.connecting': 'Verbinde mit {host}…',
  'state.connected': 'Verbunden mit {host}',
  'state.silent': 'Keine Antwort von {host}',
  'state.failed': 'Nicht verbunden',
  'place.embedded': 'dem Firestore auf dieser Seite',
  'meter.reads': '{count, plural, one {Lesevorgang} other {Lesevorgänge}}',
  'meter.writes': '{count, plural, one {Schreibvorgang} other {Schreibvorgänge}}',

  'connect.title': 'Verbindung',
  'connect.about': 'Verbinde dich mit dem Firestore auf dieser Seite, mit dem Emulator von Google oder mit deinem eigenen Projekt.',
  'connect.kind': 'Wo dein Firestore ist',
  'connect.embedded': 'Auf dieser Seite',
  'connect.emulator': 'Emulator von Google',
  'connect.project': 'Firebase-Projekt',
  'connect.host': 'Host und Port',
  'connect.host.hint': '<code>scripts/emulator run --port 8080</code> startet einen.',
  'connect.host.wrong': 'Gib Host und Port ein, zum Beispiel 127.0.0.1:8080.',
  'connect.project-id': 'Projekt-ID',
  'connect.project-id.missing': 'Gib die ID deines Projekts ein. Der Emulator nimmt jede, zum Beispiel demo.',
  'connect.database-id': 'Datenbank',
  'connect.api-key': 'Web-API-Schlüssel',
  'connect.api-key.hint': 'Du findest ihn in den Projekteinstellungen. Er bleibt auf dieser Seite.',
  'connect.id-token': 'ID-Token (optional)',
  'connect.id-token.hint': 'Gib das Token eines angemeldeten Nutzers ein, wenn deine Regeln das verlangen. In deiner App liefert es <code>await '
    + 'auth.currentUser.getIdToken()</code>. Es bleibt auf dieser Seite.',
  'connect.submit': 'Verbinden',
  'connect.change': 'Ändern',
  'connect.summary.closed': 'Nichts wird gesendet, bevor du dich verbindest.',
  'connect.summary.failed': 'Es besteht keine Verbindung.',
  'connect.summary.connecting': 'Warte auf eine erste Antwort von {host}…',
  'connect.summary.unkept': 'Verbunden mit dem Firestore auf dieser Seite: kein Netz, kein Konto. Dieser Browser erlaubt der Seite nicht, Daten zu '
    + 'speichern: Was du speicherst, ist weg, wenn du sie schließt.',
  'connect.summary.embedded': 'Verbunden mit dem Firestore auf dieser Seite: kein Netz, kein Konto. Was du speicherst, bleibt in diesem '
    + 'Browser, und alle Tabs dieser Seite teilen es sich.',
  'connect.summary.emulator': 'Verbunden mit dem Emulator unter {host}, Projekt {project}.',
  'connect.summary.project': 'Verbunden mit dem Projekt {project} unter {host}.',
  'connect.silent.embedded': 'Die letzte Antwort ging verloren.',
  'connect.silent.emulator': 'Auf die letzte Anfrage kam keine Antwort von {host}. Läuft der Emulator nicht mehr? Starte ihn auf demselben Port '
    + 'neu: Die nächste Anfrage findet ihn dann. (Er beginnt ohne Daten.)',
  'connect.silent.project': 'Auf die letzte Anfrage kam keine Antwort von {host}. Ist dieses Gerät online? Die nächste Anfrage zeigt es.',
  'connect.denied': 'Firestore antwortet, aber die Sicherheitsregeln lassen diese Seite {path} nicht lesen. Nimm Pfade, die sie erlauben, oder '
    + 'verbinde dich mit dem ID-Token eines Nutzers, der das darf.',

  'simulator.title': 'Das Firestore auf dieser Seite',
  'simulator.about': 'Ein echtes Firestore hat Grenzen, antwortet spät und manchmal gar nicht. Das Firestore auf dieser Seite auch, so wie du es '
    + 'einstellst.',
  'simulator.limits': 'Die Grenzen von Firestore: etwa ein Schreibvorgang pro Sekunde für ein Dokument, 500 für einen Bereich eines Index',
  'simulator.latency': 'Antworten dauern',
  'simulator.latency.value': 'bis zu {ms}',
  'simulator.lost': 'Verlorene Antworten',
  'simulator.documents': 'Dokumente',
  'simulator.price': 'Preis',
  'simulator.waited': 'mussten warten',
  'simulator.aborted': 'abgelehnt',
  'simulator.reset': 'Alle Daten löschen',
  'simulator.reset.done': 'Alle Daten sind gelöscht. Die Messung beginnt wieder bei null.',
  'hot.title': 'Wo Schreibvorgänge warten',
  'hot.none': 'Kein Schreibvorgang wartet. Wähle bei einem Zähler mit einem Shard „Vor dem Schreiben prüfen“, drück oft auf +1 und sieh wieder nach.',
  'hot.off': 'Die Grenzen sind ausgeschaltet, also wartet kein Schreibvorgang.',
  'hot.documents': 'Dokumente, auf die ein Schreibvorgang warten müsste',
  'hot.document': 'Dokument',
  'hot.wait': 'Wartezeit',
  'hot.tablets': 'Bereiche von Indexen, in die geschrieben wird',
  'hot.tablet': 'Bereich eines Index',
  'hot.tablet.all': '{index}',
  'hot.tablet.from': '{index}, ab {start}',
  'hot.rate': 'Schreibvorgänge pro Sekunde',
  'hot.rate.value': '{rate} von {most, number}',

  'counter.title': 'Verteilter Zähler',
  'counter.about': 'Ein Dokument schafft etwa einen Schreibvorgang pro Sekunde. Ein verteilter Zähler besteht aus vielen Dokumenten, seinen Shards: Jede '
    + 'Erhöhung geht an einen zufälligen Shard, und die Gesamtzahl ist die Summe aller.',
  'counter.path': 'Pfad',
  'counter.layout': 'Aufbau',
  'counter.shards': 'Shards',
  'counter.shards.hint': 'Je etwa ein Schreibvorgang pro Sekunde.',
  'counter.delivery': 'Wenn eine Antwort verloren geht',
  'counter.create': 'Zähler anlegen',
  'counter.created': '<code>{path}</code> mit {count, plural, one {# Shard} other {# Shards}} angelegt, in einem einzigen atomaren Commit.',
  'counter.kept': '<code>{path}</code> gibt es schon, mit {count, plural, one {# Shard} other {# Shards}}. Der Stand ist geblieben.',
  'counter.increment': '+1',
  'counter.increment-10': '+10',
  'counter.delta': 'Betrag',
  'counter.delta.wrong': 'Gib eine Zahl ein, zum Beispiel {whole, number}, {negative, number} oder {fraction, number}.',
  'counter.add': 'Addieren',
  'counter.follow': 'Gesamtzahl nach Erhöhungen lesen (1 Lesevorgang)',
  'counter.pending': 'Unterwegs: {pending}',
  'counter.read-sum': 'Gesamtzahl lesen',
  'counter.read-shards': 'Jeden Shard lesen',
  'counter.read-shared': 'Geteilte Gesamtzahl lesen',
  'counter.reads': '{count, plural, one {# Lesevorgang} other {# Lesevorgänge}}',
  'counter.reads.each': 'je 1',
  'counter.care': 'Pflege',
  'counter.live': 'Gesamtzahl live verfolgen: höchstens 1 Lesevorgang pro Sekunde',
  'counter.stats': 'Wie sich die Last verteilt',
  'counter.stats.result': 'Commits, die diese Seite gesendet hat: {attempts, number}. Davon trafen {aborted, number} am selben Shard auf andere. Zahl der Shards, die Shardline vorschlägt: {suggested, number}.',
  'counter.resize': 'Auf die Shard-Zahl oben umstellen',
  'counter.resized': '<code>{path}</code> hat jetzt {count, plural, one {# Shard} other {# Shards}}; Shardline hat {folded, plural, one {# Dokument} other {# Dokumente}} zu den übrigen Shards addiert. Der Stand ist derselbe.',
  'counter.rules': 'Sicherheitsregeln für solche Zähler',

  'layout.web-sample': 'Web',
  'layout.web-sample.hint': '<code>{path}</code> enthält <code>num_shards</code>; <code>{path}/shards/0</code> und so weiter enthalten <code>count</code>.',
  'layout.mobile-sample': 'Swift, Objective-C, Java, Kotlin',
  'layout.mobile-sample.hint': '<code>{path}</code> enthält <code>numShards</code>; <code>{path}/shards/0</code> und so weiter enthalten <code>count</code>.',
  'layout.node-sample': 'Node.js, Python, C#',
  'layout.node-sample.hint': '<code>{path}/shards/0</code> und so weiter enthalten <code>count</code>; ein übergeordnetes Dokument gibt es nicht.',
  'layout.go-sample': 'Go',
  'layout.go-sample.hint': '<code>{path}/shards/0</code> und so weiter enthalten <code>Count</code>; ein übergeordnetes Dokument gibt es nicht.',
  'layout.php-sample': 'PHP',
  'layout.php-sample.hint': 'Der Pfad ist eine Sammlung: <code>{path}/0</code> und so weiter enthalten <code>Cnt</code>.',
  'layout.ruby-sample': 'Ruby',
  'layout.ruby-sample.hint': 'Der Pfad ist eine Sammlung: <code>{path}/0</code> und so weiter enthalten <code>count</code>.',
  'layout.collection': 'Sammlung von Shards',
  'layout.collection.hint': 'Der Pfad ist eine Sammlung: <code>{path}/0</code> und so weiter enthalten <code>count</code>.',

  'delivery.exactly-once': 'Den Marker suchen',
  'delivery.exactly-once.hint': 'Genau einmal: 2 Schreibvorgänge, weil Shardline neben dem Stand einen Marker schreibt. Wartende Erhöhungen speichert '
    + 'Shardline und sendet sie auch nach dem Neuladen.',
  'delivery.at-least-once': 'Noch einmal senden',
  'delivery.at-least-once.hint': 'Mindestens einmal: 1 Schreibvorgang, kein Lesevorgang. Eine Erhöhung, deren Antwort verloren ging, zählt vielleicht doppelt.',
  'delivery.transaction': 'Vor dem Schreiben prüfen',
  'delivery.transaction.hint': 'Lesen, addieren und schreiben, wenn sich nichts geändert hat: 1 Lesevorgang und 1 Schreibvorgang.',

  'reading.title': 'Gesamtzahl',
  'reading.none': '–',
  'reading.none.hint': 'Noch nicht gelesen.',
  'reading.no-shards': 'Hier gibt es noch keine Shards: Leg den Zähler an oder erhöhe ihn.',
  'reading.sum': 'Eine <code>sum</code> über die Shards, auf dem Server: {count, plural, one {# Lesevorgang} other {# Lesevorgänge}}, {ms}',
  'reading.shared': 'Eine Gesamtzahl, die sich alle teilen, höchstens eine Sekunde alt: {count, plural, one {# Lesevorgang} other {# Lesevorgänge}}, {ms}',
  'reading.renewed': 'Keine geteilte Gesamtzahl war frisch genug, also hat der Server neu addiert: {count, plural, one {# Lesevorgang} other {# Lesevorgänge}}, {ms}',
  'reading.shards': 'Jedes Shard-Dokument, hier addiert: {count, plural, one {# Lesevorgang} other {# Lesevorgänge}}, {ms}',
  'comparison.sum': 'Summe auf dem Server',
  'comparison.shards': 'Jeder Shard',
  'comparison.reads': '{count, plural, one {# Lesevorgang} other {# Lesevorgänge}}',

  'bars.title': 'Shards',
  'bars.region': 'Der Stand jedes Shards',
  'bars.shard': 'Shard',
  'bars.count': 'Stand',
  'bars.caption': '{count, plural, one {# Shard um {time}} other {# Shards um {time}}}',
  'bars.empty': 'Lies jeden Shard, dann siehst du, wie sich die Erhöhungen verteilt haben.',
  'bars.stale': 'Seitdem gab es weitere Erhöhungen.',

  'instruments.title': 'Zeitstempel mit Shards (fragmentierte Zeitstempel)',
  'instruments.about': 'Ein Index über steigende Zeitstempel schafft etwa 500 Schreibvorgänge pro Sekunde. Mit einem Feld <code>shard</code> an erster Stelle '
    + 'kommen für jeden seiner Werte 500 dazu. Eine Abfrage fragt dann alle Shards zugleich und führt die Antworten zu einer Liste zusammen.',
  'instruments.path': 'Sammlung',
  'instruments.path.hint': 'Aktien und Fonds, wie in der Dokumentation.',
  'instruments.shards': 'Shard-Werte',
  'instruments.shards.hint': 'Eine Liste, oder eine Zahl n für 0 bis n − 1.',
  'instruments.insert-samples': 'Die 3 Beispiele einfügen',
  'instruments.insert-random': '100 zufällige einfügen',
  'instruments.inserted': '{count, plural, one {# Dokument in {ms} eingefügt, in einen zufälligen Shard:} '
    + 'other {# Dokumente in {ms} eingefügt, jedes in einen zufälligen Shard:}}',
  'instruments.times': '× {count, number}',

  'query.title': 'Abfrage',
  'query.commonstock': 'Stammaktien',
  'query.exchange': 'Börse 1',
  'query.currency': 'In US-Dollar',
  'query.direction': 'Reihenfolge',
  'query.desc': 'Neueste zuerst',
  'query.asc': 'Älteste zuerst',
  'query.limit': 'Höchstzahl',
  'query.run': 'Abfragen',

  'plan.title': 'Plan',
  'plan.chunks': 'Chunks',
  'plan.chunks.value': '{count, number} (Shard-Werte: {sizes})',
  'plan.requests': 'Anfragen',
  'plan.reads': 'Lesevorgänge, höchstens',
  'plan.reads.all': 'alle',
  'plan.none': '–',
  'plan.index': 'Index',
  'plan.ascending': '↑',
  'plan.descending': '↓',
  'plan.index-file': 'Für firestore.indexes.json',

  'results.caption': 'Zeilen {first, number} bis {last, number}, aus allen Shards zusammengeführt',
  'results.number': 'Nr.',
  'results.symbol': 'Symbol',
  'results.type': 'Typ',
  'results.exchange': 'Börse',
  'results.price': 'Preis',
  'results.timestamp': 'Zeitstempel (UTC)',
  'results.shard': 'Shard',
  'results.missing': '–',
  'results.none': 'Kein Dokument passt. Hast du die Beispiele eingefügt?',
  'results.no-more': 'Es gibt keine weiteren Dokumente.',
  'results.cost': 'Zeilen {first, number} bis {last, number}: {requests}, {count, plural, one {# Lesevorgang} other {# Lesevorgänge}}, {ms}.',
  'results.requests': '{count, plural, one {# Anfrage} other {# Anfragen}}',
  'results.raw': 'Als JavaScript-Objekte',
  'pager.title': 'Seiten des Ergebnisses',
  'pager.previous': 'Vorige Seite',
  'pager.next': 'Nächste Seite',
  'sequence.title': 'Eindeutige IDs',
  'sequence.about': 'Jeder Shard besitzt eigene IDs, und eine Seite nimmt sich einen Block davon auf einmal. Keine ID wird je doppelt vergeben; was eine Seite nicht braucht, lässt eine Lücke.',
  'sequence.shards.hint': 'Je etwa ein Block pro Sekunde.',
  'sequence.block': 'IDs pro Block',
  'sequence.block.hint': 'Auf einmal geholt, mit einem Commit.',
  'sequence.create': 'Folge anlegen',
  'sequence.created': '<code>{path}</code> mit {count, plural, one {# Shard} other {# Shards}} angelegt.',
  'sequence.kept': '<code>{path}</code> gibt es schon, mit {count, plural, one {# Shard} other {# Shards}}. Die Folge geht nach ihrer letzten ID '
    + 'weiter.',
  'sequence.next': 'Nächste ID',
  'sequence.take': '{count, number} auf einmal nehmen',
  'sequence.given': 'IDs, die diese Seite bekommen hat, die neuesten zuerst',

  'experiments.title': 'Experimente',
  'experiments.about': 'Ein Lasttest mit einem Zähler: bis zu 1.000 Nutzer, jede Sekunde zehn mehr. Jeder addiert zwei Minuten lang immer wieder eins. '
    + 'Die Clients sind die echte Bibliothek, das Firestore ist das auf dieser Seite mit eingeschalteten Grenzen, und die Zeit ist virtuell: Es dauert nur '
    + 'Sekunden.',
  'experiments.choice': 'Wo gezählt wird',
  'experiments.singleDocument': 'Ein Dokument',
  'experiments.singleDocument.about': 'lesen, addieren, schreiben',
  'experiments.tenShards': '10 Shards',
  'experiments.tenShards.about': 'ein zufälliger wird erhöht',
  'experiments.fiftyShards': '50 Shards',
  'experiments.fiftyShards.about': 'ein zufälliger wird erhöht',
  'experiments.run': 'Lasttest starten',
  'experiments.stop': 'Stopp',
  'experiments.progress': 'Fortschritt des Lasttests',
  'experiments.done': '{seconds, number} s Last in {ms}: {count, plural, one {# Erhöhung wurde bestätigt, und sie ist gezählt.} '
    + 'other {# Erhöhungen wurden bestätigt, und jede einzelne ist gezählt.}}',
  'experiments.done.lost': '{seconds, number} s Last in {ms}: {count, plural, one {# Erhöhung wurde bestätigt} '
    + 'other {# Erhöhungen wurden bestätigt}}; {lost, plural, one {# davon wurde nicht gezählt.} other {# davon wurden nicht gezählt.}}',
  'experiments.results': 'Ergebnisse der Lasttests',
  'experiments.throughput': 'Erhöhungen pro Sekunde',
  'experiments.p50': 'Die Hälfte in höchstens',
  'experiments.p95': '95 % in höchstens',
  'experiments.p99': '99 % in höchstens',
  'experiments.retries': 'Neue Versuche',
  'experiments.failed': 'Aufgegeben',
  'experiments.acknowledged': 'Bestätigt',
  'experiments.found': 'Am Ende gezählt',
  'experiments.chart': 'Bestätigte Erhöhungen pro Sekunde',

  'log.title': 'Anfragen',
  'log.about': 'Jede Anfrage dieser Seite und ihre Kosten in Firestore.',
  'log.caption': '{count, plural, one {Die letzte Anfrage} other {Die letzten # Anfragen, die neueste zuerst}}',
  'log.region': 'Protokoll der Anfragen',
  'log.request': 'Anfrage',
  'log.status': 'Status',
  'log.time': 'Zeit',
  'log.size': 'Größe der Antwort',
  'log.reads': 'Abgerechnete Lesevorgänge',
  'log.writes': 'Abgerechnete Schreibvorgänge',
  'log.reads.value': '{count, plural, one {# Lesevorgang} other {# Lesevorgänge}}',
  'log.writes.value': '{count, plural, one {# Schreibvorgang} other {# Schreibvorgänge}}',
  'log.no-answer': 'keine Antwort',
  'log.empty': 'Noch keine Anfragen.',
  'log.clear': 'Leeren',
  'log.total.requests': 'Anfragen',
  'log.total.reads': 'Lesevorgänge',
  'log.total.writes': 'Schreibvorgänge',
  'log.total.deletes': 'Löschvorgänge',
  'log.total.bytes': 'empfangen',

  'error.other': 'Etwas ist schiefgegangen.',
  'error.start': 'Die Bibliothek konnte nicht gestartet werden.',
  'error.invalid-argument': 'Diese Anfrage ist ungültig.',
  'error.permission-denied': 'Die Sicherheitsregeln lassen das nicht zu.',
  'error.unauthenticated': 'Das ID-Token wird nicht angenommen.',
  'error.not-found': 'Das gibt es nicht.',
  'error.already-exists': 'Das gibt es schon.',
  'error.failed-precondition': 'Dafür fehlt noch etwas.',
  'error.resource-exhausted': 'Zu viel auf einmal, oder ein Kontingent ist aufgebraucht.',
  'error.aborted': 'Zu viele Clients haben gleichzeitig in dieselben Dokumente geschrieben.',
  'error.unavailable': 'Keine Antwort von {host}.',
  'error.outcome-unknown': 'Vielleicht hat der Server das ausgeführt, vielleicht nicht.',
  'error.unimplemented': 'Das unterstützt Shardline noch nicht.',
  'error.original': 'In den Worten der Bibliothek (Englisch)',
  'advice.no-answer.embedded': 'Unter „Das Firestore auf dieser Seite“ stellst du ein, wie viele Antworten verloren gehen.',
  'advice.no-answer.emulator': 'Läuft der Emulator dort? Starte ihn mit <code>scripts/demo</code> oder <code>scripts/emulator</code>, prüfe Host '
    + 'und Port und versuch es noch einmal.',
  'advice.no-answer.project': 'Prüfe, ob dieses Gerät online ist und ob keine Browsererweiterung {host} blockiert. Versuch es dann noch '
    + 'einmal.',
  'advice.permission-denied': 'Nimm einen Pfad, den die Regeln erlauben, oder verbinde dich mit dem ID-Token eines Nutzers, der das darf. Sollen '
    + 'angemeldete Nutzer diesen Pfad benutzen dürfen, dann füge in der Firebase-Konsole unter „Firestore Database“, „Regeln“ eine Regel wie '
    + '<code>{rule}</code> hinzu.',
  'advice.unauthenticated': 'ID-Tokens gelten eine Stunde: Hol ein neues und verbinde dich wieder.',
  'advice.resource-exhausted': 'Warte ein wenig. Wenn es so bleibt, sieh dir die Kontingente des Projekts an.',
  'advice.aborted': 'Versuch es noch einmal; mit mehr Shards passiert es seltener.',
  'advice.outcome-unknown': 'Lies die Gesamtzahl, bevor du es noch einmal versuchst.',
  'advice.other': 'Das ist ein Fehler der Seite oder der Bibliothek. Lade die Seite neu, und melde ihn bitte, wenn er wieder auftritt.',

  'reason.argument-not-allowed': 'Dieser Wert von <code>{argument}</code> ist nicht erlaubt.',
  'reason.argument-missing': '<code>{argument}</code> fehlt.',
  'reason.argument-unknown': 'Die Option <code>{argument}</code> gibt es nicht.',
  'reason.argument-unreadable': '<code>{argument}</code> lässt sich nicht lesen.',
  'reason.arguments-conflict': '<code>{argument}</code> und <code>{other}</code> passen so nicht zusammen.',
  'reason.path-not-allowed': 'Diesen Pfad nimmt Firestore nicht, oder nicht an dieser Stelle.',
  'reason.field-not-allowed': 'Diesen Feldnamen nimmt Firestore nicht.',
  'reason.value-not-allowed': 'Das Feld <code>{field}</code> kann diesen Wert nicht haben.',
  'reason.document-too-large': 'Das Dokument ist größer als 1 MiB.',
  'reason.document-lacks-order-field': 'Dem Dokument fehlt das Feld <code>{field}</code>: Ohne das fände es keine Abfrage.',
  'reason.request-too-large': 'Das ist mehr, als in eine Anfrage passt.',
  'reason.increment-too-large': 'Die Erhöhung ist zu groß für einen Commit.',
  'reason.query-filter-not-allowed': 'Diesen Filter auf <code>{field}</code> unterstützt Firestore nicht.',
  'reason.query-order-not-allowed': 'Diese Sortierung unterstützt Firestore nicht.',
  'reason.query-cursor-not-allowed': 'Dort kann die Abfrage nicht anfangen oder enden.',
  'reason.query-aggregation-not-allowed': 'Diese Abfrage lässt sich nicht zählen oder summieren.',
  'reason.query-too-large': 'Die Abfrage hat mehr Filter oder Werte, als Firestore nimmt.',
  'reason.token-of-another-query': 'Diese Seite gehört nicht zu dieser Abfrage: Lies von vorn.',
  'reason.index-file-unreadable': 'Das ist keine Indexdatei der Firebase CLI.',
  'reason.rules-file-unreadable': 'Das ist keine Datei mit Sicherheitsregeln für Firestore.',
  'reason.index-link-unreadable': 'Dieser Text enthält keinen lesbaren Link zu einem fehlenden Index.',
  'reason.counter-not-found': 'Unter <code>{path}</code> gibt es keinen Zähler. Leg ihn zuerst an.',
  'reason.counter-exists': 'Unter <code>{path}</code> gibt es schon einen Zähler.',
  'reason.counter-of-another-layout': 'Der Zähler unter <code>{path}</code> hat einen anderen Aufbau: Im Feld <code>{field}</code> steht etwas anderes.',
  'reason.counter-full': 'Ein Shard hat die größte Zahl erreicht, die er fassen kann. Der Überschuss wurde nicht gezählt.',
  'reason.total-too-large': 'Die Gesamtzahl ist größer, als eine Zahl aus 64 Bit sein kann.',
  'reason.resize-overruled': 'Jemand anders hat inzwischen eine andere Zahl von Shards gewählt. Dabei bleibt es.',
  'reason.ids-not-found': 'Unter <code>{path}</code> gibt es keine Folge von IDs. Leg sie zuerst an.',
  'reason.ids-path-taken': 'Unter <code>{path}</code> liegt etwas anderes oder der Rest einer Folge von IDs. Wähle einen anderen Pfad.',
  'reason.ids-too-many-shards': 'Die Folge von IDs wurde für weniger Shards angelegt.',
  'reason.ids-damaged': 'Jemand hat <code>{document}</code> gelöscht oder geändert. Neu angelegt würde es IDs wiederholen.',
  'reason.ids-used-up': 'Die Folge von IDs ist am Ende: Größere Zahlen passen nicht in 64 Bit.',
  'reason.ids-perhaps-lost': 'Beim Holen von IDs kam keine Antwort. Einige können verloren sein, keine wird doppelt vergeben: Versuch es noch einmal.',
  'reason.too-much-contention': 'Andere haben immer wieder in dieselben Dokumente geschrieben.',
  'reason.document-not-found': 'Dieses Dokument gibt es nicht.',
  'reason.server-refused': 'Der Server hat die Anfrage abgelehnt: <code>{status}</code>.',
  'reason.answer-unreadable': 'Geantwortet hat etwas anderes als Firestore, oder die Antwort lässt sich nicht lesen (HTTP {http}).',
  'reason.no-network': 'Der Server war nicht zu erreichen, oder die Verbindung brach ab.',
  'reason.timed-out': 'Der Server hat nicht rechtzeitig geantwortet.',
  'reason.page-too-large': 'Diese Seite der Ergebnisse ist größer als 64 MiB: Frag nach weniger Dokumenten auf einmal.',
  'reason.write-in-doubt': 'Die Antwort auf einen Schreibvorgang ging verloren: Vielleicht wurde er ausgeführt, vielleicht nicht.',
  'reason.increment-in-doubt': 'Vielleicht wurde die Erhöhung gezählt, vielleicht nicht.',
  'reason.token-not-given': 'Es gibt kein brauchbares Token: <code>{function}</code>.',
  'reason.closed': 'Die Verbindung ist geschlossen.',
  'reason.increments-not-sent': 'Wartende Erhöhungen können zurzeit nicht gesendet werden.',
  'reason.module-not-loaded': '<code>{file}</code> konnte nicht geladen und gestartet werden.',
  'reason.module-crashed': 'Das WebAssembly-Modul ist abgestürzt, wahrscheinlich aus Mangel an Speicher. Es wird neu gestartet.',
  'reason.memory-full': 'Es ist kein Speicher mehr frei.',
  'reason.storage-not-readable': 'Der Speicher des Browsers lässt sich nicht lesen.',
  'reason.storage-not-writable': 'Der Browser speichert hier nichts: Erhöhungen, die nicht gesendet sind, gehen verloren, wenn du die Seite schließt.',
  'reason.storage-altered': 'Gespeicherte Erhöhungen lassen sich nicht lesen: Etwas anderes hat sie verändert.',
  'reason.internal-fault': 'Das ist ein Fehler der Bibliothek oder eines Dienstes zwischen ihr und dem Server.',
  'reason.result-in-doubt': 'Beim Schreiben ist ein Fehler aufgetreten: Vielleicht wurde der Schreibvorgang ausgeführt, vielleicht nicht.',
  'reason.worker-not-started': 'Der Worker <code>{file}</code> konnte nicht gestartet werden oder ist ausgefallen.',
  'reason.storage-missing': 'Dieser Browser kann hier nichts speichern: Dafür braucht es <code>https://</code> oder <code>localhost</code>.',
  'reason.kept-data-unreadable': 'Die unter „{name}“ gespeicherten Daten lassen sich nicht lesen.',
  'reason.taken-over': 'Das Firestore dieser Seite läuft jetzt in einem anderen Tab.',
};
