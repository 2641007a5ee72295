// Spanish. en.js is the source, and explains the marks.

export const messages = {
  'page.title': 'Shardline: más allá de los dos límites de escritura de Firestore',
  'page.name': 'Shardline',
  'page.title.view': '{view} – Shardline',
  'page.skip': 'Ir al contador',
  'page.skip.main': 'Ir al contenido',
  'page.language': 'Idioma:',
  'page.heading': 'Más allá de los dos límites de escritura de Firestore',

  'contents.title': 'Contenido',
  'contents.intro': 'Firestore escribe rápido, pero no en todas partes: un solo documento admite cerca de una escritura por segundo, y un solo rango de un índice, unas 500. '
    + 'Una app que crece choca con los dos límites.\n\nEn estos capítulos primero rompes algo y luego lo arreglas. Lo que se mueve es real: la misma biblioteca '
    + 'que usaría tu app, sobre un Firestore que funciona dentro de esta página. No hay que instalar nada ni tener una cuenta. Cada capítulo te llevará unos cinco minutos.',
  'contents.race': 'Mil personas pulsan «Me gusta» a la vez: un documento cuenta más o menos un «Me gusta» por segundo, y diez fragmentos cuentan unos diez.',
  'contents.begin': 'Empezar',
  'contents.done': '(hecho)',
  'contents.reference': 'Referencia de la API',
  'contents.forget': 'Borrar mi progreso',
  'chapter.number': 'Capítulo {n, number}',
  'steps.title': 'Pasos de este capítulo',
  'load-failure.title': 'Esta parte del tutorial no se ha cargado',
  'load-failure.text': 'Puede que no haya conexión de red, o que ya haya una versión más reciente del tutorial.',
  'load-failure.reload': 'Volver a cargar la página',
  'pager.steps': 'Anterior y siguiente',
  'pager.back': 'Anterior',
  'pager.forward': 'Siguiente',

  'prediction.title': '¿Qué crees que pasará?',
  'prediction.commit': 'Enviar mi apuesta',
  'prediction.skip': 'Ver sin apostar',
  'prediction.missing-number': 'Escribe un número, por ejemplo, 100.',
  'prediction.missing-choice': 'Primero elige una opción.',
  'prediction.outcome.computed': 'Tu apuesta: <b>{guess}</b>. Respuesta: <b>{answer}</b>.',
  'prediction.answer.computed': 'Respuesta: <b>{answer}</b>.',
  'prediction.outcome': 'Tu apuesta: <b>{guess}</b>. Resultado: <b>{answer}</b>.',
  'prediction.answer': 'Resultado: <b>{answer}</b>.',
  'prediction.kept': 'Apostaste por <b>{guess}</b>. Ejecútalo para ver el resultado.',
  'prediction.awaited': 'Tu apuesta: <b>{guess}</b>. Verás el resultado {when, select, end {al final de la ejecución} other {a los {moment}}}.',
  'prediction.awaited.unguessed': 'Verás el resultado {when, select, end {al final de la ejecución} other {a los {moment} de la ejecución}}.',
  'prediction.elsewhere': '{isGuessed, select, yes {Tu apuesta: <b>{guess}</b>. } other {}}Esta ejecución no tiene los ajustes de la pregunta. Para '
    + 'ver la respuesta, elige otra vez los ajustes de la pregunta.',
  'run.start': 'Ejecutar',
  'run.busy': 'Calculando la ejecución…',
  'run.other-seed': 'Repetir con otra semilla',
  'run.seed': 'El azar decide quién coincide con quién. La semilla, {seed}, está en la dirección de esta página. Abre esa dirección para repetir esta '
    + 'ejecución, o cambia la semilla para ver otra.',
  'stage.more': 'Velocidad, semilla y tablas',
  'stage.curtain': 'Responde primero. La imagen aparece aquí.',
  'picture.table': 'Ver como tabla',
  'player.title': 'Reproductor',
  'player.play': 'Reproducir',
  'player.pause': 'Pausa',
  'player.back': 'Paso atrás',
  'player.forward': 'Paso',
  'player.reset': 'Al principio',
  'player.position': 'Momento de la ejecución',
  'player.speed': 'Velocidad',
  'player.slower': '1/{n, number}×',
  'player.faster': '{n, number}×',
  'player.time': '{now} / {end}',
  'tasks.title': 'Prueba esto',
  'tasks.reached': 'Conseguido:',
  'tasks.state.reached': '(conseguido)',
  'tasks.state.open': '(pendiente)',
  'sandbox.title': 'Prueba libre',
  'sandbox.text': 'Aquí puedes cambiar todos los ajustes de las ejecuciones de este capítulo. La dirección de esta página guarda tus ajustes y la '
    + 'semilla. Copia la dirección, y otra persona verá la misma ejecución.',
  'challenge.title': 'Desafío',
  'challenge.result': 'Tu resultado',
  'challenge.awaited': 'Verás el resultado al final de la ejecución.',
  'challenge.reached': 'Objetivo conseguido.',
  'challenge.missed': 'Objetivo no conseguido.',
  'challenge.best': 'Tu mejor resultado hasta ahora:',
  'code.title': 'Tu código',
  'code.copy': 'Copiar',
  'code.copied': 'Copiado.',
  'code.selected': 'El código está seleccionado. Cópialo con el teclado.',
  'trial.title': 'Ejecutar el código aquí',
  'trial.hint': 'Cambia el código y ejecútalo aquí. <code>db</code> está conectado a <code>firestore</code>, un Firestore de esta página, nuevo en '
    + 'cada ejecución. Una ejecución dura {seconds, plural, one {# segundo} other {# segundos}} como máximo y muestra hasta {count, plural, one {# salida} other {# '
    + 'salidas}}. Ctrl+Intro ejecuta el código y Tab sale del campo.',
  'trial.judged': 'El desafío también valora este código: su factura y el valor que devuelve.',
  'trial.run': 'Ejecutar el código',
  'trial.stop': 'Detener',
  'trial.reset': 'Restablecer el código',
  'trial.output': 'Salida',
  'trial.bill': 'Factura de la ejecución',
  'trial.loading': 'Firestore se está iniciando.',
  'trial.running': 'El código se está ejecutando.',
  'trial.end.done': 'El código ha terminado en {time}.',
  'trial.end.failed': 'El código ha terminado con un error.',
  'trial.end.late': 'El código se ha detenido porque ha tardado más de {seconds, plural, one {# segundo} other {# segundos}}.',
  'trial.end.stopped': 'Has detenido el código.',
  'trial.end.broken': 'El código no ha podido iniciarse. Puede que no haya conexión de red o que el tutorial se haya actualizado. Vuelve a cargar '
    + 'la página.',
  'trial.line': 'Línea {line, number}.',
  'trial.cut': 'Solo se {count, plural, one {muestra la primera salida} other {muestran las primeras # salidas}}.',

  'playground.title': 'Banco de pruebas',
  'playground.about': 'Todos los controles, con el Firestore de esta página, con el emulador de Google o con un proyecto tuyo.',
  'playground.intro': 'Aquí trabaja la biblioteca de verdad, con un Firestore dentro de esta página o con uno tuyo. El historial muestra cada solicitud y '
    + 'lo que cuesta.',

  'chapter.lost-answer.title': 'La respuesta perdida',
  'chapter.lost-answer.about': 'Una app que reintenta puede contar dos veces. Una app que marca cada commit cuenta una sola. El cable lo cortas tú.',
  'chapter.lost-answer.again.title': '¿Reintentar?',
  'chapter.lost-answer.again.text': 'Alguien pulsa «Me gusta» varias veces. Una respuesta se pierde en el camino de vuelta. La app no puede saber si su «Me gusta» '
    + 'se contó: en los dos casos se queda sin respuesta.\n\nLa primera app simplemente lo intenta otra vez. La segunda pone en cada commit un '
    + '<b>marcador</b>: un documento pequeño con un nombre aleatorio, que Firestore crea solo si todavía no existe. Si ya existe, Firestore rechaza el commit '
    + 'entero. Así, un commit cuenta una sola vez, por muchas veces que se envíe. Recorre la ejecución evento por evento.',
  'chapter.lost-answer.again.question': 'La primera app lo intenta otra vez. ¿Qué muestra el contador al final?',
  'chapter.lost-answer.again.choice.less': 'Menos «Me gusta» que pulsaciones',
  'chapter.lost-answer.again.choice.same': 'Tantos «Me gusta» como pulsaciones',
  'chapter.lost-answer.again.choice.more': 'Más «Me gusta» que pulsaciones',
  'chapter.lost-answer.again.result': 'Reintentando: {pressed, plural, one {# pulsación} other {# pulsaciones}}, <b>{counted, plural, one {# contada} other {# '
    + 'contadas}}</b>. Con el marcador: {markerPressed, plural, one {# pulsación} other {# pulsaciones}}, <b>{markerCounted, plural, one {# contada} other {# '
    + 'contadas}}</b>. Cuando falta una respuesta, la segunda app envía el mismo commit otra vez. Si Firestore lo rechaza, la app lee el marcador: existe, así que '
    + 'el «Me gusta» ya se contó.',
  'chapter.lost-answer.again.task.double': 'Mira cómo la primera app cuenta una pulsación dos veces, y la segunda, solo una.',
  'chapter.lost-answer.again.task.refused': 'Mira cómo Firestore rechaza un commit, porque su marcador ya existe.',
  'chapter.lost-answer.again.task.harmless': 'Encuentra un fallo que no haga daño, ni siquiera sin marcador.',
  'knob.fault': 'Fallo',
  'knob.fault.none': 'Ninguno',
  'knob.fault.cut': 'Se pierde la respuesta',
  'knob.fault.lost': 'Se pierde la solicitud',
  'knob.fault.twice': 'La solicitud llega dos veces',
  'knob.fault.late': 'La solicitud llega tarde',
  'knob.request': 'Solicitud afectada',
  'answers.naive': 'Una app que reintenta',
  'answers.marker': 'Una app con marcador',
  'answers.page': 'App',
  'answers.firestore': 'Firestore: el valor del contador',
  'answers.legend': '▼ pulsado, ✓ confirmado, ● contado, ○ sin efecto, ✕ perdido. Línea discontinua: enviado otra vez. Línea fina: lee el marcador.',
  'answers.pressed': 'Pulsado:',
  'answers.counted': 'Contado:',
  'answers.confirmed': 'Confirmado:',
  'answers.summary': '{way}, tras {time}: pulsaciones {pressed, number}, solicitudes enviadas {sent, number}, contadas {counted, number}, confirmadas {confirmed, number}.',
  'answers.column.request': 'Solicitud',
  'answers.column.what': 'Acción',
  'answers.column.sent': 'Enviada',
  'answers.column.arrived': 'Llegada',
  'answers.column.answer': 'Respondida',
  'answers.what.commit': 'sumar 1',
  'answers.what.commit.again': 'sumar 1 otra vez: la solicitud {number, number} no tuvo respuesta',
  'answers.what.read': 'leer el marcador',
  'answers.what.read.again': 'leer el marcador, tras la solicitud {number, number}',
  'answers.arrived.counted': '{time}, contada',
  'answers.arrived.ignored': '{time}, sin efecto',
  'answers.none': 'nunca',

  'chapter.sharded-query.title': 'La consulta fragmentada',
  'chapter.sharded-query.about': 'Shardline pregunta a todos los fragmentos a la vez y combina sus respuestas en una sola lista, en el orden exacto.',
  'chapter.sharded-query.merge.title': 'Chunks y combinación',
  'chapter.sharded-query.merge.text': 'La colección <code>instruments</code> es la misma que en la documentación de Firestore. Cada documento '
    + 'tiene un valor de fragmento al azar, así que «los 10 más recientes» están repartidos por todos los fragmentos.\n\nEl operador '
    + '<code>in</code> de Firestore acepta hasta 30 valores. Por eso Shardline divide los valores de fragmento en grupos, los <b>chunks</b>. Cada '
    + 'chunk es una consulta ordenada por hora, y Shardline combina las respuestas. Si un chunk se agota a mitad de camino, Shardline le pregunta '
    + 'otra vez: eso es una <b>recarga</b>. A cada chunk se le pide su parte de la página y algunos documentos más, porque el azar los reparte de '
    + 'forma desigual.',
  'chapter.sharded-query.merge.question': 'Se pide a dos chunks una página de 10 documentos. ¿Cuántas lecturas factura Firestore?',
  'chapter.sharded-query.merge.result': 'Shardline ha enviado {requests, plural, one {# solicitud} other {# solicitudes}} a {chunks, plural, one '
    + '{# chunk} other {# chunks}} y ha combinado {merged, plural, one {# documento} other {# documentos}}. Firestore factura <b>{reads, plural, '
    + 'one {# lectura} other {# lecturas}}</b>. {over, select, yes {{same, select, yes {La lista es exactamente la que devuelve una sola consulta '
    + 'sin fragmentos.} other {La lista no es la que devuelve una sola consulta.}}} other {}}',
  'chapter.sharded-query.merge.task.tie': 'Mira cómo se combinan dos documentos con la misma hora exacta: busca el «=» en una tarjeta.',
  'chapter.sharded-query.merge.task.one': 'Consigue una página con una sola solicitud y sin una lectura de más.',
  'chapter.sharded-query.merge.task.refill': 'Mira cómo ocurre una recarga. Con más chunks y una página más larga es más probable.',
  'chapter.sharded-query.pages.title': 'La página siguiente',
  'chapter.sharded-query.pages.text': '<code>stream()</code> no pierde ningún documento que haya traído: la página siguiente empieza por ahí y solo pide lo que falta.',
  'chapter.sharded-query.pages.question': '¿Cuántas lecturas factura Firestore por la segunda página de 10 documentos?',
  'chapter.sharded-query.pages.result': '{pages, plural, =0 {Ninguna página completa todavía} one {# página} other {# páginas}}: {merged, plural, '
    + 'one {# documento} other {# documentos}} por <b>{reads, plural, one {# lectura} other {# lecturas}}</b>. {over, select, yes {{same, select, '
    + 'yes {Página a página, es exactamente lo que devuelve una sola consulta.} other {Las páginas no son lo que devuelve una sola consulta.}}} '
    + 'other {}}',
  'chapter.sharded-query.pages.task.cheap': 'Consigue una segunda página por la que Firestore no facture más lecturas que documentos.',
  'chapter.sharded-query.pages.task.last': 'Avanza hasta la última página.',
  'chapter.sharded-query.three-queries.title': 'Las tres consultas de la documentación',
  'chapter.sharded-query.three-queries.text': 'Puedes consultar por tipo, por bolsa o por la moneda del precio. Cada consulta necesita su propio '
    + 'índice, con el fragmento delante. También puedes pedir a cada chunk la página <b>entera</b>. Eso se llama <code>whole-page</code>: nunca '
    + 'necesita una recarga, y es lo que más lecturas cuesta.',
  'chapter.sharded-query.three-queries.result': '{requests, plural, one {# solicitud} other {# solicitudes}}, {merged, plural, one {# documento} other {# documentos}}, '
    + '<b>{reads, plural, one {# lectura} other {# lecturas}}</b>.',
  'chapter.sharded-query.three-queries.task.exchange': 'Consulta una sola bolsa.',
  'chapter.sharded-query.three-queries.task.currency': 'Consulta los precios en dólares estadounidenses.',
  'chapter.sharded-query.three-queries.task.whole-page': 'Descubre cuántas lecturas cuesta pedir a cada chunk la página entera.',
  'chapter.sharded-query.challenge.text': 'Obtén una página de <b>50 documentos con 60 lecturas como máximo</b>. Reparte los documentos entre tantos '
    + 'valores de fragmento como puedas: cada valor de fragmento añade 500 escrituras por segundo.',
  'chapter.sharded-query.challenge.outcome': 'La página de {documents, plural, one {# documento} other {# documentos}} costó <b>{reads, plural, one '
    + '{# lectura} other {# lecturas}}</b>{extra, plural, =0 {. El límite es {most, number}.} one {: # lectura de más.} other {: # lecturas de '
    + 'más.}}',
  'chapter.sharded-query.challenge.code': 'El código devolvió {right, plural, one {# documento} other {# documentos}} de los {limit, number} más '
    + 'recientes y costó <b>{reads, plural, one {# lectura} other {# lecturas}}</b>. El límite es {most, number}.',
  'knob.shard-values': 'Valores de fragmento',
  'knob.limit': 'Documentos por página',
  'knob.pages': 'Páginas',
  'knob.query': 'Consulta',
  'knob.query.type': 'Acciones ordinarias',
  'knob.query.exchange': 'Bolsa 1',
  'knob.query.currency': 'En dólares',
  'knob.chunk-reads': 'Qué se pide a cada chunk',
  'knob.chunk-reads.share': 'Su parte de la página',
  'knob.chunk-reads.whole-page': 'La página entera',
  'merge.chunk': 'Chunk {n, number}: {shards, plural, one {# valor de fragmento} other {# valores de fragmento}}',
  'merge.asked': 'se le piden {count, number}…',
  'merge.asked-all': 'se le piden todos…',
  'merge.asked-more': 'se agotó, se le piden {count, number} más…',
  'merge.answered': 'devolvió {count, number}',
  'merge.result': 'La lista combinada, lo más reciente primero',
  'merge.legend': 'En cada tarjeta: la hora del documento en minutos y segundos y, debajo, su valor de fragmento. «=»: la misma hora que en la '
    + 'tarjeta anterior. Borde discontinuo: ya combinado.',
  'merge.page': 'Página {n, number}',
  'merge.summary': 'Tras {time}: solicitudes enviadas {requests, number}, documentos traídos {fetched, number}, combinados {merged, number}, páginas completas {pages, number}.',
  'merge.column.number': 'N.º',
  'merge.column.time': 'Hora',
  'merge.column.symbol': 'Símbolo',
  'merge.column.shard': 'Fragmento',
  'merge.column.chunk': 'Chunk',
  'merge.column.page': 'Página',

  'chapter.your-indexes.title': 'Tus índices',
  'chapter.your-indexes.about': 'Suelta aquí tu <code>firestore.indexes.json</code>: verás qué índices están calientes y por qué, y tendrás el '
    + 'archivo que lo arregla.',
  'chapter.your-indexes.hot.title': 'Los índices calientes',
  'chapter.your-indexes.hot.text': 'Abajo está el archivo de índices de los valores bursátiles del capítulo anterior. Enumera dos índices '
    + 'compuestos, es decir, de varios campos. Además, Firestore indexa cada campo por separado, aunque ningún archivo lo diga.\n\nUn índice está '
    + '<b>caliente</b> cuando los valores de su primer campo no dejan de crecer: cada entrada nueva va entonces al mismo extremo, que admite unas '
    + '500 escrituras por segundo.',
  'chapter.your-indexes.hot.question': '¿Cuántos índices de esta colección están calientes?',
  'chapter.your-indexes.hot.sandbox': 'Prueba cuántas escrituras por segundo deja pasar un índice caliente',
  'chapter.your-indexes.hot.task.hidden': 'Encuentra un índice caliente que no aparezca en ningún archivo.',
  'chapter.your-indexes.hot.task.mend': 'Cambia el archivo a mano hasta que ningún índice compuesto esté caliente, ni siquiera «quizás caliente»: pon <code>shard</code> delante.',
  'chapter.your-indexes.rewrite.title': 'El archivo que lo arregla',
  'chapter.your-indexes.rewrite.text': 'Nadie tiene que hacerlo a mano. Para cada índice compuesto en el que un campo crece, Shardline añade el mismo con el fragmento delante. Lo hace solo con las colecciones que marques: un índice admite 500 escrituras por segundo, así que las demás no necesitan ningún cambio.\n\nObtienes dos archivos. El primero conserva todos los índices antiguos, porque las consultas sin su índice fallan. Despliega el segundo, sin ellos, cuando ya nadie haga las consultas antiguas.\n\nTambién funciona con tu propio archivo. No sale de esta página.',
  'chapter.your-indexes.rewrite.task.clean': 'Marca una colección y consigue dos archivos; en el segundo ningún índice está caliente.',
  'chapter.your-indexes.rewrite.task.counters': 'Añade las entradas para los contadores distribuidos: una política de TTL borra los marcadores viejos.',
  'chapter.your-indexes.missing.title': 'El índice que falta',
  'chapter.your-indexes.missing.text': 'Una consulta sin su índice falla, y Firestore responde con un enlace que dice qué índice quiere. Míralo '
    + 'antes de hacer clic: quizás pida uno que estaría caliente.',
  'chapter.your-indexes.missing.task.read': 'Lee qué índice pide el error.',
  'unit.hot-indexes': '{count, plural, one {# índice caliente} other {# índices calientes}}',

  'indexes.file.choice': 'Archivo',
  'indexes.file.instruments': 'Valores bursátiles',
  'indexes.file.chat': 'Un chat',
  'indexes.file.own': 'El tuyo',
  'indexes.file': 'firestore.indexes.json',
  'indexes.file.hint': 'Escribe, pega o suelta aquí un archivo. No sale de esta página.',
  'indexes.file.open': 'Abrir un archivo',
  'indexes.file.too-large': 'Este archivo es más grande que cualquier archivo de índices. Elige otro.',
  'indexes.file.unreadable': 'No se puede leer este archivo. Elige otro.',
  'indexes.findings': 'Índices calientes',
  'indexes.findings.count': 'Calientes: {hot, number}. Quizás calientes: {perhaps, number}.',
  'indexes.risk.hot': 'Caliente',
  'indexes.risk.perhaps': 'Quizás caliente',
  'indexes.why.single': 'Firestore indexa cada campo por separado; «•» marca un índice así. Los valores de <code>{field}</code> crecen, así que todas las entradas nuevas van al mismo extremo. Ningún archivo menciona este índice; el paso siguiente muestra cuándo desactivarlo.',
  'indexes.why.first': '<code>{field}</code> va primero y sus valores crecen, así que todas las entradas nuevas van a un extremo de este índice.',
  'indexes.why.behind': 'Los valores de <code>{field}</code> crecen, detrás de <code>{front}</code>. Si la mayoría de los documentos tiene el mismo valor en <code>{front}</code>, todas las entradas nuevas van al mismo sitio.',
  'indexes.perhaps': 'Si los valores crecen:',
  'indexes.candidates': '¿Cuáles de estos campos crecen?',
  'indexes.candidates.hint': 'Sus nombres lo sugieren, pero un nombre no demuestra nada. Marca un campo si sus valores crecen de un documento al siguiente.',
  'indexes.candidate': '<code>{field}</code> en <code>{collection}</code>',
  'indexes.busy': '¿Qué colecciones reciben más de 500 escrituras por segundo?',
  'indexes.busy.hint': 'Marca una colección solo si su campo crece de verdad. Las demás se quedan como están.',
  'indexes.busy.label': '<code>{collection}</code>, donde <code>{field}</code> crece',
  'indexes.ascending': 'ascendente',
  'indexes.descending': 'descendente',
  'indexes.shard-field': 'Campo del fragmento',
  'indexes.shard-field.hint': 'Cada documento nuevo recibe ahí un valor al azar.',
  'indexes.counters': 'Añadir las entradas para los contadores distribuidos',
  'indexes.rewritten': 'Primero: firestore.indexes.json',
  'indexes.rewritten.later': 'Más tarde: firestore.indexes.json sin los índices antiguos',
  'indexes.before-after': 'Calientes o quizás calientes antes: {before, number}. Tras el segundo archivo: {after, number}.',
  'indexes.changes': 'Cambios y motivos',
  'indexes.changes.later': 'Cambios del segundo archivo',
  'indexes.step.queries': 'Consultas: escríbelas con <code>shardedCollection</code> y da un <code>{shard}</code> a cada documento nuevo. Publica ahora las escrituras, y las consultas después del tercer paso.',
  'indexes.step.backfill': 'Documentos existentes: dales un <code>{shard}</code> con <code>backfill()</code>.',
  'indexes.step.indexes': 'Índices: despliega el primer archivo con <code>firebase deploy --only firestore:indexes</code> y espera a que Firestore haya creado los nuevos. Después publica las consultas.',
  'indexes.step.remove': 'Índices antiguos: despliega el segundo archivo cuando ninguna app publicada ni ningún servidor haga ya las consultas '
    + 'antiguas.',
  'indexes.kind.removed': 'Se quita.',
  'indexes.kind.added': 'Se añade.',
  'indexes.kind.exempted': 'Queda exento de indexación.',
  'indexes.change.removed': 'Un campo de este índice crece, y <code>{shard}</code> no está delante.',
  'indexes.change.added': 'Con <code>{shard}</code> delante, las escrituras se reparten en tantos rangos como fragmentos hay.',
  'indexes.change.exempted': 'Un índice solo por este campo estaría caliente o costaría escrituras para nada. Las consultas que ordenan solo por él '
    + 'dejan de funcionar: pregunta a través de <code>shardedCollection</code>.',
  'indexes.change.exempted.own': 'Son documentos propios de Shardline, que no necesitas conocer. Ninguna consulta pregunta solo por un campo así, y '
    + 'su índice costaría escrituras o estaría caliente.',
  'indexes.change.ttl': 'TTL: Firestore borra un documento después de la hora que indica <code>{field}</code>, y para eso no necesita un índice.',
  'indexes.error': 'El error de Firestore',
  'indexes.error.hint': 'Pega el mensaje entero o solo el enlace. La página no envía nada.',
  'indexes.error.sample': 'Usar un ejemplo',
  'indexes.entry': 'Para firestore.indexes.json',
  'indexes.entry.sharded': 'Para más de 500 escrituras por segundo: con el fragmento delante',
  'indexes.entry.asked': 'Como lo pide Firestore',
  'indexes.asks.composite': 'El error pide este índice compuesto:',
  'indexes.asks.single': 'El error pide un índice solo por este campo:',
  'indexes.asks.risk.perhaps': 'El nombre de un campo de este índice sugiere valores que crecen. Si crecen y la colección recibe más de 500 '
    + 'escrituras por segundo, pon delante el campo del fragmento y usa una consulta fragmentada.',
  'indexes.asks.risk.none': 'Ningún campo de este índice parece crecer, así que el índice admite tantas escrituras como necesites.',

  'chapter.one-document.title': 'Un documento, muchas escrituras',
  'chapter.one-document.about': 'Todo el mundo pulsa «Me gusta» a la vez, y un solo documento tiene que contarlo.',
  'chapter.one-document.many-writers.title': 'Mil «Me gusta»',
  'chapter.one-document.many-writers.text': 'Una publicación guarda sus «Me gusta» en un campo de un documento. Cada vez que alguien pulsa el botón, se escribe en ese documento, e <code>increment(1)</code> '
    + 'se encarga de que ninguna pulsación sobrescriba otra.\n\nFirestore hace las escrituras de un mismo documento de una en una, a la larga cerca de una por segundo. También caben unas pocas a la vez.',
  'chapter.one-document.many-writers.question': '1000 personas pulsan «Me gusta» en el mismo momento. ¿Cuántos «Me gusta» se han contado a los 10 segundos?',
  'chapter.one-document.many-writers.result': 'Tras {time}, {asked, plural, one {ha pulsado # persona} other {han pulsado # personas}} y '
    + '<b>{counted, plural, one {se ha contado # «Me gusta»} other {se han contado # «Me gusta»}}</b>. {conflicts, plural, =0 {No se rechazó '
    + 'ninguna solicitud.} one {Se rechazó # solicitud, porque había demasiadas por delante.} other {Se rechazaron # solicitudes, porque había '
    + 'demasiadas por delante.}} {failed, plural, =0 {Nadie ha visto un error.} one {# persona ha visto un error.} other {# personas han visto un '
    + 'error.}}{judged, select, yes {\n\nA los 10 segundos {early, plural, one {iba #} other {iban #}}.} other {}}{over, select, yes {\n\nVolver a '
    + 'escribir enseguida no ayuda: el documento sigue igual de ocupado. Lo que ayuda es tener más documentos.} other {}}',
  'chapter.one-document.many-writers.task.lost': 'Mira cómo alguien pierde su «Me gusta»: deja correr el tiempo hasta que un incremento falle '
    + 'definitivamente.',
  'chapter.one-document.many-writers.task.holds': 'Encuentra un grupo de cinco personas o más en el que se cuenten todos los «Me gusta» en 10 '
    + 'segundos.',

  'chapter.distributed-counter.title': 'El contador distribuido',
  'chapter.distributed-counter.about': 'Reparte la cuenta entre varios documentos, hasta que el contador aguante.',
  'chapter.distributed-counter.turn-up.title': 'Más fragmentos',
  'chapter.distributed-counter.turn-up.text': 'Un <b>contador distribuido</b> guarda su cuenta en varios documentos, los <b>fragmentos</b> (en inglés, shards). Cada incremento va a uno de ellos al azar, y el total es '
    + 'la suma de todos. El doble de fragmentos admite el doble de escrituras.\n\nAquí, 50 personas pulsan «Me gusta» cada segundo, durante 40 segundos.',
  'chapter.distributed-counter.turn-up.question': 'Con 10 fragmentos, ¿cuántas de las 50 pulsaciones por segundo se cuentan?',
  'chapter.distributed-counter.turn-up.result': '{over, select, yes {Con {shards, plural, one {# fragmento} other {# fragmentos}} {counted, '
    + 'plural, one {se contó <b># incremento por segundo</b>} other {se contaron <b># incrementos por segundo</b>}}, de {asked, number} que se '
    + 'pidieron. De cada 20 pulsaciones contadas, 19 tardaron menos de {wait}. {retries, plural, =0 {No hubo que reenviar ninguna solicitud.} one '
    + '{Se reenvió # solicitud.} other {Se reenviaron # solicitudes.}} {failed, plural, =0 {No se perdió ningún incremento.} one {Al final se '
    + 'perdió # incremento.} other {Al final se perdieron # incrementos.}}\n\n{holds, select, yes {El contador aguanta.} nearly {De media, '
    + '{shards, plural, one {# fragmento soporta} other {# fragmentos soportan}} esta carga, pero algunas pulsaciones coinciden en el mismo '
    + 'fragmento y la gente espera demasiado: prueba con más fragmentos.} other {El contador no aguanta: la gente espera demasiado.}} Según la '
    + 'regla de una escritura por segundo y fragmento, esta carga necesita {needed, plural, one {# fragmento} other {# fragmentos}}. Con más '
    + 'fragmentos se acorta la espera cuando el azar envía varias pulsaciones al mismo fragmento.} other {Tras {time}, {pressed, plural, one {ha '
    + 'pulsado # persona} other {han pulsado # personas}} y <b>{done, plural, one {se ha contado # pulsación} other {se han contado # '
    + 'pulsaciones}}</b>.}}',
  'chapter.distributed-counter.turn-up.task.crowded': 'Mira cómo un fragmento rechaza una solicitud porque hay demasiadas delante de ella.',
  'chapter.distributed-counter.turn-up.task.holds': 'Sube el número de fragmentos hasta que el contador aguante: que ninguna pulsación falle y que 19 '
    + 'de cada 20 tarden menos de un segundo.',
  'chapter.distributed-counter.challenge.text': 'Aguanta <b>300 pulsaciones por segundo</b> con el menor número posible de fragmentos: que ninguna '
    + 'pulsación falle y que 19 de cada 20 tarden menos de un segundo.\n\nAquí, 300 personas pulsan «Me gusta» cada segundo, durante 20 segundos.',
  'chapter.distributed-counter.challenge.outcome': 'Con {shards, plural, one {# fragmento} other {# fragmentos}}, {failed, plural, =0 {no falló '
    + 'ninguna pulsación} one {falló # pulsación} other {fallaron # pulsaciones}}, y 19 de cada 20 pulsaciones tardaron menos de {wait}. El objetivo '
    + 'es menos de un segundo.',

  'chapter.reading.title': 'Lo que cuesta leer',
  'chapter.reading.about': 'Leer cada parte de la cuenta, dejar que sume el servidor o compartir un total.',
  'chapter.reading.three-ways.title': 'Tres caminos hacia un número',
  'chapter.reading.three-ways.text': 'La escritura ya está repartida; al leer hay que volver a juntarlo todo. Firestore factura cada documento que se lee.\n\n'
    + 'El ejemplo de Firebase <b>lee cada fragmento</b> y suma. También puede <b>sumar el servidor</b>: eso se factura como una sola lectura para hasta 1000 fragmentos. '
    + 'O todos los lectores <b>comparten un total</b> en un documento aparte, que uno de ellos pone al día cuando tiene más de un segundo. '
    + 'Eso es para contadores de más de 1000 fragmentos: con menos, como aquí, cuesta más que la suma del servidor.\n\n'
    + 'Aquí, cada lector mira el total cerca de una vez por segundo, durante 20 segundos, por los tres caminos a la vez.',
  'chapter.reading.three-ways.question': '50 fragmentos, 20 lectores, 20 segundos: ¿cuántas lecturas se facturan si cada lector lee cada fragmento?',
  'chapter.reading.three-ways.result': 'Por {totals, plural, one {# total} other {# totales}} de {shards, plural, one {# fragmento} other {# '
    + 'fragmentos}}: <b>{all, plural, one {# lectura} other {# lecturas}}</b> si se lee cada fragmento, <b>{sum, number}</b> si suma el servidor, '
    + '<b>{shared, number}</b> con un total compartido.\n\nUn mes así cuesta cerca de <b>{dollarsAll}</b> por el primer camino y '
    + '<b>{dollarsSum}</b> por el segundo. Compartir sale a cuenta con más de 1000 fragmentos: entonces Firestore factura más de una lectura por '
    + 'cada suma.',
  'chapter.reading.three-ways.task.dear': 'Haz que el primer camino cueste 100.000 lecturas en 20 segundos.',
  'chapter.reading.three-ways.task.same': 'Encuentra una configuración en la que leer cada fragmento no cueste más de una lectura por total.',

  'chapter.live.title': 'Totales en vivo',
  'chapter.live.about': 'Quien pregunta paga cada pregunta. Descubre cuándo sale a cuenta escuchar.',
  'chapter.live.ask-or-listen.title': 'Preguntar o escuchar',
  'chapter.live.ask-or-listen.text': 'Otras personas cambian el total mientras tu página lo muestra. Tu página puede <b>preguntar</b> cada '
    + 'pocos segundos. Firestore factura una lectura por cada pregunta, aunque nada haya cambiado. O tu página puede <b>escuchar</b>: '
    + 'entonces el servidor envía cada fragmento que cambia. Firestore factura una vez el primer total y cada fragmento y, después, cada '
    + 'cambio de un fragmento.\n\nSi los cambios llegan demasiado rápido, <code>watch()</code> pregunta cada segundo hasta que vuelven a ser '
    + 'escasos. Con <code>readsPerHour</code> pones <b>un límite</b>: la factura más alta de una hora. Cerca del límite, la página pregunta '
    + 'con menos frecuencia, y su número sigue moviéndose.\n\nAquí una página muestra durante una hora un contador con 10 fragmentos, de '
    + 'tres formas a la vez. Se ejecuta el propio código de Shardline, en tiempo virtual. Un <b>total publicado</b> es aún más barato para '
    + 'un contador con mucho movimiento: la página que lo escucha paga una lectura cada vez que se publica.',
  'chapter.live.ask-or-listen.question': 'Una página muestra durante una hora un contador con 10 fragmentos, y 2 personas por minuto pulsan '
    + '«Me gusta». ¿Cuántas lecturas factura Firestore si la página escucha?',
  'chapter.live.ask-or-listen.result': 'Tras {time}, Firestore ha facturado <b>{ask, plural, one {# lectura} other {# lecturas}}</b> si la '
    + 'página pregunta cada {every, plural, one {segundo} other {# segundos}}, y <b>{listen, plural, one {# lectura} other {# '
    + 'lecturas}}</b> si escucha. Con un límite de {bound, plural, one {# lectura} other {# lecturas}} por hora ha facturado <b>{bounded, '
    + 'plural, one {# lectura} other {# lecturas}}</b>.{seen, select, yes {\n\nEl «Me gusta» más lento apareció al cabo de {askLate} si la '
    + 'página pregunta, de {listenLate} si escucha y de {boundedLate} con el límite.} other {}}{over, select, yes {\n\nSi {people, plural, '
    + 'one {# persona mira} other {# personas miran}} una hora al día, un mes cuesta cerca de <b>{dollarsAsk}</b>, <b>{dollarsListen}</b> y '
    + '<b>{dollarsBounded}</b>.} other {}}',
  'chapter.live.ask-or-listen.task.quiet': 'Deja pasar una hora sin ningún «Me gusta» y compara las lecturas facturadas.',
  'chapter.live.ask-or-listen.task.busy': 'Encuentra una carga con la que una página que escucha pague más que una que pregunta.',
  'chapter.live.ask-or-listen.task.hidden': 'Oculta la pestaña y mira qué forma sigue pagando.',
  'knob.likes': '«Me gusta» por minuto',
  'knob.every': 'Segundos entre preguntas',
  'knob.tab': 'La pestaña',
  'knob.tab.shown': 'A la vista durante toda la hora',
  'knob.tab.hidden': 'Oculta durante el tercio central de la hora',
  'series.reads': 'Lecturas facturadas hasta ahora',
  'code.note.asks': 'pregunta',
  'code.note.listens': 'escucha',
  'code.note.bounded': 'escucha con un límite',
  'live.way.ask': 'La página pregunta',
  'live.way.listen': 'La página escucha',
  'live.way.bounded': 'Escucha con un límite',
  'live.key.shown': '{people, plural, one {# «Me gusta»} other {# «Me gusta»}} en la página',
  'live.key.missing': 'aún no está en la página',
  'live.shown': '{behind, plural, =0 {muestra {shown, number}} one {muestra {shown, number}, falta #} other {muestra {shown, number}, '
    + 'faltan #}}',
  'live.tab': 'La pestaña está oculta.',
  'live.number': 'Número en la página',
  'live.behind': '«Me gusta» que faltan',
  'live.latest': 'El «Me gusta» más lento',
  'live.summary': 'Tras {time}, Firestore ha facturado {ask, plural, one {# lectura} other {# lecturas}} a la página que pregunta, {listen, '
    + 'plural, one {# lectura} other {# lecturas}} a la página que escucha y {bounded, plural, one {# lectura} other {# lecturas}} con el '
    + 'límite.',

  'chapter.hot-range.title': 'El rango caliente',
  'chapter.hot-range.about': 'Por qué una marca de tiempo que crece frena las escrituras, por muchos documentos que haya.',
  'chapter.hot-range.tablets.title': 'Las tablets se llenan y se dividen',
  'chapter.hot-range.tablets.text': 'Cada evento nuevo es un documento aparte, así que ningún documento recibe demasiadas escrituras. Pero Firestore '
    + 'mantiene un <b>índice</b> de cada campo, ordenado por valor, y lo corta en <b>tablets</b>: rangos de claves que admiten unas 500 escrituras '
    + 'por segundo cada uno. Una tablet a la que se le pide más está <b>caliente</b> y, al cabo de un rato, se divide en dos.\n\nUna marca de tiempo '
    + 'siempre crece. Por eso cada entrada nueva va justo al final del índice, a la última tablet, por más veces que se divida.\n\nEl remedio es un '
    + 'campo <code>shard</code> con uno de unos pocos valores, elegido al azar para cada documento. Esta vez no hay documentos aparte: aquí un '
    + 'fragmento es solo un valor en cada evento. Un índice por fragmento y después por marca de tiempo tiene un final para cada uno de esos '
    + 'valores.\n\nAquí llegan 900 eventos cada segundo, durante 20 segundos.',
  'chapter.hot-range.tablets.question': 'La app envía 900 documentos cada segundo. ¿Cuántos documentos por segundo escribe Firestore?',
  'chapter.hot-range.tablets.result': '{over, select, yes {{index, select, time {Con el índice solo por marca de tiempo,} shard {Con el índice por '
    + 'fragmento y marca de tiempo, y {shards, plural, one {# fragmento,} other {# fragmentos,}}} other {Con {shards, plural, one {# fragmento} '
    + 'other {# fragmentos}} y con el viejo índice solo por marca de tiempo todavía en su sitio,}} Firestore escribe <b>{written, plural, one {# '
    + 'documento} other {# documentos}} por segundo</b>, de {asked, number}.} other {Tras {time}: había que escribir {came, plural, one {# '
    + 'documento} other {# documentos}} y <b>{done, plural, one {se ha escrito #} other {se han escrito #}}</b>.}} {tablets, plural, =0 {No hay '
    + 'ningún índice solo por marca de tiempo.} one {El índice solo por marca de tiempo es una única tablet.} other {El índice solo por marca de '
    + 'tiempo tiene ya # tablets, y todas las entradas nuevas van a la última.}}{over, select, yes {\n\n{index, select, time {Dividir no ayuda, '
    + 'porque solo aparta las entradas viejas.} shard {Con un fragmento delante, las entradas nuevas van a varios sitios a la vez, uno por '
    + 'fragmento. Al principio están todos en una sola tablet; en cuanto Firestore la divide entre ellos, cada uno tiene la suya.} other '
    + '{Firestore también escribe en el índice viejo, y todas las escrituras lo esperan. Por eso tiene que desaparecer: exime el campo de la '
    + 'indexación.}}} other {}}',
  'chapter.hot-range.tablets.task.split': 'Con el índice solo por marca de tiempo, mira cómo se divide una tablet y la nueva vuelve a estar caliente.',
  'chapter.hot-range.tablets.task.old-index': 'Pon un fragmento delante y deja el índice viejo en su sitio: comprueba que no ayuda.',
  'chapter.hot-range.tablets.task.spread': 'Haz pasar más de 800 documentos por segundo.',
  'chapter.hot-range.challenge.text': 'Haz pasar <b>2000 eventos por segundo</b> con el menor número posible de fragmentos: que Firestore escriba al '
    + 'menos 1900 documentos por segundo, de media durante 15 segundos.\n\nEn esta ejecución, Firestore divide una tablet caliente antes que en el '
    + 'primer paso, para que no tengas que esperar mucho.',
  'chapter.hot-range.challenge.outcome': 'Firestore escribió <b>{written, plural, one {# documento} other {# documentos}} por segundo</b>.{missing, '
    + 'plural, =0 {} one { Falta # documento por segundo para el objetivo.} other { Faltan # documentos por segundo para el objetivo.}}',

  'chapter.ids.title': 'Los ID bajo carga',
  'chapter.ids.about': 'Números para 1000 usuarios: lentos, equivocados o en bloques.',
  'chapter.ids.three-ways.title': 'Tres caminos hacia el número siguiente',
  'chapter.ids.three-ways.text': 'Un equipo quería numerar sus registros y lo probó con 1000 usuarios, diez más cada segundo, durante dos minutos.\n\n'
    + '<b>Una transacción</b> lee un contador, le suma uno y lo escribe. <b>La suma de los fragmentos</b> incrementa uno de 50 fragmentos y toma como ID la suma de todos. '
    + '<b>Los bloques</b> toman 50 ID de golpe de uno de 50 fragmentos, cada uno dueño de sus propios ID.',
  'chapter.ids.three-ways.question': 'El ID es la suma de 50 fragmentos. ¿Cuántas veces recibe un usuario un ID que ya tiene otro?',
  'chapter.ids.three-ways.result': '{method, select, transaction {En transacciones} sum {Con la suma de los fragmentos} other {En bloques}}: '
    + '<b>{given, plural, one {# ID} other {# ID}}</b> hasta ahora, <b>{duplicates, plural, =0 {ninguno repetido} one {# de ellos repetido} other {# '
    + 'de ellos repetidos}}</b>.{over, select, yes { En los dos minutos de carga, los usuarios recibieron {rate, plural, one {# ID} other {# ID}} por segundo, y '
    + '{failed, plural, =0 {todas las solicitudes obtuvieron un ID} one {falló # solicitud de ID} other {fallaron # solicitudes de ID}}.\n\n{method, '
    + 'select, transaction {Es correcto, y tan lento como un solo documento.} sum {Es rápido, y está mal: entre el incremento y la suma, otros '
    + 'también incrementan, y todos ven la misma suma.} other {Es correcto y rápido: dos clientes nunca son dueños del mismo bloque. Lo que un '
    + 'cliente no usa deja un hueco.}}} other {}}',
  'chapter.ids.three-ways.task.twice': 'Mira cómo se da dos veces el mismo ID.',
  'chapter.ids.three-ways.task.slow': 'Mira hasta el final el camino que es correcto y lento.',
  'chapter.ids.three-ways.task.unique': 'Da más de 100 ID por segundo, ninguno dos veces.',
  'chapter.ids.challenge.text': 'Da ID a <b>1000 usuarios</b>: que ningún ID se repita, que ninguna solicitud se quede sin ID y que 19 de cada 20 '
    + 'solicitudes tarden menos de un segundo. Deja sin usar el menor número posible de ID.\n\nLos bloques pequeños dejan menos ID sin usar. Pero '
    + 'necesitan más commits, y los commits que coinciden en el mismo fragmento esperan.',
  'chapter.ids.challenge.outcome': '{duplicates, plural, =0 {No se repitió ningún ID} one {Se repitió # ID} other {Se repitieron # ID}}, {failed, '
    + 'plural, =0 {todas las solicitudes obtuvieron un ID} one {# solicitud se quedó sin ID} other {# solicitudes se quedaron sin ID}}, y 19 de cada '
    + '20 solicitudes tardaron menos de {wait}.{blocks, select, yes { {unused, plural, one {Quedó # ID} other {Quedaron # ID}} sin usar.} other {}}',
  'chapter.ids.challenge.code': 'El código devolvió {ids, plural, one {# ID} other {# ID}}, {duplicates, plural, =0 {ninguno repetido} one {# de '
    + 'ellos repetido} other {# de ellos repetidos}}. Costó <b>{writes, plural, one {# escritura} other {# escrituras}}</b>. El objetivo es '
    + '{goal, plural, one {# ID} other {# ID}} sin repetir ninguno.',

  'chapter.tickets.title': '500 entradas',
  'chapter.tickets.about': '1000 personas pulsan a la vez. Vende todas las entradas, y ni una de más.',
  'chapter.tickets.rush.title': 'Todos a la vez',
  'chapter.tickets.rush.text': 'Vendes 500 entradas, y 1000 personas pulsan en el mismo momento. Cada una quiere una entrada. Lo intentan tres '
    + 'apps.\n\n<b>La app ingenua</b> lee cuántas entradas se han vendido. Si quedan, incrementa uno de los fragmentos. <b>La transacción</b> lee un '
    + 'solo documento y lo escribe únicamente si ningún otro cliente lo ha cambiado. <b>El cupo</b> reparte las entradas entre fragmentos: lee un '
    + 'fragmento y toma una entrada solo si el fragmento no ha cambiado desde entonces. Si un fragmento está vacío, Shardline busca otro con '
    + 'entradas.',
  'chapter.tickets.rush.question': 'Hay 500 entradas. ¿Cuántas vende la app ingenua?',
  'chapter.tickets.rush.result': 'Ventas tras {time}: la app ingenua, <b>{naive, plural, one {# entrada} other {# entradas}}</b>; la transacción, '
    + '<b>{transaction, number}</b>; el cupo, <b>{stock, number}</b>.{over, select, yes {\n\n{oversold, plural, =0 {Esta vez, la app ingenua no ha '
    + 'vendido ninguna entrada de más.} one {La app ingenua ha vendido # entrada de más.} other {La app ingenua ha vendido # entradas de más.}} '
    + 'Todo el mundo lee el número antes de que llegue el primer incremento. La transacción no vende ninguna entrada dos veces, pero un solo '
    + 'documento admite cerca de una escritura por segundo: {failed, plural, =0 {nadie ha visto} one {# persona ha visto} other {# personas han '
    + 'visto}} un error y {waiting, plural, =0 {nadie sigue} one {# persona sigue} other {# personas siguen}} esperando.\n\nEl cupo vende cada '
    + 'entrada una sola vez. {refused, plural, one {# persona se ha enterado} other {# personas se han enterado}} de que las entradas están '
    + 'agotadas, y {errors, plural, =0 {nadie ha visto un error} one {# persona ha visto un error} other {# personas han visto un error}}. La '
    + 'mitad de las respuestas llegó en {half} como máximo, y casi todas llegaron en {most} como máximo.} other {}}',
  'chapter.tickets.rush.task.oversold': 'Mira cómo la app ingenua vende una entrada de más.',
  'chapter.tickets.rush.task.exact': 'Mira cómo el cupo vende las 500 entradas y da a todo el mundo una respuesta sin errores.',
  'chapter.tickets.rush.task.slow': 'Encuentra un número de fragmentos demasiado pequeño: las últimas respuestas del cupo tardan más de 20 segundos.',
  'chapter.tickets.holds.title': 'Reservar y luego pagar',
  'chapter.tickets.holds.text': 'Pagar lleva su tiempo. <code>holdFor</code> reserva una entrada durante 10 minutos, y <code>confirm()</code> hace '
    + 'definitiva la reserva. Hay quien no paga nunca. Sus entradas tienen que volver; si no, no puedes venderlas.\n\nAquí vendes 100 entradas '
    + 'durante un cuarto de hora. Cada dos segundos llega una persona. La mitad paga al cabo de uno a tres minutos, y el resto cierra la página.',
  'chapter.tickets.holds.question': '¿Quién devuelve una entrada cuando pasan sus 10 minutos?',
  'chapter.tickets.holds.choice.server': 'Un servidor, de forma programada',
  'chapter.tickets.holds.choice.lost': 'Nadie: la entrada se pierde',
  'chapter.tickets.holds.choice.next': 'La siguiente persona que no encuentra entradas',
  'chapter.tickets.holds.result': 'Tras {time}: {paid, plural, one {# entrada pagada} other {# entradas pagadas}}, {held, plural, one {# '
    + 'reservada} other {# reservadas}} y {ended, plural, =0 {ninguna reserva vencida que espere} one {# reserva vencida que espera} other {# '
    + 'reservas vencidas que esperan}} a la siguiente persona. <b>{returned, plural, =0 {Ninguna entrada ha pasado} one {# entrada ha pasado} '
    + 'other {# entradas han pasado}} a una segunda persona.</b> {refused, plural, =0 {Nadie se ha enterado} one {# persona se ha enterado} other '
    + '{# personas se han enterado}} de que las entradas están agotadas.{late, plural, =0 {} one { # persona quiso pagar demasiado tarde.} other { '
    + '# personas quisieron pagar demasiado tarde.}}{over, select, yes {\n\nNo necesitas ningún servidor ni ninguna tarea programada. Quien no '
    + 'encuentra entradas busca una reserva vencida, devuelve su entrada y se la queda. Decide el reloj del servidor: un reloj equivocado en un '
    + 'dispositivo no cambia nada.} other {}}',
  'chapter.tickets.holds.task.returned': 'Mira cómo una entrada pasa a una segunda persona cuando vence su reserva.',
  'chapter.tickets.holds.task.late': 'Haz la reserva tan corta que alguien quiera pagar demasiado tarde.',
  'knob.hold': 'Minutos de una reserva',
  'knob.paying': 'Cuántas de cada 100 personas pagan',
  'unit.tickets': '{count, plural, one {# entrada} other {# entradas}}',
  'series.tickets': 'Entradas vendidas hasta ahora',
  'series.people': 'Personas hasta ahora',
  'series.taken': 'consiguieron entrada',
  'series.refused': 'recibieron «agotadas»',
  'series.paid': 'pagaron',
  'rush.way.naive': 'App ingenua',
  'rush.way.transaction': 'Transacción',
  'rush.way.stock': 'Cupo',
  'rush.sold': 'vendidas',
  'rush.oversold': 'vendidas de más',
  'rush.refused': 'recibieron «agotadas»',
  'rush.failed': 'vieron un error',
  'rush.waiting': 'esperan',
  'rush.numbers': '{sold, plural, one {# vendida} other {# vendidas}}{oversold, plural, =0 {} one {, # de más} other {, # de más}}',
  'rush.summary': 'Tras {time}, de {units, plural, one {# entrada} other {# entradas}} se han vendido: con la app ingenua, {naive, number}; con la '
    + 'transacción, {transaction, number}; con el cupo, {stock, number}.',
  'holds.paid': 'pagadas',
  'holds.held': 'reservadas',
  'holds.ended': 'reserva vencida',
  'holds.free': 'libres',
  'holds.returned': 'pasaron a una segunda persona',
  'holds.late': 'quisieron pagar demasiado tarde',
  'holds.refused': 'recibieron «agotadas»',
  'holds.what': 'Entradas y personas',
  'holds.number': 'Número',
  'holds.summary': 'Tras {time}, de todas las entradas: pagadas {paid, number}, reservadas {held, number}, con la reserva vencida {ended, number}, '
    + 'libres {free, number}.',

  'chapter.your-app.title': 'En tu app',
  'chapter.your-app.about': 'Cuántos fragmentos necesitas, cuánto cuesta un mes y el código para pegar.',
  'chapter.your-app.shards.title': 'Cuántos fragmentos, y cuánto cuestan',
  'chapter.your-app.shards.text': 'Un fragmento admite cerca de una escritura por segundo. Elige cuánta gente pulsa el botón y cuánta mira la cuenta.',
  'chapter.your-app.shards.question': '20 personas por segundo pulsan «Me gusta». ¿Cuántos fragmentos necesita el contador?',
  'chapter.your-app.shards.result': 'Para {writes, plural, one {# incremento} other {# incrementos}} por segundo, usa al menos <b>{shards, plural, '
    + 'one {# fragmento} other {# fragmentos}}</b>. Soportan la carga de media, pero las pulsaciones que coinciden en un fragmento esperan varios '
    + 'segundos; con el doble, más o menos, casi nadie espera.\n\nUn mes a este ritmo, día y noche, cuesta cerca de <b>{dollars}</b>: incrementos '
    + 'que cuentan exactamente una vez y totales que suma el servidor.',
  'chapter.your-app.shards.sandbox': 'Prueba esta carga con el doble de fragmentos',
  'chapter.your-app.shards.task.busy': 'Encuentra una carga que necesite 100 fragmentos o más.',
  'chapter.your-app.shards.task.cheap': 'Mantén 5 incrementos por segundo o más y baja el coste mensual a menos de 30 US$.',
  'chapter.your-app.code.title': 'El código para pegar',
  'chapter.your-app.code.text': 'Elige quién puede contar: las reglas y el código dependen de tu elección. Después sigue los pasos de abajo. Al final habrá un botón «Me gusta» en '
    + 'una página tuya.\n\nUn <b>«Me gusta»</b> se puede retirar, y la página sabe si quien la lee lo ha dado. Un <b>voto</b> queda para siempre. Si se puede pulsar '
    + 'cuantas veces se quiera, cuenta cada pulsación. Si un dispositivo está sin conexión, la app envía sus «Me gusta» más tarde.',
  'chapter.your-app.code.result': 'Para esta carga, el código, las reglas y los comandos de abajo usan {shards, plural, one {# fragmento} other {# '
    + 'fragmentos}}: el doble de los que necesita de media, para que casi nadie espere.',
  'chapter.your-app.code.recipe.install': 'Necesitas Node 20.19 o posterior. Crea una app con Vite e instala Shardline en ella: la carpeta <code>web</code> de la copia del repositorio de la que sale esta '
    + 'página.',
  'chapter.your-app.code.recipe.project': 'En la consola de Firebase, <a>console.firebase.google.com</a>, crea un proyecto; basta el plan gratuito. En él, en «Firestore Database», crea una base de datos: la '
    + 'edición Standard, en modo de producción, que no deja entrar a nadie hasta que haya reglas.',
  'chapter.your-app.code.recipe.user': 'Las reglas exigen un usuario con sesión iniciada. En la consola, en «Authentication», «Método de acceso», habilita «Anónimo»: así cada visitante recibe un ID de usuario sin escribir '
    + 'nada. Las demás formas de iniciar sesión sirven igual.',
  'chapter.your-app.code.recipe.page': 'Sustituye los archivos que ha creado Vite por estos dos.',
  'chapter.your-app.code.recipe.key': 'En la consola, en la configuración del proyecto, en «General», «Tus apps», añade una app web. La consola '
    + 'muestra una <code>firebaseConfig</code>: pon su <code>projectId</code> y su <code>apiKey</code> en <code>src/main.js</code>. La clave no es '
    + 'ningún secreto. Solo dice de qué proyecto se trata; las reglas deciden lo que los visitantes pueden hacer allí.',
  'chapter.your-app.code.recipe.rules': 'Pon estos tres archivos en la carpeta <code>like-button</code>. El archivo de índices trata de los documentos propios de '
    + 'Shardline. Ninguna consulta pregunta por sus campos, así que los deja fuera de los índices: <code>shardline_markers</code> dice qué commits se han '
    + 'contado,{kind, select, like { <code>shardline_members</code> dice a quién le gusta} vote { <code>shardline_members</code> dice quién ha votado} other {}} y '
    + '<code>shardline_totals</code> puede guardar un total que comparten los lectores.',
  'chapter.your-app.code.recipe.emulators': 'En una segunda terminal, en la carpeta <code>like-button</code>, inicia los emuladores de Google y '
    + 'déjalos funcionando. Necesitan Java {java, number} o posterior (compruébalo con <code>java -version</code>) y aplican las reglas de arriba. El '
    + 'primer inicio descarga algunos cientos de megabytes; sigue cuando diga «All emulators ready». Sus datos desaparecen cuando terminan.',
  'chapter.your-app.code.recipe.deploy': 'Despliega las reglas y los índices, con el ID de tu proyecto en lugar de <code>my-project</code>. El archivo de índices '
    + 'hace que se borren los documentos viejos (TTL), y para eso el proyecto necesita tener la facturación habilitada. Sin ella, despliega solo '
    + '<code>firestore:rules</code>: el botón funciona, y los documentos viejos se quedan.',
  'chapter.your-app.code.recipe.create': 'Crea el contador, una sola vez. Ningún visitante puede hacerlo; por eso el comando necesita un token tuyo, que <code>gcloud</code> te da para una hora '
    + '(<a>cloud.google.com/sdk</a>). O hazlo a mano en la consola: una colección <code>posts</code>, en ella un documento <code>p1</code> y en él un campo '
    + '<code>num_shards</code> de tipo número: {shards, number}.',
  'chapter.your-app.code.recipe.create-there': 'Crea el contador, una sola vez, en la primera terminal. Ningún visitante puede hacerlo, pero desde una terminal el emulador te deja hacerlo todo. Si no hay respuesta, los emuladores aún no están listos.',
  'chapter.your-app.code.recipe.start': 'Inicia la app, abre la dirección que muestra y pulsa el botón. Otro navegador es otro usuario.{banner, select, yes { Firebase muestra una franja roja, «Running in emulator mode», cuando los usuarios inician sesión en el emulador.} other {}}',
  'chapter.your-app.code.task.vote': 'Deja que cada usuario vote una sola vez.',
  'chapter.your-app.connect.title': 'Pruébalo',
  'chapter.your-app.connect.text': 'Este es el botón del código de abajo. Cuenta en el Firestore de esta página, que no comprueba reglas, hasta que lo conectes al emulador de Google o a un proyecto '
    + 'tuyo.\n\nCon las reglas del paso anterior, ninguna página puede crear el contador. Créalo allí como dice ese paso.',
  'chapter.your-app.connect.task.counted': 'Consigue que se cuenten 10 «Me gusta». Si cada usuario tiene uno solo, consigue que se cuente el tuyo. Espera hasta que no quede ninguno en camino.',
  'unit.shards': '{count, plural, one {# fragmento} other {# fragmentos}}',
  'knob.users': 'Personas',
  'knob.shards': 'Fragmentos',
  'knob.shards.idle': 'No hay ningún fragmento delante de la marca de tiempo: el número de fragmentos no cambia nada.',
  'knob.index': 'Campos indexados',
  'knob.index.time': 'Solo la marca de tiempo',
  'knob.index.shard': 'Un fragmento y luego la marca de tiempo',
  'knob.index.both': 'Un fragmento y luego la marca de tiempo, y además solo la marca de tiempo, como antes',
  'knob.method': 'Cómo se crean los ID',
  'knob.method.transaction': 'En una transacción con un solo documento',
  'knob.method.sum': 'Con la suma de los fragmentos',
  'knob.method.blocks': 'En bloques',
  'knob.writes': 'Incrementos por segundo',
  'knob.readers': 'Lectores: cada uno lee cerca de una vez por segundo',
  'knob.access': 'Quién puede contar',
  'knob.access.one-like': 'Un «Me gusta»: cada usuario una vez, y se puede retirar',
  'knob.access.public': 'Todo el mundo, cuantas veces quiera',
  'knob.access.signed-in': 'Usuarios con sesión iniciada, cuantas veces quieran',
  'knob.access.one-vote': 'Un voto: cada usuario una vez, para siempre',
  'knob.where': 'Dónde funciona la app',
  'knob.where.project': 'En un proyecto de Firebase tuyo',
  'knob.where.emulator': 'En este equipo, con los emuladores de Google: sin cuenta',
  'knob.lost': 'Cuántas de cada 100 respuestas se pierden',
  'knob.events': 'Eventos por segundo',
  'knob.split': 'Segundos hasta que se divide una tablet caliente',
  'knob.documents': 'Documentos de la colección',
  'knob.block': 'ID por bloque',
  'knob.block.idle': 'Solo los bloques tienen tamaño.',
  'knob.shards.transaction': 'Una transacción usa un solo documento: el número de fragmentos no cambia nada.',
  'knob.units': 'Entradas',
  'code.shell': 'En una terminal',
  'code.html': 'index.html',
  'code.page': 'src/main.js',
  'code.configuration': 'firebase.json',
  'code.rules': 'firestore.rules',
  'code.indexes': 'firestore.indexes.json',
  'code.note.one-document': 'Un solo documento cuenta los «Me gusta» de todos los lectores.',
  'code.note.readers': 'Seis lectores pulsan a la vez. Cada pulsación es un commit propio.',
  'code.note.marker': 'Cada commit escribe también un marcador. El capítulo 5 lo explica.',
  'code.note.connect': 'El último capítulo muestra dónde están estos valores.',
  'code.note.every-shard': 'cada fragmento',
  'code.note.server': 'suma el servidor',
  'code.note.shared': 'un total que comparten todos los lectores',
  'code.note.exactly-once': 'Exactamente una vez: cada commit crea un marcador. Son dos escrituras.',
  'code.note.at-least-once': 'Un segundo contador, al menos una vez: una escritura menos.',
  'code.note.twice': 'Si se pierde una respuesta, su incremento puede contar dos veces.',
  'code.note.lose': 'A partir de aquí se pierden todas las respuestas.',
  'code.note.back': 'Al cabo de medio segundo vuelven a llegar respuestas.',
  'code.note.timestamp': 'por marca de tiempo',
  'code.note.handled': 'La página muestra el error, así que el elemento no necesita hacerlo.',
  'shard-grid.summary': '{shards, plural, one {# fragmento recibe todas las escrituras} other {# fragmentos reciben de media {writes, plural, one {# escritura} other {# escrituras}} por segundo cada uno}}.',
  'shard-grid.shards': 'Fragmentos',
  'shard-grid.writes': 'Escrituras por segundo en cada uno',
  'price-bars.summary': 'El coste de un mes, cada camino por separado: incrementos de dos maneras, totales de dos maneras.',
  'price-bars.what': 'Operación',
  'price-bars.reads': 'Lecturas al mes',
  'price-bars.writes': 'Escrituras al mes',
  'price-bars.dollars': 'Precio',
  'price.exactly-once': 'Incrementos, exactamente una vez: cada uno con un marcador',
  'price.at-least-once': 'Incrementos, al menos una vez',
  'price.sum': 'Totales, sumados por el servidor',
  'price.shards': 'Totales, leyendo cada fragmento',
  'like.press': 'Me gusta',
  'like.create': 'Crear el contador',
  'like.denied': 'Las reglas de seguridad lo rechazan. Con las del paso anterior, ninguna página puede crear el contador, y solo puede contar un usuario: crea el contador como dice ese paso y conéctate con el token de ID de un usuario.',
  'like.denied.public': 'Las reglas de seguridad lo rechazan. Con las del paso anterior, ninguna página puede crear el contador: créalo como dice ese paso.',
  'like.created': 'El contador está creado, con {count, plural, one {# fragmento} other {# fragmentos}}. Con las reglas del paso anterior nadie puede '
    + 'contar antes; sin reglas, todo el mundo puede.',
  'like.kept': 'El contador ya existe, con {count, plural, one {# fragmento} other {# fragmentos}}.',
  'like.state.loading': 'Pidiendo el total…',
  'like.state.live': 'En directo. En camino: {pending}.',
  'like.state.offline': 'Sin red. En camino: {pending}.',
  'like.state.error': 'No se puede leer el total. En camino: {pending}.',
  'like.element.pending': 'Guardando…',
  'like.element.offline': 'Sin red: este número puede estar desactualizado.',
  'like.element.error': 'No se puede leer el total: este número puede estar desactualizado.',
  'like.app.title': 'Botón «Me gusta»',
  'like.app.refused': 'Quizás no existe el contador posts/p1: créalo. Si existe, las reglas rechazan esto.',

  'lanes.waiting': 'esperan',
  'lanes.again': 'esperan, reenviadas',
  'lanes.done': 'contadas',
  'lanes.refused': 'rechazadas',
  'lanes.pausing': 'en pausa antes de reintentar',
  'lanes.shard': 'Documento',
  'lanes.count': 'Cuenta',
  'lanes.summary': 'Tras {time}: {asked, plural, one {# incremento pedido} other {# incrementos pedidos}}, {counted, plural, one {# contado} other {# contados}}. {waiting, plural, one {# solicitud espera} other {# solicitudes esperan}}, '
    + '{pausing, number} en pausa antes de reintentar, {failed, plural, one {# fallo definitivo} other {# fallos definitivos}}.',
  'series.counter': 'Incrementos hasta ahora',
  'series.rate': 'Incrementos por segundo',
  'series.documents': 'Documentos por segundo',
  'series.ids': 'ID hasta ahora',
  'series.asked': 'pedidos',
  'series.counted': 'contados',
  'series.written': 'escritos',
  'series.given': 'dados',
  'series.duplicates': 'repetidos',
  'series.time': 'Tiempo',
  'series.value': '{label} {n, number}',
  'series.summary': '{title}, tras {time}: {values}.',
  'tablets.title': 'Índice: {index}',
  'tablets.section': 'fragmento {shard}',
  'tablets.legend': '▼ adónde van las entradas nuevas. El número y la parte rellena: las escrituras por segundo que se le piden a una tablet. Rojo: caliente.',
  'tablets.index': 'Índice',
  'tablets.shard': 'Fragmento',
  'tablets.range': 'Intervalo de tiempo',
  'tablets.load': 'Escrituras pedidas por segundo',
  'tablets.summary': 'Tras {time}, el índice «{index}» tiene {tablets, plural, one {# tablet} other {# tablets}}; {hot, plural, =0 {ninguna está caliente} one {# está caliente} other {# están calientes}}. A la más ocupada se le {load, plural, one {pide # escritura} other {piden # escrituras}} por segundo.',
  'ids.numbers': '{given, plural, one {# ID dado} other {# ID dados}}, {duplicates, plural, =0 {ninguno repetido} one {# de ellos repetido} other '
    + '{# de ellos repetidos}}',
  'ids.summary': 'Tras {time}: {given, plural, one {# ID dado} other {# ID dados}}, {duplicates, plural, =0 {ninguno repetido} one {# de ellos '
    + 'repetido} other {# de ellos repetidos}}.',
  'ids.again': 'dueño n.º {owners, number}',
  'ids.id': 'ID',
  'ids.owners': 'Dueño n.º',
  'ways.shards': 'Leer cada fragmento',
  'ways.sum': 'Suma el servidor',
  'ways.shared': 'Un total compartido',
  'ways.reads': '{reads, plural, one {# lectura} other {# lecturas}}',
  'ways.way': 'Camino',
  'ways.totals': 'Totales',
  'ways.billed': 'Lecturas facturadas',
  'ways.each': 'Lecturas por total',
  'ways.summary': 'Lecturas facturadas tras {time}: {shards, number} al leer cada fragmento, {sum, number} si suma el servidor, {shared, number} con un total compartido.',

  'unit.likes': '{count, plural, one {# «Me gusta»} other {# «Me gusta»}}',
  'unit.increments-per-second': '{count, plural, one {# incremento por segundo} other {# incrementos por segundo}}',
  'unit.documents-per-second': '{count, plural, one {# documento por segundo} other {# documentos por segundo}}',
  'unit.reads': '{count, plural, one {# lectura} other {# lecturas}}',
  'unit.duplicates': '{count, plural, one {# ID repetido} other {# ID repetidos}}',
  'unit.shard-values': '{count, plural, one {# valor de fragmento} other {# valores de fragmento}}',
  'unit.unused-ids': '{count, plural, one {# ID sin usar} other {# ID sin usar}}',
  'unit.ms': '{ms}\u00a0ms',
  'unit.seconds': '{seconds}\u00a0s',
  'unit.minutes': '{minutes}\u00a0min',
  'unit.minutes-seconds': '{minutes}\u00a0min {seconds}\u00a0s',
  'unit.bytes': '{bytes, number}\u00a0B',
  'unit.kilobytes': '{kilobytes}\u00a0kB',

  'state.closed': 'Sin conexión',
  'state.connecting': 'Conectando con {host}…',
  'state.connected': 'Conectado con {host}',
  'state.silent': 'Sin respuesta de {host}',
  'state.failed': 'Sin conexión',
  'place.embedded': 'Firestore en esta página',
  'meter.reads': '{count, plural, one {lectura} other {lecturas}}',
  'meter.writes': '{count, plural, one {escritura} other {escrituras}}',

  'connect.title': 'Conexión',
  'connect.about': 'Conecta con el Firestore de esta página, con el emulador de Google o con un proyecto tuyo.',
  'connect.kind': 'Dónde está tu Firestore',
  'connect.embedded': 'En esta página',
  'connect.emulator': 'Emulador de Google',
  'connect.project': 'Proyecto de Firebase',
  'connect.host': 'Host y puerto',
  'connect.host.hint': '<code>scripts/emulator run --port 8080</code> inicia uno.',
  'connect.host.wrong': 'Escribe un host y un puerto, por ejemplo, 127.0.0.1:8080.',
  'connect.project-id': 'ID del proyecto',
  'connect.project-id.missing': 'Escribe el ID de tu proyecto. El emulador acepta cualquiera, por ejemplo, demo.',
  'connect.database-id': 'Base de datos',
  'connect.api-key': 'Clave de API web',
  'connect.api-key.hint': 'Está en la configuración del proyecto. No sale de esta página.',
  'connect.id-token': 'Token de ID (opcional)',
  'connect.id-token.hint': 'Escribe el token de un usuario con sesión iniciada, si tus reglas lo piden. En tu app lo da <code>await '
    + 'auth.currentUser.getIdToken()</code>. No sale de esta página.',
  'connect.submit': 'Conectar',
  'connect.change': 'Cambiar',
  'connect.summary.closed': 'No se envía nada hasta que te conectes.',
  'connect.summary.failed': 'No hay conexión.',
  'connect.summary.connecting': 'Esperando la primera respuesta de {host}…',
  'connect.summary.unkept': 'Conectado con el Firestore de esta página: sin red y sin cuenta. Este navegador no deja que la página conserve datos: lo que guardes desaparecerá cuando cierres la página.',
  'connect.summary.embedded': 'Conectado con el Firestore de esta página: sin red y sin cuenta. Lo que guardas se queda en este navegador, '
    + 'y todas las pestañas de esta página lo comparten.',
  'connect.summary.emulator': 'Conectado con el emulador en {host}, proyecto {project}.',
  'connect.summary.project': 'Conectado con el proyecto {project} en {host}.',
  'connect.silent.embedded': 'La última respuesta se perdió.',
  'connect.silent.emulator': 'La última solicitud no obtuvo respuesta de {host}. ¿Se ha detenido el emulador? Vuelve a iniciarlo en el mismo puerto: '
    + 'la próxima solicitud lo encontrará. (Empieza vacío.)',
  'connect.silent.project': 'La última solicitud no obtuvo respuesta de {host}. ¿Tiene conexión este dispositivo? La próxima solicitud lo dirá.',
  'connect.denied': 'Firestore responde, pero sus reglas de seguridad no dejan que esta página lea {path}. Usa rutas que las reglas permitan, o '
    + 'conéctate con el token de ID de un usuario que pueda hacerlo.',

  'simulator.title': 'El Firestore de esta página',
  'simulator.about': 'Un Firestore de verdad tiene límites, responde tarde y a veces no responde. El de esta página también, tal como lo configures.',
  'simulator.limits': 'Los límites de Firestore: cerca de una escritura por segundo en un documento, 500 en un rango de un índice',
  'simulator.latency': 'Las respuestas tardan',
  'simulator.latency.value': 'hasta {ms}',
  'simulator.lost': 'Respuestas perdidas',
  'simulator.documents': 'documentos',
  'simulator.price': 'precio',
  'simulator.waited': 'tuvieron que esperar',
  'simulator.aborted': 'rechazadas',
  'simulator.reset': 'Borrar todos los datos',
  'simulator.reset.done': 'Se han borrado todos los datos. El medidor vuelve a cero.',
  'hot.title': 'Dónde esperan las escrituras',
  'hot.none': 'Ninguna escritura espera. En un contador con un solo fragmento, elige «Comprobar antes de escribir», pulsa +1 muchas veces y vuelve a '
    + 'mirar.',
  'hot.off': 'Los límites están desactivados, así que ninguna escritura espera nunca.',
  'hot.documents': 'Documentos por los que una escritura tendría que esperar',
  'hot.document': 'Documento',
  'hot.wait': 'Espera',
  'hot.tablets': 'Rangos de índices en los que se escribe',
  'hot.tablet': 'Rango de un índice',
  'hot.tablet.all': '{index}',
  'hot.tablet.from': '{index}, desde {start}',
  'hot.rate': 'Escrituras por segundo',
  'hot.rate.value': '{rate} de {most, number}',

  'counter.title': 'Contador distribuido',
  'counter.about': 'Un documento admite cerca de una escritura por segundo. Un contador distribuido son muchos documentos, sus fragmentos: cada '
    + 'incremento va a uno de ellos, elegido al azar, y el total es la suma de todos.',
  'counter.path': 'Ruta',
  'counter.layout': 'Estructura',
  'counter.shards': 'Fragmentos',
  'counter.shards.hint': 'Cerca de una escritura por segundo cada uno.',
  'counter.delivery': 'Si se pierde una respuesta',
  'counter.create': 'Crear el contador',
  'counter.created': '<code>{path}</code> creado con {count, plural, one {# fragmento} other {# fragmentos}}, en un solo commit atómico.',
  'counter.kept': '<code>{path}</code> ya existe, con {count, plural, one {# fragmento} other {# fragmentos}}. Su cuenta se conservó.',
  'counter.increment': '+1',
  'counter.increment-10': '+10',
  'counter.delta': 'Cantidad',
  'counter.delta.wrong': 'Escribe un número, por ejemplo, {whole, number}, {negative, number} o {fraction, number}.',
  'counter.add': 'Sumar',
  'counter.follow': 'Leer el total después de cada incremento (1 lectura)',
  'counter.pending': 'En camino: {pending}',
  'counter.read-sum': 'Leer el total',
  'counter.read-shards': 'Leer cada fragmento',
  'counter.read-shared': 'Leer el total compartido',
  'counter.reads': '{count, plural, one {# lectura} other {# lecturas}}',
  'counter.reads.each': '1 por cada uno',
  'counter.care': 'Mantenimiento',
  'counter.live': 'Seguir el total en directo: 1 lectura por segundo como mucho',
  'counter.stats': 'Cómo se reparte la carga',
  'counter.stats.result': 'Commits que envió esta página: {attempts, number}. De ellos, {aborted, number} coincidieron con otros en el mismo fragmento. Número de fragmentos que propone Shardline: {suggested, number}.',
  'counter.resize': 'Cambiar al número de fragmentos de arriba',
  'counter.resized': '<code>{path}</code> tiene ahora {count, plural, one {# fragmento} other {# fragmentos}}. Shardline sumó {folded, plural, one {# documento} other {# documentos}} a los fragmentos restantes. La cuenta es la misma.',
  'counter.rules': 'Reglas de seguridad para estos contadores',

  'layout.web-sample': 'Web',
  'layout.web-sample.hint': '<code>{path}</code> contiene <code>num_shards</code>; <code>{path}/shards/0</code> y los siguientes contienen <code>count</code>.',
  'layout.mobile-sample': 'Swift, Objective-C, Java, Kotlin',
  'layout.mobile-sample.hint': '<code>{path}</code> contiene <code>numShards</code>; <code>{path}/shards/0</code> y los siguientes contienen <code>count</code>.',
  'layout.node-sample': 'Node.js, Python, C#',
  'layout.node-sample.hint': '<code>{path}/shards/0</code> y los siguientes contienen <code>count</code>; no hay documento superior.',
  'layout.go-sample': 'Go',
  'layout.go-sample.hint': '<code>{path}/shards/0</code> y los siguientes contienen <code>Count</code>; no hay documento superior.',
  'layout.php-sample': 'PHP',
  'layout.php-sample.hint': 'La ruta es una colección: <code>{path}/0</code> y los siguientes contienen <code>Cnt</code>.',
  'layout.ruby-sample': 'Ruby',
  'layout.ruby-sample.hint': 'La ruta es una colección: <code>{path}/0</code> y los siguientes contienen <code>count</code>.',
  'layout.collection': 'Colección de fragmentos',
  'layout.collection.hint': 'La ruta es una colección: <code>{path}/0</code> y los siguientes contienen <code>count</code>.',

  'delivery.exactly-once': 'Consultar el marcador',
  'delivery.exactly-once.hint': 'Exactamente una vez: 2 escrituras, porque Shardline escribe un marcador junto a la cuenta. Shardline guarda los '
    + 'incrementos que esperan y los envía incluso después de recargar la página.',
  'delivery.at-least-once': 'Enviar otra vez',
  'delivery.at-least-once.hint': 'Al menos una vez: 1 escritura, ninguna lectura. Un incremento cuya respuesta se perdió puede contar dos veces.',
  'delivery.transaction': 'Comprobar antes de escribir',
  'delivery.transaction.hint': 'Leer, sumar y escribir si nada ha cambiado: 1 lectura y 1 escritura.',

  'reading.title': 'Total',
  'reading.none': '–',
  'reading.none.hint': 'Aún no se ha leído.',
  'reading.no-shards': 'Aquí aún no hay fragmentos: crea el contador o increméntalo.',
  'reading.sum': 'Una <code>sum</code> de los fragmentos, en el servidor: {count, plural, one {# lectura} other {# lecturas}}, {ms}',
  'reading.shared': 'Un total que comparten todos, con un segundo de antigüedad como máximo: {count, plural, one {# lectura} other {# lecturas}}, {ms}',
  'reading.renewed': 'Ningún total compartido era lo bastante reciente, así que el servidor ha vuelto a sumar: {count, plural, one {# lectura} other {# lecturas}}, {ms}',
  'reading.shards': 'Cada documento de fragmento, sumado aquí: {count, plural, one {# lectura} other {# lecturas}}, {ms}',
  'comparison.sum': 'Suma en el servidor',
  'comparison.shards': 'Cada fragmento',
  'comparison.reads': '{count, plural, one {# lectura} other {# lecturas}}',

  'bars.title': 'Fragmentos',
  'bars.region': 'El valor de cada fragmento',
  'bars.shard': 'Fragmento',
  'bars.count': 'Cuenta',
  'bars.caption': '{count, plural, one {# fragmento ({time})} other {# fragmentos ({time})}}',
  'bars.empty': 'Lee cada fragmento para ver cómo se han repartido los incrementos.',
  'bars.stale': 'Desde entonces ha habido más incrementos.',

  'instruments.title': 'Marcas de tiempo fragmentadas',
  'instruments.about': 'Un índice de marcas de tiempo que crecen admite unas 500 escrituras por segundo. Con un campo <code>shard</code> delante, '
    + 'cada uno de sus valores añade 500. Una consulta pregunta entonces a todos los fragmentos a la vez y combina las respuestas en una sola lista.',
  'instruments.path': 'Colección',
  'instruments.path.hint': 'Acciones y fondos, como en la documentación.',
  'instruments.shards': 'Valores de fragmento',
  'instruments.shards.hint': 'Una lista, o un número n para los valores de 0 a n − 1.',
  'instruments.insert-samples': 'Insertar los 3 ejemplos',
  'instruments.insert-random': 'Insertar 100 al azar',
  'instruments.inserted': '{count, plural, one {# documento insertado en {ms}, en un fragmento al azar:} '
    + 'other {# documentos insertados en {ms}, cada uno en un fragmento al azar:}}',
  'instruments.times': '× {count, number}',

  'query.title': 'Consulta',
  'query.commonstock': 'Acciones ordinarias',
  'query.exchange': 'Bolsa 1',
  'query.currency': 'En dólares',
  'query.direction': 'Orden',
  'query.desc': 'Lo más reciente primero',
  'query.asc': 'Lo más antiguo primero',
  'query.limit': 'Límite',
  'query.run': 'Consultar',

  'plan.title': 'Plan',
  'plan.chunks': 'Chunks',
  'plan.chunks.value': '{count, number} (valores de fragmento: {sizes})',
  'plan.requests': 'Solicitudes',
  'plan.reads': 'Lecturas, como máximo',
  'plan.reads.all': 'todas',
  'plan.none': '–',
  'plan.index': 'Índice',
  'plan.ascending': '↑',
  'plan.descending': '↓',
  'plan.index-file': 'Para firestore.indexes.json',

  'results.caption': 'Filas {first, number} a {last, number}, combinadas de todos los fragmentos',
  'results.number': 'N.º',
  'results.symbol': 'Símbolo',
  'results.type': 'Tipo',
  'results.exchange': 'Bolsa',
  'results.price': 'Precio',
  'results.timestamp': 'Marca de tiempo (UTC)',
  'results.shard': 'Fragmento',
  'results.missing': '–',
  'results.none': 'Ningún documento coincide. ¿Has insertado los ejemplos?',
  'results.no-more': 'No hay más documentos.',
  'results.cost': 'Filas {first, number} a {last, number}: {requests}, {count, plural, one {# lectura} other {# lecturas}}, {ms}.',
  'results.requests': '{count, plural, one {# solicitud} other {# solicitudes}}',
  'results.raw': 'Como objetos de JavaScript',
  'pager.title': 'Páginas del resultado',
  'pager.previous': 'Página anterior',
  'pager.next': 'Página siguiente',
  'sequence.title': 'ID únicos',
  'sequence.about': 'Cada fragmento es dueño de sus propios ID, y una página toma un bloque de ellos de golpe. Ningún ID se da nunca dos veces; lo que una página no usa deja un hueco.',
  'sequence.shards.hint': 'Cerca de un bloque por segundo cada uno.',
  'sequence.block': 'ID por bloque',
  'sequence.block.hint': 'Se toman de golpe, con un solo commit.',
  'sequence.create': 'Crear la secuencia',
  'sequence.created': '<code>{path}</code> creada con {count, plural, one {# fragmento} other {# fragmentos}}.',
  'sequence.kept': '<code>{path}</code> ya existe, con {count, plural, one {# fragmento} other {# fragmentos}}. La secuencia sigue después de su '
    + 'último ID.',
  'sequence.next': 'ID siguiente',
  'sequence.take': 'Tomar {count, number} de golpe',
  'sequence.given': 'ID que recibió esta página, los más nuevos primero',

  'experiments.title': 'Experimentos',
  'experiments.about': 'Una prueba de carga con un contador: hasta 1000 usuarios, diez más cada segundo, y cada uno suma 1 una y otra vez durante dos '
    + 'minutos. Los clientes son la biblioteca de verdad, el Firestore es el de esta página con sus límites activados, y el tiempo es virtual: solo '
    + 'tarda unos segundos.',
  'experiments.choice': 'Dónde está la cuenta',
  'experiments.singleDocument': 'Un documento',
  'experiments.singleDocument.about': 'leer, sumar, escribir',
  'experiments.tenShards': '10 fragmentos',
  'experiments.tenShards.about': 'se incrementa uno al azar',
  'experiments.fiftyShards': '50 fragmentos',
  'experiments.fiftyShards.about': 'se incrementa uno al azar',
  'experiments.run': 'Iniciar la prueba de carga',
  'experiments.stop': 'Detener',
  'experiments.progress': 'Progreso de la prueba de carga',
  'experiments.done': '{seconds, number} s de carga en {ms}: {count, plural, one {se confirmó # incremento, y se contó.} '
    + 'other {se confirmaron # incrementos, y se contaron todos.}}',
  'experiments.done.lost': '{seconds, number} s de carga en {ms}: {count, plural, one {se confirmó # incremento} '
    + 'other {se confirmaron # incrementos}}; {lost, plural, one {# de ellos no se contó.} other {# de ellos no se contaron.}}',
  'experiments.results': 'Resultados de las pruebas de carga',
  'experiments.throughput': 'Incrementos por segundo',
  'experiments.p50': 'La mitad, como mucho en',
  'experiments.p95': 'El 95 %, como mucho en',
  'experiments.p99': 'El 99 %, como mucho en',
  'experiments.retries': 'Reintentos',
  'experiments.failed': 'Abandonados',
  'experiments.acknowledged': 'Confirmados',
  'experiments.found': 'Contados al final',
  'experiments.chart': 'Incrementos confirmados por segundo',

  'log.title': 'Solicitudes',
  'log.about': 'Cada solicitud de esta página y su coste en Firestore.',
  'log.caption': '{count, plural, one {La última solicitud} other {Las últimas # solicitudes, la más reciente primero}}',
  'log.region': 'Historial de solicitudes',
  'log.request': 'Solicitud',
  'log.status': 'Estado',
  'log.time': 'Tiempo',
  'log.size': 'Tamaño de la respuesta',
  'log.reads': 'Lecturas facturadas',
  'log.writes': 'Escrituras facturadas',
  'log.reads.value': '{count, plural, one {# lectura} other {# lecturas}}',
  'log.writes.value': '{count, plural, one {# escritura} other {# escrituras}}',
  'log.no-answer': 'sin respuesta',
  'log.empty': 'Aún no hay solicitudes.',
  'log.clear': 'Vaciar',
  'log.total.requests': 'solicitudes',
  'log.total.reads': 'lecturas',
  'log.total.writes': 'escrituras',
  'log.total.deletes': 'eliminaciones',
  'log.total.bytes': 'recibidos',

  'error.other': 'Algo ha fallado.',
  'error.start': 'No se pudo iniciar la biblioteca.',
  'error.invalid-argument': 'Esta solicitud no es válida.',
  'error.permission-denied': 'Las reglas de seguridad no lo permiten.',
  'error.unauthenticated': 'No se acepta el token de ID.',
  'error.not-found': 'Eso no existe.',
  'error.already-exists': 'Eso ya existe.',
  'error.failed-precondition': 'Falta algo para poder hacerlo.',
  'error.resource-exhausted': 'Demasiado a la vez, o se ha agotado una cuota.',
  'error.aborted': 'Demasiados clientes escribieron a la vez en los mismos documentos.',
  'error.unavailable': 'No hay respuesta de {host}.',
  'error.outcome-unknown': 'Puede que el servidor lo haya hecho y puede que no.',
  'error.unimplemented': 'Shardline aún no lo admite.',
  'error.original': 'En palabras de la biblioteca (inglés)',
  'advice.no-answer.embedded': 'En el panel «El Firestore de esta página» se elige cuántas respuestas se pierden.',
  'advice.no-answer.emulator': '¿Está funcionando ahí el emulador? Inícialo con <code>scripts/demo</code> o <code>scripts/emulator</code>, comprueba el host '
    + 'y el puerto, e inténtalo otra vez.',
  'advice.no-answer.project': 'Comprueba que este dispositivo tiene conexión y que ninguna extensión del navegador bloquea {host}; luego inténtalo '
    + 'otra vez.',
  'advice.permission-denied': 'Usa una ruta que las reglas permitan, o conéctate con el token de ID de un usuario que pueda hacerlo. Para que los '
    + 'usuarios con sesión iniciada puedan usar esta ruta, añade una regla como <code>{rule}</code> en la consola de Firebase, en «Firestore Database», «Reglas».',
  'advice.unauthenticated': 'Los tokens de ID duran una hora: consigue uno nuevo y vuelve a conectarte.',
  'advice.resource-exhausted': 'Espera un poco. Si sigue igual, mira las cuotas del proyecto.',
  'advice.aborted': 'Inténtalo otra vez; con más fragmentos pasa menos.',
  'advice.outcome-unknown': 'Lee el total antes de intentarlo otra vez.',
  'advice.other': 'Es un fallo de la página o de la biblioteca. Recarga la página y, si vuelve a pasar, avísanos.',

  'reason.argument-not-allowed': 'Este valor de <code>{argument}</code> no está permitido.',
  'reason.argument-missing': 'Falta <code>{argument}</code>.',
  'reason.argument-unknown': 'No existe la opción <code>{argument}</code>.',
  'reason.argument-unreadable': 'No se puede leer <code>{argument}</code>.',
  'reason.arguments-conflict': '<code>{argument}</code> y <code>{other}</code> no son compatibles entre sí.',
  'reason.path-not-allowed': 'Firestore no admite esta ruta, o no en este lugar.',
  'reason.field-not-allowed': 'Firestore no admite este nombre de campo.',
  'reason.value-not-allowed': 'El campo <code>{field}</code> no puede tener este valor.',
  'reason.document-too-large': 'El documento ocupa más de 1 MiB.',
  'reason.document-lacks-order-field': 'Al documento le falta el campo <code>{field}</code>: sin él no lo encontraría ninguna consulta.',
  'reason.request-too-large': 'Es más de lo que cabe en una solicitud.',
  'reason.increment-too-large': 'El incremento es demasiado grande para un solo commit.',
  'reason.query-filter-not-allowed': 'Firestore no admite este filtro sobre <code>{field}</code>.',
  'reason.query-order-not-allowed': 'Firestore no admite este orden.',
  'reason.query-cursor-not-allowed': 'La consulta no puede empezar ni terminar ahí.',
  'reason.query-aggregation-not-allowed': 'Esta consulta no se puede contar ni sumar.',
  'reason.query-too-large': 'La consulta tiene más filtros o valores de los que admite Firestore.',
  'reason.token-of-another-query': 'Esta página no es de esta consulta: lee desde el principio.',
  'reason.index-file-unreadable': 'No es un archivo de índices de Firebase CLI.',
  'reason.rules-file-unreadable': 'No es un archivo de reglas de seguridad de Firestore.',
  'reason.index-link-unreadable': 'Este texto no contiene ningún enlace legible a un índice que falte.',
  'reason.counter-not-found': 'No hay ningún contador en <code>{path}</code>. Créalo primero.',
  'reason.counter-exists': 'Ya hay un contador en <code>{path}</code>.',
  'reason.counter-of-another-layout': 'El contador de <code>{path}</code> tiene otra estructura: el campo <code>{field}</code> contiene otra cosa.',
  'reason.counter-full': 'Un fragmento ha llegado al número más grande que admite. El exceso no se contó.',
  'reason.total-too-large': 'El total es mayor que cualquier número de 64 bits.',
  'reason.resize-overruled': 'Mientras tanto, otro cliente eligió otro número de fragmentos. Ese número se mantiene.',
  'reason.ids-not-found': 'No hay ninguna secuencia de ID en <code>{path}</code>. Créala primero.',
  'reason.ids-path-taken': 'En <code>{path}</code> hay otra cosa, o el resto de una secuencia de ID. Elige otra ruta.',
  'reason.ids-too-many-shards': 'La secuencia de ID se creó para menos fragmentos.',
  'reason.ids-damaged': 'Alguien borró o cambió <code>{document}</code>. Si se creara de nuevo, repetiría ID.',
  'reason.ids-used-up': 'La secuencia de ID llegó a su fin: en 64 bits no cabe un número mayor.',
  'reason.ids-perhaps-lost': 'No llegó respuesta al tomar ID. Quizás se perdieron algunos, pero ninguno se da dos veces: inténtalo otra vez.',
  'reason.too-much-contention': 'Otros clientes no dejaban de escribir en los mismos documentos.',
  'reason.document-not-found': 'Ese documento no existe.',
  'reason.server-refused': 'El servidor ha rechazado la solicitud: <code>{status}</code>.',
  'reason.answer-unreadable': 'Lo que respondió no era Firestore, o su respuesta no se puede leer (HTTP {http}).',
  'reason.no-network': 'No se pudo llegar al servidor, o se cortó la conexión.',
  'reason.timed-out': 'El servidor no respondió a tiempo.',
  'reason.page-too-large': 'Esta página de resultados ocupa más de 64 MiB: pide menos documentos a la vez.',
  'reason.write-in-doubt': 'Se perdió la respuesta a una escritura: puede que se hiciera y puede que no.',
  'reason.increment-in-doubt': 'Puede que el incremento se haya contado y puede que no.',
  'reason.token-not-given': 'No hay ningún token utilizable: <code>{function}</code>.',
  'reason.closed': 'La conexión está cerrada.',
  'reason.increments-not-sent': 'Por ahora no se pueden enviar los incrementos que esperan.',
  'reason.module-not-loaded': 'No se pudo cargar e iniciar <code>{file}</code>.',
  'reason.module-crashed': 'El módulo de WebAssembly falló, seguramente por falta de memoria. Se vuelve a iniciar.',
  'reason.memory-full': 'No queda memoria.',
  'reason.storage-not-readable': 'No se puede leer el almacenamiento del navegador.',
  'reason.storage-not-writable': 'El navegador no guarda nada aquí: los incrementos sin enviar se pierden al cerrar la página.',
  'reason.storage-altered': 'No se pueden leer los incrementos guardados: algo los ha cambiado.',
  'reason.internal-fault': 'Es un fallo de la biblioteca, o de algo que está entre ella y el servidor.',
  'reason.result-in-doubt': 'Algo falló durante una escritura: puede que se hiciera y puede que no.',
  'reason.worker-not-started': 'El worker <code>{file}</code> no se pudo iniciar o ha fallado.',
  'reason.storage-missing': 'Este navegador no puede guardar nada aquí: hace falta <code>https://</code> o <code>localhost</code>.',
  'reason.kept-data-unreadable': 'No se pueden leer los datos guardados como «{name}».',
  'reason.taken-over': 'Ahora otra pestaña ejecuta el Firestore de esta página.',
};
