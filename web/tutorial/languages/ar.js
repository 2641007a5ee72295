// Arabic. en.js is the source, and explains the marks. The terms are those of Google’s Arabic documentation.
// \u2066 to \u2069 and \u200e keep numbers, signs and hosts in their order, also in pictures that run from left to right.

export const messages = {
  'page.title': 'Shardline: تجاوُز حدَّي الكتابة في Firestore',
  'page.name': 'Shardline',
  'page.title.view': '{view} – Shardline',
  'page.skip': 'الانتقال إلى العدّاد',
  'page.skip.main': 'الانتقال إلى المحتوى',
  'page.language': 'اللغة:',
  'page.heading': 'تجاوُز حدَّي الكتابة في Firestore',

  'contents.title': 'المحتويات',
  'contents.intro': 'قاعدة بيانات Firestore سريعة الكتابة، ولكن ليس في كل موضع: فالمستند الواحد يستقبل عملية كتابة واحدة تقريبًا في الثانية، والنطاق الواحد من '
    + 'الفهرس يستقبل نحو 500. وكل تطبيق ينمو يصطدم بهذين الحدَّين.\n\nفي هذه الفصول تُفسد الأشياء أولًا ثم تصلحها. وكل ما يتحرّك أمامك حقيقي: إنها المكتبة '
    + 'التي سيستخدمها تطبيقك، تعمل على Firestore داخل هذه الصفحة. لا شيء تثبّته، ولا حساب تنشئه، ويكفيك نحو خمس دقائق لكل فصل.',
  'contents.race': 'يضغط ألف شخص «أعجبني» في اللحظة نفسها: مستند واحد يحتسب نحو إعجاب واحد في الثانية، وعشرة أجزاء تحتسب نحو عشرة.',
  'contents.begin': 'ابدأ',
  'contents.done': '(مكتمل)',
  'contents.reference': 'مرجع واجهة برمجة التطبيقات',
  'contents.forget': 'إعادة ضبط تقدّمي',
  'chapter.number': 'الفصل {n, number}',
  'steps.title': 'خطوات هذا الفصل',
  'load-failure.title': 'لم يُحمَّل هذا القسم من الدرس',
  'load-failure.text': 'ربما انقطع الاتصال بالشبكة، أو صدرت نسخة أحدث من الدرس.',
  'load-failure.reload': 'إعادة تحميل الصفحة',
  'pager.steps': 'السابق والتالي',
  'pager.back': 'السابق',
  'pager.forward': 'التالي',

  'prediction.title': 'ماذا تتوقّع؟',
  'prediction.commit': 'إرسال تخميني',
  'prediction.skip': 'أرِني بلا تخمين',
  'prediction.missing-number': 'اكتب عددًا، مثل 100.',
  'prediction.missing-choice': 'اختر إجابة أولًا.',
  'prediction.outcome.computed': 'تخمينك: <b>{guess}</b>. والجواب: <b>{answer}</b>.',
  'prediction.answer.computed': 'الجواب: <b>{answer}</b>.',
  'prediction.outcome': 'تخمينك: <b>{guess}</b>. وما حدث فعلًا: <b>{answer}</b>.',
  'prediction.answer': 'ما حدث فعلًا: <b>{answer}</b>.',
  'prediction.kept': 'خمّنتَ: <b>{guess}</b>. ابدأ التشغيل لترى النتيجة.',
  'prediction.awaited': 'تخمينك: <b>{guess}</b>. سترى النتيجة {when, select, end {في نهاية التشغيل} other {بعد مرور {moment}}}.',
  'prediction.awaited.unguessed': 'سترى النتيجة {when, select, end {في نهاية التشغيل} other {بعد مرور {moment} من التشغيل}}.',
  'prediction.elsewhere': '{isGuessed, select, yes {تخمينك: <b>{guess}</b>. } other {}}إعدادات هذا التشغيل غير إعدادات السؤال. لترى الجواب، اختر '
    + 'إعدادات السؤال من جديد.',
  'run.start': 'بدء التشغيل',
  'run.busy': 'جارٍ حساب التشغيل…',
  'run.other-seed': 'تشغيل ببذرة أخرى',
  'run.seed': 'المصادفة تقرّر من يلتقي بمن. البذرة (seed) {seed} مكتوبة في عنوان هذه الصفحة. افتح ذلك العنوان لتكرار هذا التشغيل، أو غيّر البذرة '
    + 'لتشغيل آخر.',
  'stage.more': 'السرعة والبذرة والجداول',
  'stage.curtain': 'أعطِ جوابك أولًا، ثم تظهر الصورة هنا.',
  'picture.table': 'عرض كجدول',
  'player.title': 'المشغّل',
  'player.play': 'تشغيل',
  'player.pause': 'إيقاف مؤقت',
  'player.back': 'خطوة إلى الوراء',
  'player.forward': 'خطوة',
  'player.reset': 'إلى البداية',
  'player.position': 'الموضع في التشغيل',
  'player.speed': 'السرعة',
  'player.slower': '\u20661/{n, number}×\u2069',
  'player.faster': '\u2066{n, number}×\u2069',
  'player.time': '{now} من {end}',
  'tasks.title': 'جرّب هذا',
  'tasks.reached': 'أنجزتَ:',
  'tasks.state.reached': '(أُنجزت)',
  'tasks.state.open': '(لم تُنجَز بعد)',
  'sandbox.title': 'تجربة حرّة',
  'sandbox.text': 'هنا يمكنك تغيير كل إعدادات التشغيل في هذا الفصل. إعداداتك والبذرة محفوظة في عنوان هذه الصفحة. انسخ العنوان، وسيرى غيرك التشغيل '
    + 'نفسه.',
  'challenge.title': 'التحدّي',
  'challenge.result': 'نتيجتك',
  'challenge.awaited': 'سترى النتيجة في نهاية التشغيل.',
  'challenge.reached': 'تحقّق الهدف.',
  'challenge.missed': 'لم يتحقّق الهدف.',
  'challenge.best': 'أفضل نتيجة لك حتى الآن:',
  'code.title': 'الرمز البرمجي لتطبيقك',
  'code.copy': 'نسخ',
  'code.copied': 'تم النسخ.',
  'code.selected': 'تم تحديد الرمز البرمجي. انسخه بلوحة المفاتيح.',
  'trial.title': 'تشغيل الرمز البرمجي هنا',
  'trial.hint': 'غيّر الرمز البرمجي وشغّله هنا. <code>db</code> متصلة بقاعدة <code>firestore</code>، وهي قاعدة Firestore داخل هذه الصفحة، جديدة في كل تشغيل. أقصى مدة للتشغيل '
    + '{seconds, plural, zero {# ثانية} one {ثانية واحدة} two {ثانيتين} few {# ثوانٍ} many {# ثانية} other {# ثانية}}، وأقصى ما يُعرض {count, '
    + 'plural, zero {# مخرَج} one {مخرَج واحد} two {مخرَجان} few {# مخرَجات} many {# مخرَجًا} other {# مخرَج}}. يشغّل Ctrl+Enter الرمز البرمجي، '
    + 'وينقلك Tab إلى خارج الحقل.',
  'trial.judged': 'يقيّم التحدّي هذا الرمز البرمجي أيضًا: فوترته، والقيمة التي يعيدها.',
  'trial.run': 'تشغيل الرمز البرمجي',
  'trial.stop': 'إيقاف',
  'trial.reset': 'استعادة الرمز الأصلي',
  'trial.output': 'المخرجات',
  'trial.bill': 'فوترة التشغيل',
  'trial.loading': 'يبدأ تشغيل Firestore.',
  'trial.running': 'الرمز البرمجي قيد التشغيل.',
  'trial.end.done': 'انتهى الرمز البرمجي بعد {time}.',
  'trial.end.failed': 'انتهى الرمز البرمجي بخطأ.',
  'trial.end.late': 'أُوقف الرمز البرمجي لأنه استغرق أكثر من {seconds, plural, zero {# ثانية} one {ثانية واحدة} two {ثانيتين} few {# ثوانٍ} many '
    + '{# ثانية} other {# ثانية}}.',
  'trial.end.stopped': 'أوقفتَ الرمز البرمجي.',
  'trial.end.broken': 'تعذّر بدء الرمز البرمجي. ربما انقطع الاتصال بالشبكة، أو صدرت نسخة أحدث من الدرس. أعد تحميل الصفحة.',
  'trial.line': 'السطر {line, number}.',
  'trial.cut': 'لا يظهر لك إلا {count, plural, zero {أول # مخرَج} one {المخرَج الأول} two {أول مخرَجين} few {أول # مخرَجات} many {أول # مخرَجًا} '
    + 'other {أول # مخرَج}}.',

  'playground.title': 'ساحة التجربة',
  'playground.about': 'كل الإعدادات بين يديك: على Firestore داخل هذه الصفحة، أو على محاكي Google، أو على مشروع لك.',
  'playground.intro': 'كل ما يلي هو المكتبة الحقيقية أثناء عملها، على Firestore داخل هذه الصفحة أو على قاعدة بيانات لك. ويعرض السجلّ كل طلب وتكلفته.',

  'chapter.lost-answer.title': 'الردّ الذي ضاع',
  'chapter.lost-answer.about': 'التطبيق الذي يعيد المحاولة قد يعُدّ مرتين، والذي يضع علامة في كل دفعة كتابة يعُدّ مرة واحدة. وأنت من يقطع السلك.',
  'chapter.lost-answer.again.title': 'هل تعيد المحاولة؟',
  'chapter.lost-answer.again.text': 'يضغط أحدهم «أعجبني» بضع مرات، فيضيع ردٌّ واحد في طريق عودته. لا يستطيع التطبيق أن يعرف هل احتُسب إعجابه أم لا، '
    + 'فالردّ لا يصل في الحالتين.\n\nالتطبيق الأول يعيد المحاولة بكل بساطة. أما الثاني فيضع في كل دفعة كتابة (commit) <b>علامة</b> (marker): '
    + 'مستند صغير باسم عشوائي، لا ينشئه Firestore إلا إذا لم يكن موجودًا. وإذا كان موجودًا، رفض Firestore دفعة الكتابة كلها. وهكذا تُحتسب دفعة '
    + 'الكتابة مرة واحدة مهما تكرّر إرسالها. تقدَّم في التشغيل حدثًا بعد حدث.',
  'chapter.lost-answer.again.question': 'التطبيق الأول يعيد المحاولة. ماذا يعرض العدّاد في النهاية؟',
  'chapter.lost-answer.again.choice.less': 'إعجابات أقل من الضغطات',
  'chapter.lost-answer.again.choice.same': 'إعجابات بعدد الضغطات',
  'chapter.lost-answer.again.choice.more': 'إعجابات أكثر من الضغطات',
  'chapter.lost-answer.again.result': 'مع إعادة المحاولة: {pressed, plural, zero {لا ضغطات} one {ضغطة واحدة} two {ضغطتان} few {# ضغطات} many {# ضغطة} '
    + 'other {# ضغطة}}، <b>واحتُسب {counted, number}</b>. ومع العلامة: {markerPressed, plural, zero {لا ضغطات} one {ضغطة واحدة} two {ضغطتان} few {# '
    + 'ضغطات} many {# ضغطة} other {# ضغطة}}، <b>واحتُسب {markerCounted, number}</b>. حين لا يصل ردّ، يرسل التطبيق الثاني دفعة الكتابة نفسها مرة أخرى. '
    + 'فإذا رفضها Firestore، قرأ التطبيق العلامة: إنها موجودة، إذًا احتُسب الإعجاب.',
  'chapter.lost-answer.again.task.double': 'شاهد التطبيق الأول يحتسب ضغطة واحدة مرتين، والثاني يحتسبها مرة واحدة.',
  'chapter.lost-answer.again.task.refused': 'شاهد Firestore يرفض دفعة كتابة لأن علامتها موجودة من قبل.',
  'chapter.lost-answer.again.task.harmless': 'جِد خللًا لا يضرّ، حتى من دون علامة.',
  'knob.fault': 'نوع الخلل',
  'knob.fault.none': 'بلا خلل',
  'knob.fault.cut': 'يضيع الردّ',
  'knob.fault.lost': 'يضيع الطلب',
  'knob.fault.twice': 'يصل الطلب مرتين',
  'knob.fault.late': 'يصل الطلب متأخرًا',
  'knob.request': 'الطلب المتأثّر',
  'answers.naive': 'تطبيق يعيد المحاولة',
  'answers.marker': 'تطبيق له علامة',
  'answers.page': 'التطبيق',
  'answers.firestore': 'Firestore: قيمة العدّاد',
  'answers.legend': '▼ ضغطة، ✓ تأكيد، ● احتُسب، ○ لم يغيّر شيئًا، ✕ ضاع. الخط المتقطّع: أُعيد إرساله. الخط الرفيع: قراءة العلامة.',
  'answers.pressed': 'الضغطات:',
  'answers.counted': 'احتُسب:',
  'answers.confirmed': 'تأكّد:',
  'answers.summary': '{way}، بعد {time}: الضغطات {pressed, number}، والطلبات المرسَلة {sent, number}، والمحتسَب {counted, number}، والمؤكَّد {confirmed, number}.',
  'answers.column.request': 'الطلب',
  'answers.column.what': 'الإجراء',
  'answers.column.sent': 'الإرسال',
  'answers.column.arrived': 'الوصول',
  'answers.column.answer': 'الردّ',
  'answers.what.commit': 'إضافة 1',
  'answers.what.commit.again': 'إضافة 1 من جديد، لأن الطلب {number, number} بقي بلا ردّ',
  'answers.what.read': 'قراءة العلامة',
  'answers.what.read.again': 'قراءة العلامة، بعد الطلب {number, number}',
  'answers.arrived.counted': '{time}، واحتُسب',
  'answers.arrived.ignored': '{time}، ولم يغيّر شيئًا',
  'answers.none': 'لم يحدث',

  'chapter.sharded-query.title': 'الاستعلام المجزّأ',
  'chapter.sharded-query.about': 'يسأل Shardline كل الأجزاء معًا، ويدمج ردودها في قائمة واحدة بالترتيب الصحيح تمامًا.',
  'chapter.sharded-query.merge.title': 'الحِزم والدمج',
  'chapter.sharded-query.merge.text': 'هذه مجموعة <code>instruments</code> كما في وثائق Firestore. لكل مستند فيها قيمة جزء عشوائية، لذا فإن «أحدث 10» '
    + 'متناثرة بين الأجزاء كلها.\n\nيقبل <code>in</code> في Firestore ما يصل إلى 30 قيمة. لذا يقسّم Shardline قيم الأجزاء إلى <b>حِزم</b> (chunks)، '
    + 'وكل حزمة استعلام واحد مرتَّب حسب الوقت، ثم يدمج الردود. والحزمة التي تنفد أثناء الدمج تُسأل من جديد: وهذه <b>إعادة التعبئة</b>. ويُطلب من كل '
    + 'حزمة نصيبها من الصفحة وزيادة قليلة، لأن المصادفة لا توزّع المستندات بالتساوي.',
  'chapter.sharded-query.merge.question': 'تُسأل حزمتان لملء صفحة من 10 مستندات. كم قراءة يُفوتِرها Firestore؟',
  'chapter.sharded-query.merge.result': 'أرسل Shardline \u200f{requests, plural, zero {# طلب} one {طلبًا واحدًا} two {طلبين} few {# طلبات} many {# '
    + 'طلبًا} other {# طلب}} إلى {chunks, plural, zero {# حزمة} one {حزمة واحدة} two {حزمتين} few {# حِزم} many {# حزمة} other {# حزمة}}، {merged, '
    + 'plural, zero {ولم يدمج أي مستند} one {ودمج مستندًا واحدًا} two {ودمج مستندين} few {ودمج # مستندات} many {ودمج # مستندًا} other {ودمج # '
    + 'مستند}}. ويُفوتِر Firestore \u200f<b>{reads, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# قراءات} many {# قراءة} other {# '
    + 'قراءة}}</b>. {over, select, yes {{same, select, yes {القائمة هي تمامًا ما يعيده استعلام واحد بلا أجزاء.} other {القائمة تختلف عمّا يعيده '
    + 'استعلام واحد.}}} other {}}',
  'chapter.sharded-query.merge.task.tie': 'شاهد دمج مستندين لهما الوقت نفسه تمامًا: ابحث عن علامة «=» على إحدى البطاقات.',
  'chapter.sharded-query.merge.task.one': 'احصل على صفحة بطلب واحد، من دون قراءة زائدة واحدة.',
  'chapter.sharded-query.merge.task.refill': 'شاهد إعادة تعبئة. زيادة الحِزم وإطالة الصفحة تجعلانها أرجح.',
  'chapter.sharded-query.pages.title': 'الصفحة التالية',
  'chapter.sharded-query.pages.text': 'لا يضيّع <code>stream()</code> أي مستند جلبه: فبه تبدأ الصفحة التالية، ولا يُطلب إلا الباقي.',
  'chapter.sharded-query.pages.question': 'كم قراءة يُفوتِرها Firestore للصفحة الثانية من 10 مستندات؟',
  'chapter.sharded-query.pages.result': '{pages, plural, zero {لا صفحة كاملة بعد} one {صفحة واحدة} two {صفحتان} few {# صفحات} many {# صفحة} other '
    + '{# صفحة}}: {merged, plural, zero {# مستند} one {مستند واحد} two {مستندان} few {# مستندات} many {# مستندًا} other {# مستند}} مقابل '
    + '<b>{reads, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# قراءات} many {# قراءة} other {# قراءة}}</b>. {over, select, yes '
    + '{{same, select, yes {صفحةً بعد صفحة، هذا تمامًا ما يعيده استعلام واحد.} other {الصفحات تختلف عمّا يعيده استعلام واحد.}}} other {}}',
  'chapter.sharded-query.pages.task.cheap': 'شاهد صفحة ثانية لا تزيد قراءاتها المُفوتَرة على عدد مستنداتها.',
  'chapter.sharded-query.pages.task.last': 'واصِل حتى الصفحة الأخيرة.',
  'chapter.sharded-query.three-queries.title': 'الاستعلامات الثلاثة في وثائق Firestore',
  'chapter.sharded-query.three-queries.text': 'يمكنك أن تستعلم حسب النوع أو البورصة أو عملة السعر. ولكل استعلام فهرسه الخاص، والجزء في مقدّمته. '
    + 'ويمكنك أن تطلب الصفحة <b>كاملةً</b> من كل حزمة، وهذا يُسمّى <code>whole-page</code>: وهو لا يحتاج إلى إعادة تعبئة أبدًا، لكنه يكلّف أكثر '
    + 'القراءات.',
  'chapter.sharded-query.three-queries.result': '{requests, plural, zero {# طلب} one {طلب واحد} two {طلبان} few {# طلبات} many {# طلبًا} other {# طلب}}، '
    + '{merged, plural, zero {# مستند} one {مستند واحد} two {مستندان} few {# مستندات} many {# مستندًا} other {# مستند}}، '
    + '<b>{reads, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}</b>.',
  'chapter.sharded-query.three-queries.task.exchange': 'استعلِم عن بورصة واحدة.',
  'chapter.sharded-query.three-queries.task.currency': 'استعلِم عن الأسعار بالدولار الأمريكي.',
  'chapter.sharded-query.three-queries.task.whole-page': 'اكتشِف كم قراءة يكلّف طلب الصفحة كاملةً من كل حزمة.',
  'chapter.sharded-query.challenge.text': 'اجلب صفحة من <b>50 مستندًا مقابل 60 قراءة على الأكثر</b>. ووزّع المستندات على أكبر عدد ممكن من قيم '
    + 'الأجزاء: كل قيمة منها تضيف 500 عملية كتابة في الثانية.',
  'chapter.sharded-query.challenge.outcome': 'تكلفة الصفحة ({documents, plural, zero {# مستند} one {مستند واحد} two {مستندان} few {# مستندات} many '
    + '{# مستندًا} other {# مستند}}): <b>{reads, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# '
    + 'قراءة}}</b>{extra, plural, zero {. الحد الأقصى: {most, number}.} one {، بزيادة قراءة واحدة على الحد.} two {، بزيادة قراءتين على الحد.} few {، '
    + 'بزيادة # قراءات على الحد.} many {، بزيادة # قراءة على الحد.} other {، بزيادة # قراءة على الحد.}}',
  'chapter.sharded-query.challenge.code': 'أعاد الرمز البرمجي {right, plural, zero {# مستند} one {مستندًا واحدًا} two {مستندين} few {# مستندات} '
    + 'many {# مستندًا} other {# مستند}} من أحدث المستندات (عددها {limit, number})، والتكلفة: <b>{reads, plural, zero {# قراءة} one {قراءة واحدة} '
    + 'two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}</b>. الحد الأقصى: {most, number}.',
  'knob.shard-values': 'قيم الأجزاء',
  'knob.limit': 'المستندات في الصفحة',
  'knob.pages': 'الصفحات',
  'knob.query': 'الاستعلام',
  'knob.query.type': 'الأسهم العادية',
  'knob.query.exchange': 'البورصة 1',
  'knob.query.currency': 'بالدولار الأمريكي',
  'knob.chunk-reads': 'ما يُطلب من كل حزمة',
  'knob.chunk-reads.share': 'نصيبها من الصفحة',
  'knob.chunk-reads.whole-page': 'الصفحة كاملةً',
  'merge.chunk': 'الحزمة {n, number}: {shards, plural, zero {لا قيم} one {قيمة جزء واحدة} two {قيمتا جزء} few {# قيم أجزاء} many {# قيمة جزء} other {# قيمة جزء}}',
  'merge.asked': 'طُلب منها {count, number}…',
  'merge.asked-all': 'طُلب منها كل ما لديها…',
  'merge.asked-more': 'نفدت، فطُلب منها {count, number} أيضًا…',
  'merge.answered': 'أعادت {count, number}',
  'merge.result': 'القائمة المدموجة، والأحدث أولًا',
  'merge.legend': 'على كل بطاقة: وقت المستند بالدقائق والثواني، وتحته قيمة الجزء. «=»: الوقت نفسه على البطاقة السابقة. الإطار المتقطّع: دُمج بالفعل.',
  'merge.page': 'الصفحة {n, number}',
  'merge.summary': 'بعد {time}: الطلبات المرسَلة {requests, number}، والمستندات المجلوبة {fetched, number}، والمدموجة {merged, number}، والصفحات المكتملة {pages, number}.',
  'merge.column.number': 'الرقم',
  'merge.column.time': 'الوقت',
  'merge.column.symbol': 'الرمز',
  'merge.column.shard': 'الجزء',
  'merge.column.chunk': 'الحزمة',
  'merge.column.page': 'الصفحة',

  'chapter.your-indexes.title': 'فهارسك',
  'chapter.your-indexes.about': 'أفلِت ملف <code>firestore.indexes.json</code> لترى أي الفهارس ساخن ولماذا، وتحصل على الملف الذي يصلحها.',
  'chapter.your-indexes.hot.title': 'ما الفهارس الساخنة؟',
  'chapter.your-indexes.hot.text': 'في الأسفل ملف فهارس الأدوات المالية من الفصل السابق. وهو يضم فهرسين مركّبين، أي إن كلًّا منهما على عدة حقول. '
    + 'ويفهرس Firestore أيضًا كل حقل على حدة من تلقاء نفسه، وإن لم يذكر ذلك أي ملف.\n\nيكون الفهرس <b>ساخنًا</b> حين يأتي أولًا حقلٌ لا تكفّ قيمه '
    + 'عن التزايد: عندها يذهب كل إدخال جديد إلى الطرف نفسه، وهذا الطرف يستقبل نحو 500 عملية كتابة في الثانية.',
  'chapter.your-indexes.hot.question': 'كم فهرسًا ساخنًا في هذه المجموعة؟',
  'chapter.your-indexes.hot.sandbox': 'جرِّب كم عملية كتابة في الثانية يمرّرها فهرس ساخن',
  'chapter.your-indexes.hot.task.hidden': 'اعثر على فهرس ساخن لا يذكره أي ملف.',
  'chapter.your-indexes.hot.task.mend': 'عدّل الملف بيدك حتى لا يبقى أي فهرس مركّب ساخنًا، ولو احتمالًا: ضع <code>shard</code> في المقدّمة.',
  'chapter.your-indexes.rewrite.title': 'الملف الذي يصلحها',
  'chapter.your-indexes.rewrite.text': 'لا داعي لأن تفعل هذا بيدك. لكل فهرس مركّب فيه حقل يتزايد، يضيف Shardline الفهرس نفسه والجزء في مقدّمته. ولا يفعل ذلك إلا للمجموعات التي تحدّدها: فالفهرس الواحد يستقبل 500 عملية كتابة في الثانية، ولا تحتاج المجموعات الأخرى إلى أي تغيير.\n\nتحصل على ملفين. يُبقي الأول كل الفهارس القديمة، لأن الاستعلام الذي ينقصه فهرسه يفشل. وانشر الثاني، الخالي منها، حين لا تبقى أي جهة تستخدم الاستعلامات القديمة.\n\nجرّب ملفك أنت أيضًا، فهو لا يغادر هذه الصفحة.',
  'chapter.your-indexes.rewrite.task.clean': 'حدّد مجموعة واحصل على ملفين، ليس في الثاني منهما أي فهرس ساخن.',
  'chapter.your-indexes.rewrite.task.counters': 'أضف بنود العدّادات الموزَّعة: سياسة TTL تحذف العلامات القديمة.',
  'chapter.your-indexes.missing.title': 'الفهرس الناقص',
  'chapter.your-indexes.missing.text': 'الاستعلام الذي ينقصه فهرسه يفشل، ويردّ Firestore برابط. ويبيّن الرابط أي فهرس يريد. انظر قبل أن تنقر: فقد يطلب فهرسًا سيكون ساخنًا.',
  'chapter.your-indexes.missing.task.read': 'اقرأ أي فهرس تطلبه رسالة الخطأ.',
  'unit.hot-indexes': '{count, plural, zero {لا فهارس ساخنة} one {فهرس ساخن واحد} two {فهرسان ساخنان} few {# فهارس ساخنة} many {# فهرسًا ساخنًا} other {# فهرس ساخن}}',

  'indexes.file.choice': 'الملف',
  'indexes.file.instruments': 'أدوات مالية',
  'indexes.file.chat': 'محادثة',
  'indexes.file.own': 'ملفك',
  'indexes.file': 'firestore.indexes.json',
  'indexes.file.hint': 'اكتب هنا، أو الصِق نصًا، أو أفلِت ملفًا. لا شيء من ذلك يغادر هذه الصفحة.',
  'indexes.file.open': 'فتح ملف',
  'indexes.file.too-large': 'هذا الملف أكبر من أي ملف فهارس. اختر ملفًا آخر.',
  'indexes.file.unreadable': 'تتعذّر قراءة هذا الملف. اختر ملفًا آخر.',
  'indexes.findings': 'الفهارس الساخنة',
  'indexes.findings.count': 'ساخنة: {hot, number}. قد تكون ساخنة: {perhaps, number}.',
  'indexes.risk.hot': 'ساخن',
  'indexes.risk.perhaps': 'قد يكون ساخنًا',
  'indexes.why.single': 'يفهرس Firestore كل حقل على حدة، وهذا ما تعنيه العلامة «•». وقيمة <code>{field}</code> تتزايد، فتذهب كل الإدخالات الجديدة إلى طرف واحد. لا يذكر هذا الفهرس أي ملف، والخطوة التالية تبيّن متى توقفه.',
  'indexes.why.first': 'يأتي <code>{field}</code> أولًا وقيمته تتزايد، فتذهب كل الإدخالات الجديدة إلى طرف واحد من هذا الفهرس.',
  'indexes.why.behind': 'تتزايد قيمة <code>{field}</code> بعد <code>{front}</code>. فإذا تساوت قيمة <code>{front}</code> في معظم المستندات، ذهبت كل الإدخالات الجديدة إلى موضع واحد.',
  'indexes.perhaps': 'إذا كانت القيم تتزايد:',
  'indexes.candidates': 'أي هذه الحقول تتزايد قيمه؟',
  'indexes.candidates.hint': 'توحي أسماؤها بذلك، لكن الاسم لا يثبت شيئًا. حدّد الحقل إذا كانت قيمه تتزايد من مستند إلى الذي يليه.',
  'indexes.candidate': '<code>{field}</code> في <code>{collection}</code>',
  'indexes.busy': 'أي المجموعات تستقبل أكثر من 500 عملية كتابة في الثانية؟',
  'indexes.busy.hint': 'حدّد فقط ما يتزايد حقله فعلًا. وتبقى المجموعات الأخرى كما هي.',
  'indexes.busy.label': '<code>{collection}</code>، حيث يتزايد <code>{field}</code>',
  'indexes.ascending': 'تصاعدي',
  'indexes.descending': 'تنازلي',
  'indexes.shard-field': 'حقل الجزء',
  'indexes.shard-field.hint': 'يأخذ كل مستند جديد قيمة عشوائية فيه.',
  'indexes.counters': 'إضافة بنود العدّادات الموزَّعة',
  'indexes.rewritten': 'أولًا: firestore.indexes.json',
  'indexes.rewritten.later': 'لاحقًا: firestore.indexes.json من دون الفهارس القديمة',
  'indexes.before-after': 'الساخنة أو التي قد تكون ساخنة، سابقًا: {before, number}. وبعد الملف الثاني: {after, number}.',
  'indexes.changes': 'التغييرات وأسبابها',
  'indexes.changes.later': 'تغييرات الملف الثاني',
  'indexes.step.queries': 'الاستعلامات: اكتبها باستخدام <code>shardedCollection</code>، وأعطِ كل مستند جديد <code>{shard}</code>. أطلق عمليات الكتابة الآن، والاستعلامات بعد الخطوة الثالثة.',
  'indexes.step.backfill': 'المستندات الموجودة: أعطها <code>{shard}</code> باستخدام <code>backfill()</code>.',
  'indexes.step.indexes': 'الفهارس: انشر الملف الأول بالأمر <code>firebase deploy --only firestore:indexes</code>، وانتظر حتى يُنشئ Firestore الفهارس الجديدة. ثم أطلق الاستعلامات.',
  'indexes.step.remove': 'الفهارس القديمة: انشر الملف الثاني حين لا يبقى أي تطبيق منشور ولا أي خادم يستخدم الاستعلامات القديمة.',
  'indexes.kind.removed': 'محذوف.',
  'indexes.kind.added': 'مضاف.',
  'indexes.kind.exempted': 'مستثنى من الفهرسة.',
  'indexes.change.removed': 'في هذا الفهرس حقل يتزايد، وليس <code>{shard}</code> في مقدّمته.',
  'indexes.change.added': 'بوجود <code>{shard}</code> في المقدّمة، تتوزّع عمليات الكتابة على نطاقات بعدد الأجزاء.',
  'indexes.change.exempted': 'الفهرس على هذا الحقل وحده يكون ساخنًا أو يكلّفك عمليات كتابة بلا فائدة. والاستعلامات التي ترتّب حسبه وحده تتوقف عن '
    + 'العمل: استعلم من خلال <code>shardedCollection</code>.',
  'indexes.change.exempted.own': 'هذه مستندات Shardline نفسها، ولا تحتاج إلى معرفتها. لا يطلب أي استعلام حقلًا كهذا وحده، وفهرسه يكلّفك عمليات كتابة أو يكون ساخنًا.',
  'indexes.change.ttl': 'TTL: يحذف Firestore المستند بعد الوقت المسجّل في <code>{field}</code>، ولا يحتاج إلى فهرس لذلك.',
  'indexes.error': 'رسالة خطأ من Firestore',
  'indexes.error.hint': 'الصِق الرسالة كلها، أو الرابط الذي فيها. لا ترسل الصفحة شيئًا.',
  'indexes.error.sample': 'استخدام مثال',
  'indexes.entry': 'إلى ملف firestore.indexes.json',
  'indexes.entry.sharded': 'لأكثر من 500 عملية كتابة في الثانية: والجزء في المقدمة',
  'indexes.entry.asked': 'كما طلبه Firestore',
  'indexes.asks.composite': 'تطلب الرسالة هذا الفهرس المركّب:',
  'indexes.asks.single': 'تطلب الرسالة فهرسًا لهذا الحقل وحده:',
  'indexes.asks.risk.perhaps': 'يوحي اسم أحد حقول هذا الفهرس بقيم تتزايد. فإذا كانت تتزايد، وكانت المجموعة تستقبل أكثر من 500 عملية كتابة في الثانية، '
    + 'فضع حقل الجزء في المقدّمة واستخدم استعلامًا مجزّأً.',
  'indexes.asks.risk.none': 'لا يبدو أن في هذا الفهرس حقلًا يتزايد، لذا يستقبل من عمليات الكتابة ما تحتاج إليه.',

  'chapter.one-document.title': 'مستند واحد وكاتبون كثيرون',
  'chapter.one-document.about': 'يضغط الجميع «أعجبني» في آنٍ واحد، وعلى مستند واحد أن يعُدّ ذلك كله.',
  'chapter.one-document.many-writers.title': 'ألف إعجاب',
  'chapter.one-document.many-writers.text': 'يحفظ المنشور عدد الإعجابات به في حقل واحد من مستند واحد. وكل ضغطة على الزر هي عملية كتابة في ذلك المستند، وتضمن <code>increment(1)</code> '
    + 'ألّا تمحو أي ضغطة ضغطةً غيرها.\n\nينفّذ Firestore عمليات الكتابة في المستند الواحد واحدةً تلو الأخرى، بمعدّل عملية واحدة تقريبًا في الثانية على المدى الطويل. ويمكن أن يصل عدد قليل منها دفعة واحدة.',
  'chapter.one-document.many-writers.question': 'ضغط 1,000 شخص «أعجبني» في اللحظة نفسها. كم إعجابًا يُحتسب بعد 10 ثوانٍ؟',
  'chapter.one-document.many-writers.result': 'بعد {time}: {asked, plural, zero {لم يضغط أحد} one {ضغط شخص واحد} two {ضغط شخصان} few {ضغط # أشخاص} '
    + 'many {ضغط # شخصًا} other {ضغط # شخص}}، <b>{counted, plural, zero {ولم يُحتسب أي إعجاب} one {واحتُسب إعجاب واحد} two {واحتُسب إعجابان} few '
    + '{واحتُسبت # إعجابات} many {واحتُسب # إعجابًا} other {واحتُسب # إعجاب}}</b>. {conflicts, plural, zero {لم يُرفض أي طلب.} one {رُفض طلب واحد '
    + 'لأن أمامه طلبات كثيرة.} two {رُفض طلبان لأن أمامهما طلبات كثيرة.} few {رُفضت # طلبات لأن أمامها طلبات كثيرة.} many {رُفض # طلبًا لأن أمامها '
    + 'طلبات كثيرة.} other {رُفض # طلب لأن أمامها طلبات كثيرة.}} {failed, plural, zero {ولم يُبلَّغ أحد بالفشل.} one {وأُبلغ شخص واحد بأن إعجابه '
    + 'فشل.} two {وأُبلغ شخصان بأن إعجابيهما فشلا.} few {وأُبلغ # أشخاص بأن إعجاباتهم فشلت.} many {وأُبلغ # شخصًا بأن إعجاباتهم فشلت.} other '
    + '{وأُبلغ # شخص بأن إعجاباتهم فشلت.}}{judged, select, yes {\n\nبعد 10 ثوانٍ كان العدد {early, number}.} other {}}{over, select, yes {\n\nلا '
    + 'تفيد إعادة المحاولة فورًا، لأن المستند مشغول كما كان. ما يفيد هو زيادة عدد المستندات.} other {}}',
  'chapter.one-document.many-writers.task.lost': 'شاهد أحدهم يفقد إعجابه: واصل التشغيل حتى تفشل زيادة نهائيًا.',
  'chapter.one-document.many-writers.task.holds': 'جِد جمهورًا من خمسة أشخاص أو أكثر تُحتسب إعجاباتهم جميعًا خلال 10 ثوانٍ.',

  'chapter.distributed-counter.title': 'العدّاد الموزَّع',
  'chapter.distributed-counter.about': 'وزِّع العدد على عدة مستندات إلى أن يصمد العدّاد.',
  'chapter.distributed-counter.turn-up.title': 'زِد عدد الأجزاء',
  'chapter.distributed-counter.turn-up.text': '<b>العدّاد الموزَّع</b> يحفظ العدد في عدة مستندات هي <b>الأجزاء</b> (shards). تذهب كل زيادة إلى جزء عشوائي منها، والإجمالي هو مجموع '
    + 'الأجزاء كلها. وإذا تضاعف عدد الأجزاء، تضاعف عدد عمليات الكتابة التي تستقبلها.\n\nهنا يضغط 50 شخصًا «أعجبني» في كل ثانية، طوال 40 ثانية.',
  'chapter.distributed-counter.turn-up.question': 'مع 10 أجزاء، كم ضغطة تُحتسب في الثانية من أصل 50؟',
  'chapter.distributed-counter.turn-up.result': '{over, select, yes {مع {shards, plural, zero {# جزء} one {جزء واحد} two {جزأين} few {# أجزاء} many '
    + '{# جزءًا} other {# جزء}} احتُسبت <b>{counted, plural, zero {# زيادة} one {زيادة واحدة} two {زيادتان} few {# زيادات} many {# زيادة} other {# '
    + 'زيادة}} في الثانية</b>، والمطلوب {asked, number}. ومن كل 20 ضغطة محتسبة، استغرقت 19 ضغطة أقل من {wait}. {retries, plural, zero {ولم تكن هناك '
    + 'حاجة إلى إعادة إرسال أي طلب.} one {وأُعيد إرسال طلب واحد.} two {وأُعيد إرسال طلبين.} few {وأُعيد إرسال # طلبات.} many {وأُعيد إرسال # طلبًا.} '
    + 'other {وأُعيد إرسال # طلب.}} {failed, plural, zero {ولم تضِع أي زيادة.} one {وضاعت في النهاية زيادة واحدة.} two {وضاعت في النهاية زيادتان.} '
    + 'few {وضاعت في النهاية # زيادات.} many {وضاعت في النهاية # زيادة.} other {وضاعت في النهاية # زيادة.}}\n\n{holds, select, yes {العدّاد يصمد.} '
    + 'nearly {{shards, plural, zero {# جزء} one {جزء واحد} two {جزآن} few {# أجزاء} many {# جزءًا} other {# جزء}} تكفي لهذا الحِمل في المتوسط، لكن '
    + 'بعض الضغطات تلتقي عند الجزء نفسه، فينتظر الناس طويلًا: جرِّب عددًا أكبر.} other {العدّاد لا يصمد: فالناس ينتظرون طويلًا.}} وفق قاعدة عملية '
    + 'كتابة واحدة في الثانية لكل جزء، يحتاج هذا الحِمل إلى {needed, plural, zero {# جزء} one {جزء واحد} two {جزأين} few {# أجزاء} many {# جزءًا} '
    + 'other {# جزء}}. وما زاد على ذلك يُقصّر الانتظار حين تسوق المصادفة عدة ضغطات إلى الجزء نفسه.} other {بعد {time}: {pressed, plural, zero {لم '
    + 'يضغط أحد} one {ضغط شخص واحد} two {ضغط شخصان} few {ضغط # أشخاص} many {ضغط # شخصًا} other {ضغط # شخص}}، <b>{done, plural, zero {ولم تُحتسب أي '
    + 'ضغطة} one {واحتُسبت ضغطة واحدة} two {واحتُسبت ضغطتان} few {واحتُسبت # ضغطات} many {واحتُسبت # ضغطة} other {واحتُسبت # ضغطة}}</b>.}}',
  'chapter.distributed-counter.turn-up.task.crowded': 'شاهد جزءًا يرفض طلبًا لأن أمامه طلبات كثيرة.',
  'chapter.distributed-counter.turn-up.task.holds': 'زِد عدد الأجزاء إلى أن يصمد العدّاد: لا فشل لأحد، و19 من كل 20 ضغطة تستغرق أقل من ثانية.',
  'chapter.distributed-counter.challenge.text': 'تحمّل <b>300 ضغطة في الثانية</b> بأقل عدد ممكن من الأجزاء: لا تفشل أي ضغطة، و19 من كل 20 ضغطة '
    + 'تستغرق أقل من ثانية.\n\nهنا يضغط 300 شخص «أعجبني» في كل ثانية، طوال 20 ثانية.',
  'chapter.distributed-counter.challenge.outcome': 'مع {shards, plural, zero {# جزء} one {جزء واحد} two {جزأين} few {# أجزاء} many {# جزءًا} other '
    + '{# جزء}}، {failed, plural, zero {لم تفشل أي ضغطة} one {فشلت ضغطة واحدة} two {فشلت ضغطتان} few {فشلت # ضغطات} many {فشلت # ضغطة} other {فشلت # '
    + 'ضغطة}}، واستغرقت 19 من كل 20 ضغطة أقل من {wait}. الهدف أقل من ثانية.',

  'chapter.reading.title': 'تكلفة القراءة',
  'chapter.reading.about': 'اقرأ كل أجزاء العدد، أو دَع الخادم يجمعها، أو شارِك إجماليًا واحدًا.',
  'chapter.reading.three-ways.title': 'ثلاث طرق إلى عدد واحد',
  'chapter.reading.three-ways.text': 'عمليات الكتابة موزَّعة الآن على الأجزاء، وعلى القراءة أن تجمعها كلها. ويُفوتِر Firestore كل مستند '
    + 'يُقرأ.\n\nمثال Firebase <b>يقرأ كل الأجزاء</b> ويجمعها. ويمكن للخادم أن <b>يجمعها</b> بنفسه، فتُفوتَر قراءة واحدة لما يصل إلى 1,000 جزء. أو '
    + 'يمكن لكل القرّاء أن <b>يتشاركوا إجماليًا</b> محفوظًا في مستند مستقل، يحدّثه أحدهم متى مضى عليه أكثر من ثانية. وهذا للعدّادات التي تزيد أجزاؤها '
    + 'على 1,000: فمع عدد أقل، كما هنا، يكلّف أكثر من مجموع الخادم.\n\nهنا ينظر كل قارئ إلى الإجمالي مرة كل ثانية تقريبًا، طوال 20 ثانية، بالطرق '
    + 'الثلاث في آنٍ واحد.',
  'chapter.reading.three-ways.question': '50 جزءًا و20 قارئًا و20 ثانية: كم قراءة تُفوتَر إذا قرأ كل قارئ كل الأجزاء؟',
  'chapter.reading.three-ways.result': 'القراءات المُفوتَرة لـ{totals, plural, zero {# إجمالي} one {إجمالي واحد} two {إجماليَّين} few {# إجماليات} '
    + 'many {# إجماليًا} other {# إجمالي}} من {shards, plural, zero {# جزء} one {جزء واحد} two {جزأين} few {# أجزاء} many {# جزءًا} other {# جزء}}: '
    + '<b>{all, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}</b> عند قراءة كل الأجزاء، '
    + 'و<b>{sum, number}</b> إذا جمعها الخادم، و<b>{shared, number}</b> من إجمالي مشترك.\n\nوإذا استمر ذلك شهرًا، فالتكلفة نحو <b>{dollarsAll}</b> '
    + 'بالطريقة الأولى و<b>{dollarsSum}</b> بالثانية. والمشاركة توفّر حين تزيد الأجزاء على 1,000، إذ يُفوتِر Firestore عندها أكثر من قراءة لكل مجموع.',
  'chapter.reading.three-ways.task.dear': 'اجعل الطريقة الأولى تكلّف 100,000 قراءة في 20 ثانية.',
  'chapter.reading.three-ways.task.same': 'جِد إعدادًا لا تزيد فيه تكلفة قراءة كل الأجزاء على قراءة واحدة لكل إجمالي.',

  'chapter.live.title': 'إجماليات مباشرة',
  'chapter.live.about': 'الصفحة التي تسأل تدفع ثمن كل سؤال. شاهد متى يكون الاستماع أوفر.',
  'chapter.live.ask-or-listen.title': 'السؤال أم الاستماع',
  'chapter.live.ask-or-listen.text': 'يغيّر أشخاص آخرون الإجمالي بينما تعرضه صفحتك. يمكن لصفحتك أن <b>تسأل</b> كل بضع ثوانٍ، فيُفوتِر '
    + 'Firestore قراءة لكل سؤال، حتى إذا لم يتغيّر شيء. ويمكنها أن <b>تستمع</b>: عندئذٍ يرسل الخادم كل جزء يتغيّر. ويُفوتِر Firestore '
    + 'الإجمالي الأول وكل جزء مرة واحدة، ثم كل تغيير في أي جزء.\n\nإذا تتابعت التغييرات بسرعة كبيرة، تسأل <code>watch()</code> كل ثانية حتى تقلّ '
    + 'التغييرات من جديد. وباستخدام <code>readsPerHour</code> تضع <b>حدًّا</b>: أعلى فاتورة في الساعة. وعند الاقتراب من الحدّ تسأل الصفحة '
    + 'بوتيرة أقل، ويظل عددها يتحرك.\n\nهنا تعرض صفحة عدّادًا من 10 أجزاء طوال ساعة، بثلاث طرق معًا. ما يعمل هو شيفرة Shardline نفسها، في '
    + 'زمن افتراضي. و<b>الإجمالي المنشور</b> أرخص من ذلك لعدّاد كثير التغيّر: فالصفحة التي تستمع إليه تدفع قراءة واحدة كلما نُشر.',
  'chapter.live.ask-or-listen.question': 'تعرض صفحة عدّادًا من 10 أجزاء طوال ساعة، ويضغط شخصان «أعجبني» كل دقيقة. كم قراءة يُفوتِر '
    + 'Firestore إذا كانت الصفحة تستمع؟',
  'chapter.live.ask-or-listen.result': 'بعد {time}، فوتَر Firestore <b>{ask, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# '
    + 'قراءات} many {# قراءة} other {# قراءة}}</b> إذا كانت الصفحة تسأل كل {every, plural, zero {# ثانية} one {ثانية} two {ثانيتين} few {# '
    + 'ثوانٍ} many {# ثانية} other {# ثانية}}، و<b>{listen, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# قراءات} many {# '
    + 'قراءة} other {# قراءة}}</b> إذا كانت تستمع. ومع حدّ قدره {bound, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# '
    + 'قراءات} many {# قراءة} other {# قراءة}} في الساعة، فوتَر <b>{bounded, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# '
    + 'قراءات} many {# قراءة} other {# قراءة}}</b>.{seen, select, yes {\n\nظهر أبطأ إعجاب بعد {askLate} إذا كانت الصفحة تسأل، وبعد '
    + '{listenLate} إذا كانت تستمع، وبعد {boundedLate} مع الحدّ.} other {}}{over, select, yes {\n\nإذا شاهد الصفحةَ {people, plural, zero '
    + '{# شخص} one {شخص واحد} two {شخصان} few {# أشخاص} many {# شخصًا} other {# شخص}} ساعة كل يوم، فتكلفة الشهر نحو <b>{dollarsAsk}</b> '
    + 'و<b>{dollarsListen}</b> و<b>{dollarsBounded}</b>.} other {}}',
  'chapter.live.ask-or-listen.task.quiet': 'دَع ساعة تمرّ من دون أي إعجاب، وقارِن بين القراءات المُفوتَرة.',
  'chapter.live.ask-or-listen.task.busy': 'جِد حِملًا تدفع معه الصفحة التي تستمع أكثر من الصفحة التي تسأل.',
  'chapter.live.ask-or-listen.task.hidden': 'أخفِ علامة التبويب، وشاهد أي الطرق تستمر في الدفع.',
  'knob.likes': 'الإعجابات في الدقيقة',
  'knob.every': 'الثواني بين سؤالين',
  'knob.tab': 'علامة التبويب',
  'knob.tab.shown': 'ظاهرة طوال الساعة',
  'knob.tab.hidden': 'مخفية في الثلث الأوسط من الساعة',
  'series.reads': 'القراءات المُفوتَرة حتى الآن',
  'code.note.asks': 'تسأل',
  'code.note.listens': 'تستمع',
  'code.note.bounded': 'تستمع بحدّ',
  'live.way.ask': 'الصفحة تسأل',
  'live.way.listen': 'الصفحة تستمع',
  'live.way.bounded': 'تستمع بحدّ',
  'live.key.shown': '{people, plural, zero {# إعجاب} one {إعجاب واحد} two {إعجابان} few {# إعجابات} many {# إعجابًا} other {# إعجاب}} على '
    + 'الصفحة',
  'live.key.missing': 'لم يظهر على الصفحة بعد',
  'live.shown': '{behind, plural, =0 {تعرض {shown, number}} zero {تعرض {shown, number}} one {تعرض {shown, number}، والناقص #} two {تعرض '
    + '{shown, number}، والناقص #} few {تعرض {shown, number}، والناقص #} many {تعرض {shown, number}، والناقص #} other {تعرض {shown, '
    + 'number}، والناقص #}}',
  'live.tab': 'علامة التبويب مخفية.',
  'live.number': 'العدد على الصفحة',
  'live.behind': 'الإعجابات الناقصة',
  'live.latest': 'أبطأ إعجاب',
  'live.summary': 'بعد {time}، فوتَر Firestore {ask, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# قراءات} many {# قراءة} '
    + 'other {# قراءة}} للصفحة التي تسأل، و{listen, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# قراءات} many {# قراءة} '
    + 'other {# قراءة}} للصفحة التي تستمع، و{bounded, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتين} few {# قراءات} many {# قراءة} '
    + 'other {# قراءة}} مع الحدّ.',

  'chapter.hot-range.title': 'النطاق الساخن',
  'chapter.hot-range.about': 'لماذا تبطؤ الكتابة مع طابع زمني متزايد مهما كثُرت المستندات؟',
  'chapter.hot-range.tablets.title': 'الألواح تمتلئ وتنقسم',
  'chapter.hot-range.tablets.text': 'كل حدث جديد مستند مستقل، فلا يتلقّى أي مستند عمليات كتابة أكثر مما يحتمل. لكن Firestore يحتفظ <b>بفهرس</b> لكل حقل، مرتَّب حسب القيمة، '
    + 'ويقطّعه إلى <b>ألواح</b> (tablets): وهي نطاقات من المفاتيح يستقبل كلٌّ منها نحو 500 عملية كتابة في الثانية. واللوح الذي يُطلب منه أكثر من ذلك لوحٌ <b>ساخن</b>، ويُقسَم '
    + 'بعد مدة إلى اثنين.\n\nأما الطابع الزمني فيتزايد. لذا يذهب كل إدخال جديد إلى آخر الفهرس تمامًا، أي إلى اللوح الأخير، مهما تكرّر انقسامه.\n\nوالحل حقلٌ اسمه '
    + '<code>shard</code>، تُختار قيمته عشوائيًا لكل مستند من بضع قيم. لا مستندات مستقلة هذه المرة: فالجزء هنا مجرد قيمة في كل حدث. وللفهرس المرتَّب حسب الجزء ثم الوقت نهاية عند كل قيمة منها.\n\nهنا يصل 900 حدث في كل ثانية، طوال 20 ثانية.',
  'chapter.hot-range.tablets.question': 'يرسل التطبيق 900 مستند في كل ثانية. كم مستندًا في الثانية يكتبه Firestore؟',
  'chapter.hot-range.tablets.result': '{over, select, yes {{index, select, time {مع فهرس الوقت وحده} shard {مع فهرس الجزء ثم الوقت (عدد الأجزاء '
    + '{shards, number})} other {مع فهرس يتصدّره الجزء (عدد الأجزاء {shards, number}) وإبقاء الفهرس القديم للوقت وحده}} يمرّ <b>{written, plural, '
    + 'zero {# مستند} one {مستند واحد} two {مستندان} few {# مستندات} many {# مستندًا} other {# مستند}} في الثانية</b> من أصل {asked, number}.} '
    + 'other {بعد {time}: أرسل التطبيق {came, plural, zero {# مستند} one {مستندًا واحدًا} two {مستندين} few {# مستندات} many {# مستندًا} other {# '
    + 'مستند}}، <b>{done, plural, zero {ولم يُكتب أي مستند} one {وكُتب مستند واحد} two {وكُتب مستندان} few {وكُتبت # مستندات} many {وكُتب # '
    + 'مستندًا} other {وكُتب # مستند}}</b>.}} {tablets, plural, zero {لا يوجد فهرس للوقت وحده.} one {فهرس الوقت وحده لوح واحد.} two {أصبح فهرس '
    + 'الوقت وحده لوحين، وكل الإدخالات الجديدة تذهب إلى اللوح الأخير.} few {أصبح فهرس الوقت وحده # ألواح، وكل الإدخالات الجديدة تذهب إلى اللوح '
    + 'الأخير.} many {أصبح فهرس الوقت وحده # لوحًا، وكل الإدخالات الجديدة تذهب إلى اللوح الأخير.} other {أصبح فهرس الوقت وحده # لوح، وكل الإدخالات '
    + 'الجديدة تذهب إلى اللوح الأخير.}}{over, select, yes {\n\n{index, select, time {الانقسام لا يفيد، لأنه لا يفصل إلا الإدخالات القديمة.} shard '
    + '{حين يكون الجزء في المقدّمة، تذهب الإدخالات الجديدة إلى عدة مواضع في آنٍ واحد، موضع لكل جزء. في البداية تكون كلها في لوح واحد، وحين ينقسم '
    + 'ما بينها يصبح لكل جزء لوحه الخاص.} other {الفهرس القديم يُكتب أيضًا، والكل ينتظره. ولهذا يجب أن يُزال: استثنِ الحقل من الفهرسة.}}} other {}}',
  'chapter.hot-range.tablets.task.split': 'بفهرس الوقت وحده، شاهد لوحًا ينقسم ثم يصبح اللوح الجديد ساخنًا من جديد.',
  'chapter.hot-range.tablets.task.old-index': 'ضع جزءًا في المقدّمة واترك الفهرس القديم في مكانه: سترى أن ذلك لا يفيد.',
  'chapter.hot-range.tablets.task.spread': 'مرِّر أكثر من 800 مستند في الثانية.',
  'chapter.hot-range.challenge.text': 'مرِّر <b>2,000 حدث في الثانية</b> بأقل عدد ممكن من الأجزاء: يكتب Firestore ما لا يقل عن 1,900 مستند في '
    + 'الثانية، في المتوسط خلال 15 ثانية.\n\nفي هذا التشغيل يقسم Firestore اللوح الساخن أسرع مما في الخطوة الأولى، كي لا تنتظر طويلًا.',
  'chapter.hot-range.challenge.outcome': 'كتب Firestore <b>{written, plural, zero {# مستند} one {مستندًا واحدًا} two {مستندين} few {# مستندات} many '
    + '{# مستندًا} other {# مستند}} في الثانية</b>.{missing, plural, zero {} one { وينقص مستند واحد في الثانية لبلوغ الهدف.} two { وينقص مستندان في '
    + 'الثانية لبلوغ الهدف.} few { وتنقص # مستندات في الثانية لبلوغ الهدف.} many { وينقص # مستندًا في الثانية لبلوغ الهدف.} other { وينقص # مستند في '
    + 'الثانية لبلوغ الهدف.}}',

  'chapter.ids.title': 'المعرّفات تحت الحِمل',
  'chapter.ids.about': 'أرقام لـ1,000 مستخدم: بطيئة، أو خاطئة، أو في كُتل.',
  'chapter.ids.three-ways.title': 'ثلاث طرق إلى الرقم التالي',
  'chapter.ids.three-ways.text': 'أراد فريقٌ أن يرقّم سجلّاته، فاختبر ذلك مع 1,000 مستخدم، بمعدّل عشرة إضافيين كل ثانية، طوال دقيقتين.\n\n'
    + '<b>المعاملة</b> تقرأ عدّادًا وتزيده واحدًا ثم تكتبه. و<b>مجموع الأجزاء</b> يزيد جزءًا واحدًا من 50 جزءًا، ثم يتخذ مجموع الأجزاء كلها معرّفًا. '
    + 'أما <b>الكُتل</b> فتأخذ 50 معرّفًا دفعة واحدة من جزء واحد من 50 جزءًا، ولكل جزء معرّفاته الخاصة به.',
  'chapter.ids.three-ways.question': 'المعرّف هو مجموع 50 جزءًا. كم مرة يحصل مستخدم على معرّف يملكه مستخدم آخر من قبل؟',
  'chapter.ids.three-ways.result': '{method, select, transaction {بالمعاملات} sum {من مجموع الأجزاء} other {في كُتل}}: '
    + '<b>{given, plural, zero {# معرّف} one {معرّف واحد} two {معرّفان} few {# معرّفات} many {# معرّفًا} other {# معرّف}}</b> حتى الآن، '
    + '<b>{duplicates, plural, zero {ولم يتكرّر أي منها} one {تكرّر واحد منها} two {تكرّر اثنان منها} few {تكرّر # منها} many {تكرّر # منها} other {تكرّر # منها}}</b>.'
    + '{over, select, yes { وخلال دقيقتَي الحِمل كان معدّل المعرّفات في الثانية {rate, number}، '
    + '{failed, plural, zero {ولم يفشل أي طلب للحصول على معرّف} one {وفشل طلب واحد للحصول على معرّف} two {وفشل طلبان للحصول على معرّف} few {وفشلت # طلبات للحصول على معرّف} many {وفشل # طلبًا للحصول على معرّف} other {وفشل # طلب للحصول على معرّف}}.\n\n'
    + '{method, select, transaction {هذه الطريقة صحيحة، لكنها بطيئة بطء المستند الواحد.} sum {هذه الطريقة سريعة، لكنها خاطئة: فبين الزيادة والجمع يزيد آخرون أيضًا، ويرى الجميع المجموع نفسه.} '
    + 'other {هذه الطريقة صحيحة وسريعة: فلا يملك عميلان الكتلة نفسها أبدًا. وما لا يستخدمه العميل يترك فجوة.}}} other {}}',
  'chapter.ids.three-ways.task.twice': 'شاهد المعرّف نفسه يُعطى مرتين.',
  'chapter.ids.three-ways.task.slow': 'تابِع الطريقة الصحيحة البطيئة حتى نهايتها.',
  'chapter.ids.three-ways.task.unique': 'أعطِ أكثر من 100 معرّف في الثانية من دون أن يتكرّر أي منها.',
  'chapter.ids.challenge.text': 'امنح معرّفات لـ<b>1,000 مستخدم</b>: لا يتكرّر أي معرّف، ولا يبقى أي طلب بلا معرّف، و19 من كل 20 طلبًا تستغرق أقل من '
    + 'ثانية. واترك أقل عدد ممكن من المعرّفات بلا استخدام.\n\nالكُتل الصغيرة تترك معرّفات أقل بلا استخدام. لكنها تحتاج إلى دفعات كتابة أكثر، ودفعات '
    + 'الكتابة التي تلتقي عند الجزء نفسه تنتظر.',
  'chapter.ids.challenge.outcome': '{duplicates, plural, zero {لم يتكرّر أي معرّف} one {تكرّر معرّف واحد} two {تكرّر معرّفان} few {تكرّرت # معرّفات} '
    + 'many {تكرّر # معرّفًا} other {تكرّر # معرّف}}، {failed, plural, zero {وحصل كل طلب على معرّف} one {وبقي طلب واحد بلا معرّف} two {وبقي طلبان '
    + 'بلا معرّف} few {وبقيت # طلبات بلا معرّف} many {وبقي # طلبًا بلا معرّف} other {وبقي # طلب بلا معرّف}}، واستغرقت 19 من كل 20 طلبًا أقل من '
    + '{wait}.{blocks, select, yes { وبقي بلا استخدام {unused, plural, zero {# معرّف} one {معرّف واحد} two {معرّفان} few {# معرّفات} many {# '
    + 'معرّفًا} other {# معرّف}}.} other {}}',
  'chapter.ids.challenge.code': 'أعاد الرمز البرمجي {ids, plural, zero {# معرّف} one {معرّفًا واحدًا} two {معرّفين} few {# معرّفات} many {# '
    + 'معرّفًا} other {# معرّف}}، {duplicates, plural, zero {ولم يتكرّر أي معرّف} one {وتكرّر معرّف واحد} two {وتكرّر معرّفان} few {وتكرّرت # '
    + 'معرّفات} many {وتكرّر # معرّفًا} other {وتكرّر # معرّف}}. التكلفة: <b>{writes, plural, zero {# عملية كتابة} one {عملية كتابة واحدة} two '
    + '{عمليتا كتابة} few {# عمليات كتابة} many {# عملية كتابة} other {# عملية كتابة}}</b>. الهدف: {goal, plural, zero {# معرّف} one {معرّف واحد} '
    + 'two {معرّفان} few {# معرّفات} many {# معرّفًا} other {# معرّف}} بلا تكرار.',

  'chapter.tickets.title': '500 تذكرة',
  'chapter.tickets.about': 'يضغط 1,000 شخص في اللحظة نفسها. بِع كل تذكرة، ولا تبِع واحدة زائدة.',
  'chapter.tickets.rush.title': 'الجميع في آنٍ واحد',
  'chapter.tickets.rush.text': 'تبيع 500 تذكرة، ويضغط 1,000 شخص في اللحظة نفسها، وكلٌّ منهم يريد تذكرة واحدة. تجرّب ذلك ثلاثة تطبيقات.\n\n<b>التطبيق '
    + 'الساذج</b> يقرأ عدد التذاكر المبيعة، ثم يزيد أحد الأجزاء إذا بقيت تذاكر. و<b>المعاملة</b> تقرأ مستندًا واحدًا، ولا تكتبه إلا إذا لم يغيّره '
    + 'عميل آخر. أما <b>المخزون</b> فيوزّع التذاكر على الأجزاء: يقرأ جزءًا واحدًا، ولا يأخذ منه تذكرة إلا إذا لم يتغيّر منذ قراءته. وإذا كان الجزء '
    + 'فارغًا، يبحث Shardline عن جزء فيه تذاكر.',
  'chapter.tickets.rush.question': 'هناك 500 تذكرة. كم تذكرة يبيعها التطبيق الساذج؟',
  'chapter.tickets.rush.result': 'بعد {time} باع التطبيق الساذج <b>{naive, plural, zero {# تذكرة} one {تذكرة واحدة} two {تذكرتين} few {# تذاكر} many '
    + '{# تذكرة} other {# تذكرة}}</b>، وباعت المعاملة <b>{transaction, number}</b>، وباع المخزون <b>{stock, number}</b>.{over, select, yes '
    + '{\n\n{oversold, plural, zero {لم يبع التطبيق الساذج هذه المرة أي تذكرة زائدة.} one {باع التطبيق الساذج تذكرة واحدة زائدة.} two {باع التطبيق '
    + 'الساذج تذكرتين زائدتين.} few {باع التطبيق الساذج # تذاكر زائدة.} many {باع التطبيق الساذج # تذكرة زائدة.} other {باع التطبيق الساذج # تذكرة '
    + 'زائدة.}} فالجميع قرأ العدد قبل أن تصل أول زيادة. والمعاملة لا تبيع التذكرة مرتين، لكن المستند الواحد يستقبل عملية كتابة واحدة تقريبًا في '
    + 'الثانية، {failed, plural, zero {ولم يرَ أحد خطأ} one {فرأى شخص واحد خطأ} two {فرأى شخصان خطأ} few {فرأى # أشخاص خطأ} many {فرأى # شخصًا خطأ} '
    + 'other {فرأى # شخص خطأ}}، {waiting, plural, zero {ولم يبقَ أحد في الانتظار} one {وبقي شخص واحد في الانتظار} two {وبقي شخصان في الانتظار} few '
    + '{وبقي # أشخاص في الانتظار} many {وبقي # شخصًا في الانتظار} other {وبقي # شخص في الانتظار}}.\n\nأما المخزون فيبيع كل تذكرة مرة واحدة. '
    + '{refused, plural, zero {لم يُبلَّغ أحد بنفاد التذاكر} one {أُبلغ شخص واحد بنفاد التذاكر} two {أُبلغ شخصان بنفاد التذاكر} few {أُبلغ # أشخاص '
    + 'بنفاد التذاكر} many {أُبلغ # شخصًا بنفاد التذاكر} other {أُبلغ # شخص بنفاد التذاكر}}، {errors, plural, zero {ولم يرَ أحد خطأ} one {ورأى شخص '
    + 'واحد خطأ} two {ورأى شخصان خطأ} few {ورأى # أشخاص خطأ} many {ورأى # شخصًا خطأ} other {ورأى # شخص خطأ}}. وصل نصف الردود خلال {half}، ووصلت كلها '
    + 'تقريبًا خلال {most}.} other {}}',
  'chapter.tickets.rush.task.oversold': 'شاهد التطبيق الساذج يبيع تذكرة زائدة.',
  'chapter.tickets.rush.task.exact': 'شاهد المخزون يبيع التذاكر كلها، وهي 500 تذكرة، ويصل إلى الجميع ردّ بلا خطأ.',
  'chapter.tickets.rush.task.slow': 'جِد عددًا من الأجزاء لا يكفي: تستغرق آخر ردود المخزون أكثر من 20 ثانية.',
  'chapter.tickets.holds.title': 'احجز ثم ادفع',
  'chapter.tickets.holds.text': 'يحتاج الدفع إلى وقت. تحجز <code>holdFor</code> التذكرة لمدة 10 دقائق، وتجعل <code>confirm()</code> الحجز نهائيًا. '
    + 'وبعض الناس لا يدفعون أبدًا، فيجب أن تعود تذاكرهم، وإلا فلن تستطيع بيعها.\n\nهنا تبيع 100 تذكرة طوال ربع ساعة. يأتي شخص كل ثانيتين. يدفع نصف '
    + 'الناس بعد دقيقة إلى ثلاث دقائق، ويغلق الباقون الصفحة.',
  'chapter.tickets.holds.question': 'من يعيد التذكرة حين تنتهي الدقائق العشر؟',
  'chapter.tickets.holds.choice.server': 'خادم يعمل وفق جدول زمني',
  'chapter.tickets.holds.choice.lost': 'لا أحد: تضيع التذكرة',
  'chapter.tickets.holds.choice.next': 'الشخص التالي الذي لا يجد تذكرة',
  'chapter.tickets.holds.result': 'بعد {time}: {paid, plural, zero {لم يُدفع ثمن أي تذكرة} one {دُفع ثمن تذكرة واحدة} two {دُفع ثمن تذكرتين} few '
    + '{دُفع ثمن # تذاكر} many {دُفع ثمن # تذكرة} other {دُفع ثمن # تذكرة}}، {held, plural, zero {ولا حجز ساريًا} one {وهناك حجز واحد سارٍ} two '
    + '{وهناك حجزان ساريان} few {وهناك # حجوزات سارية} many {وهناك # حجزًا ساريًا} other {وهناك # حجز سارٍ}}، {ended, plural, zero {ولا حجز منتهيًا '
    + 'ينتظر من يأخذه} one {وهناك حجز واحد منتهٍ ينتظر من يأخذه} two {وهناك حجزان منتهيان ينتظران من يأخذهما} few {وهناك # حجوزات منتهية تنتظر من '
    + 'يأخذها} many {وهناك # حجزًا منتهيًا ينتظر من يأخذه} other {وهناك # حجز منتهٍ ينتظر من يأخذه}}. <b>{returned, plural, zero {لم تنتقل أي تذكرة} '
    + 'one {انتقلت تذكرة واحدة} two {انتقلت تذكرتان} few {انتقلت # تذاكر} many {انتقلت # تذكرة} other {انتقلت # تذكرة}} إلى شخص ثانٍ.</b> {refused, '
    + 'plural, zero {لم يُبلَّغ أحد بنفاد التذاكر.} one {أُبلغ شخص واحد بنفاد التذاكر.} two {أُبلغ شخصان بنفاد التذاكر.} few {أُبلغ # أشخاص بنفاد '
    + 'التذاكر.} many {أُبلغ # شخصًا بنفاد التذاكر.} other {أُبلغ # شخص بنفاد التذاكر.}}{late, plural, zero {} one { وتأخّر شخص واحد عن الدفع.} two '
    + '{ وتأخّر شخصان عن الدفع.} few { وتأخّر # أشخاص عن الدفع.} many { وتأخّر # شخصًا عن الدفع.} other { وتأخّر # شخص عن الدفع.}}{over, select, yes '
    + '{\n\nلا تحتاج إلى خادم ولا إلى جدول زمني. فمن لا يجد تذكرة يبحث عن حجز منتهٍ، ويعيد تذكرته، ثم يأخذها. وساعة الخادم هي الحَكَم، فلا تغيّر '
    + 'ساعةٌ خاطئة في أحد الأجهزة شيئًا.} other {}}',
  'chapter.tickets.holds.task.returned': 'شاهد تذكرة تنتقل إلى شخص ثانٍ بعد انتهاء حجزها.',
  'chapter.tickets.holds.task.late': 'قصِّر الحجز حتى يتأخّر شخص عن الدفع.',
  'knob.hold': 'مدة الحجز بالدقائق',
  'knob.paying': 'عدد الذين يدفعون من كل 100 شخص',
  'unit.tickets': '{count, plural, zero {# تذكرة} one {تذكرة واحدة} two {تذكرتان} few {# تذاكر} many {# تذكرة} other {# تذكرة}}',
  'series.tickets': 'التذاكر المبيعة حتى الآن',
  'series.people': 'الأشخاص حتى الآن',
  'series.taken': 'حصلوا على تذكرة',
  'series.refused': 'أُبلغوا بالنفاد',
  'series.paid': 'دفعوا',
  'rush.way.naive': 'التطبيق الساذج',
  'rush.way.transaction': 'المعاملة',
  'rush.way.stock': 'المخزون',
  'rush.sold': 'مبيعة',
  'rush.oversold': 'مبيعة وزائدة',
  'rush.refused': 'أُبلغوا بالنفاد',
  'rush.failed': 'رأوا خطأ',
  'rush.waiting': 'في الانتظار',
  'rush.numbers': 'المبيعة: {sold, number}{oversold, plural, zero {} one {، منها واحدة زائدة} two {، منها اثنتان زائدتان} few {، منها # زائدة} many '
    + '{، منها # زائدة} other {، منها # زائدة}}',
  'rush.summary': 'بعد {time}، من أصل {units, plural, zero {# تذكرة} one {تذكرة واحدة} two {تذكرتين} few {# تذاكر} many {# تذكرة} other {# تذكرة}}: '
    + 'باع التطبيق الساذج {naive, number}، وباعت المعاملة {transaction, number}، وباع المخزون {stock, number}.',
  'holds.paid': 'مدفوعة',
  'holds.held': 'محجوزة',
  'holds.ended': 'انتهى حجزها',
  'holds.free': 'متاحة',
  'holds.returned': 'انتقلت إلى شخص ثانٍ',
  'holds.late': 'تأخّروا عن الدفع',
  'holds.refused': 'أُبلغوا بالنفاد',
  'holds.what': 'التذاكر والأشخاص',
  'holds.number': 'العدد',
  'holds.summary': 'كل التذاكر بعد {time}: مدفوعة {paid, number}، محجوزة {held, number}، انتهى حجزها {ended, number}، متاحة {free, number}.',

  'chapter.your-app.title': 'في تطبيقك',
  'chapter.your-app.about': 'كم جزءًا تحتاج إليه، وكم يكلّف الشهر، والرمز البرمجي الجاهز للصق.',
  'chapter.your-app.shards.title': 'كم جزءًا، وبأي تكلفة؟',
  'chapter.your-app.shards.text': 'يستقبل الجزء الواحد عملية كتابة واحدة تقريبًا في الثانية. حدِّد كم شخصًا يضغط الزر، وكم شخصًا ينظر إلى العدد.',
  'chapter.your-app.shards.question': '20 شخصًا في الثانية يضغطون «أعجبني». كم جزءًا يحتاج إليه العدّاد؟',
  'chapter.your-app.shards.result': 'لمعدّل {writes, plural, zero {# زيادة} one {زيادة واحدة} two {زيادتين} few {# زيادات} many {# زيادة} other {# زيادة}} في الثانية، '
    + 'استخدم <b>{shards, plural, zero {# جزء} one {جزءًا واحدًا} two {جزأين} few {# أجزاء} many {# جزءًا} other {# جزء}}</b> على الأقل. فهي تتحمّل هذا المعدّل في المتوسط، '
    + 'لكن الضغطات التي تلتقي عند جزء واحد تنتظر عدة ثوانٍ؛ وبنحو ضعف هذا العدد لا يكاد أحد ينتظر.\n\nويكلّف شهرٌ بهذا المعدّل ليلًا ونهارًا نحو <b>{dollars}</b>: زيادات '
    + 'تُحتسب مرة واحدة بالضبط، وإجماليات يجمعها الخادم.',
  'chapter.your-app.shards.sandbox': 'جرِّب هذا الحِمل بضعف عدد الأجزاء',
  'chapter.your-app.shards.task.busy': 'جِد حِملًا يحتاج إلى 100 جزء أو أكثر.',
  'chapter.your-app.shards.task.cheap': 'أبقِ على 5 زيادات في الثانية أو أكثر، وأنزِل تكلفة الشهر إلى ما دون 30 دولارًا.',
  'chapter.your-app.code.title': 'الرمز البرمجي الجاهز للصق',
  'chapter.your-app.code.text': 'حدِّد من يحق له أن يعُدّ، فتنتج عن ذلك القواعد والرمز البرمجي. ثم اتّبع الخطوات أدناه، وفي نهايتها يكون زر «أعجبني» '
    + 'في صفحة لك.\n\n<b>الإعجاب</b> يمكن سحبه، وتعرف الصفحة هل أُعجب قارئها بالمنشور. و<b>التصويت</b> نهائي. وإذا جاز الضغط أي عدد من المرات، تُحتسب '
    + 'كل ضغطة. وحين لا يكون الجهاز متصلًا، يرسل التطبيق إعجاباته لاحقًا.',
  'chapter.your-app.code.result': 'لهذا الحِمل، يستخدم الرمز البرمجي والقواعد والأوامر أدناه {shards, plural, zero {# جزء} one {جزءًا واحدًا} two {جزأين} few '
    + '{# أجزاء} many {# جزءًا} other {# جزء}}: ضعف العدد اللازم في المتوسط، كي لا يكاد أحد ينتظر.',
  'chapter.your-app.code.recipe.install': 'تحتاج إلى الإصدار 20.19 من Node أو إصدار أحدث. أنشئ تطبيقًا باستخدام Vite، وثبِّت فيه Shardline: المجلد <code>web</code> من نسخة المستودع التي جاءت منها هذه الصفحة.',
  'chapter.your-app.code.recipe.project': 'في وحدة تحكّم Firebase ‏(<a>console.firebase.google.com</a>) أنشئ مشروعًا؛ وتكفي الخطة المجانية. وفيه، ضمن «Firestore Database»، أنشئ قاعدة بيانات: إصدار Standard، '
    + 'في وضع الإنتاج الذي لا يُدخل أحدًا قبل أن توجد قواعد.',
  'chapter.your-app.code.recipe.user': 'تشترط القواعد مستخدمًا سجّل الدخول. في وحدة التحكّم، ضمن «Authentication» ثم «طريقة تسجيل الدخول»، فعِّل «مجهول»: عندئذٍ يحصل كل زائر على معرّف مستخدم من دون أن يكتب شيئًا. '
    + 'وتصلح طرق تسجيل الدخول الأخرى أيضًا.',
  'chapter.your-app.code.recipe.page': 'ضع هذين الملفين مكان الملفين اللذين أنشأهما Vite.',
  'chapter.your-app.code.recipe.key': 'في وحدة التحكّم، في إعدادات المشروع ضمن «عام» ثم «تطبيقاتك»، أضف تطبيق ويب. تعرض وحدة التحكّم <code>firebaseConfig</code>: ضع ما فيها من <code>projectId</code> '
    + 'و<code>apiKey</code> في <code>src/main.js</code>. المفتاح ليس سرًّا. فهو يحدّد المشروع فقط، أما حقوق الزوّار فتحدّدها القواعد.',
  'chapter.your-app.code.recipe.rules': 'ضع هذه الملفات الثلاثة في المجلد <code>like-button</code>. يخص ملف الفهارس مستندات Shardline نفسها. لا يسأل '
    + 'أي استعلام عن حقولها، لذا يستثنيها الملف من الفهرسة: يسجّل <code>shardline_markers</code> أي دفعات كتابة احتُسبت،{kind, select, like { ويسجّل '
    + '<code>shardline_members</code> من أُعجب بالمنشور،} vote { ويسجّل <code>shardline_members</code> من صوّت،} other {}} ويمكن أن يحفظ '
    + '<code>shardline_totals</code> إجماليًا يتشاركه القرّاء.',
  'chapter.your-app.code.recipe.emulators': 'في وحدة طرفية ثانية، في المجلد <code>like-button</code>، شغِّل محاكيات Google واتركها تعمل. إنها تحتاج إلى الإصدار {java, number} من Java أو إصدار أحدث، وتتحقّق من القواعد المذكورة أعلاه (تعرف إصدارك بالأمر <code>java -version</code>). ويُنزّل التشغيل الأول بضع مئات من الميغابايت؛ تابِع حين تظهر عبارة «All emulators ready». وتزول بياناتها عند توقفها.',
  'chapter.your-app.code.recipe.deploy': 'انشر القواعد والفهارس، وضع معرّف مشروعك مكان <code>my-project</code>. يتيح ملف الفهارس حذف المستندات القديمة (TTL)، ويتطلب '
    + 'ذلك تفعيل الفوترة في المشروع. ومن دونها انشر <code>firestore:rules</code> وحدها: يعمل الزر، وتبقى المستندات القديمة.',
  'chapter.your-app.code.recipe.create': 'أنشئ العدّاد مرة واحدة. لا يحق ذلك لأي زائر، لذا يحتاج الأمر إلى رمز مميّز منك، يمنحك إياه <code>gcloud</code> لمدة ساعة (<a>cloud.google.com/sdk</a>). أو افعل ذلك '
    + 'يدويًا في وحدة التحكّم: مجموعة <code>posts</code>، وفيها المستند <code>p1</code>، وفيه الحقل <code>num_shards</code> من نوع العدد: {shards, number}.',
  'chapter.your-app.code.recipe.create-there': 'أنشئ العدّاد مرة واحدة في الوحدة الطرفية الأولى. لا يحق ذلك لأي زائر، لكن المحاكي يسمح لك بكل شيء من الوحدة الطرفية. وإن لم يأتِ رد، فالمحاكيات ليست جاهزة بعد.',
  'chapter.your-app.code.recipe.start': 'شغِّل التطبيق، وافتح العنوان الذي يطبعه، واضغط الزر. المتصفّح الآخر مستخدم آخر.{banner, select, yes { ويعرض Firebase شريطًا أحمر، «Running in emulator mode»، حين يسجّل المستخدمون الدخول في المحاكي.} other {}}',
  'chapter.your-app.code.task.vote': 'اسمح لكل مستخدم بأن يصوّت مرة واحدة فقط.',
  'chapter.your-app.connect.title': 'جرّبه',
  'chapter.your-app.connect.text': 'هذا هو زر الرمز البرمجي أدناه. إنه يعُدّ في Firestore داخل هذه الصفحة، وهو لا يتحقّق من أي قواعد، إلى أن تربطه بمحاكي Google أو بمشروع لك.\n\nفي ظل قواعد الخطوة '
    + 'السابقة لا تستطيع أي صفحة إنشاء العدّاد. أنشئه هناك كما هو موضَّح في تلك الخطوة.',
  'chapter.your-app.connect.task.counted': 'اجعل 10 إعجابات تُحتسب. وإذا كان لكل مستخدم إعجاب واحد، فاجعل إعجابك يُحتسب. وانتظر حتى لا يبقى أي إعجاب في الطريق.',
  'unit.shards': '{count, plural, zero {# جزء} one {جزء واحد} two {جزآن} few {# أجزاء} many {# جزءًا} other {# جزء}}',
  'knob.users': 'الأشخاص',
  'knob.shards': 'الأجزاء',
  'knob.shards.idle': 'لا جزء قبل الوقت، فعدد الأجزاء لا يغيّر شيئًا.',
  'knob.index': 'الحقول المفهرسة',
  'knob.index.time': 'الوقت وحده',
  'knob.index.shard': 'الجزء ثم الوقت',
  'knob.index.both': 'الجزء ثم الوقت، مع الوقت وحده كما كان',
  'knob.method': 'كيف تُنشأ المعرّفات',
  'knob.method.transaction': 'بمعاملة على مستند واحد',
  'knob.method.sum': 'من مجموع الأجزاء',
  'knob.method.blocks': 'في كُتل',
  'knob.writes': 'الزيادات في الثانية',
  'knob.readers': 'القرّاء: يقرأ كلٌّ منهم مرة كل ثانية تقريبًا',
  'knob.access': 'من يحق له أن يعُدّ',
  'knob.access.one-like': 'إعجاب: كل مستخدم مرة واحدة، ويمكن سحبه',
  'knob.access.public': 'الجميع، أي عدد من المرات',
  'knob.access.signed-in': 'المستخدمون الذين سجّلوا الدخول، أي عدد من المرات',
  'knob.access.one-vote': 'تصويت: كل مستخدم مرة واحدة، نهائيًا',
  'knob.where': 'أين يعمل التطبيق',
  'knob.where.project': 'في مشروع Firebase لك',
  'knob.where.emulator': 'على هذا الجهاز، باستخدام محاكيات Google: من دون حساب',
  'knob.lost': 'عدد الردود الضائعة من كل 100 رد',
  'knob.events': 'الأحداث في الثانية',
  'knob.split': 'الثواني حتى ينقسم اللوح الساخن',
  'knob.documents': 'المستندات في المجموعة',
  'knob.block': 'المعرّفات في الكتلة',
  'knob.block.idle': 'الكُتل وحدها لها حجم.',
  'knob.shards.transaction': 'المعاملة تستخدم مستندًا واحدًا، فعدد الأجزاء لا يغيّر شيئًا.',
  'knob.units': 'التذاكر',
  'code.shell': 'في الوحدة الطرفية',
  'code.html': 'index.html',
  'code.page': 'src/main.js',
  'code.configuration': 'firebase.json',
  'code.rules': 'firestore.rules',
  'code.indexes': 'firestore.indexes.json',
  'code.note.one-document': 'مستند واحد يعُدّ إعجابات كل القرّاء.',
  'code.note.readers': 'ستة قرّاء يضغطون في اللحظة نفسها. كل ضغطة دفعة كتابة مستقلة.',
  'code.note.marker': 'كل دفعة كتابة تكتب علامة أيضًا. يشرحها الفصل 5.',
  'code.note.connect': 'يبيّن الفصل الأخير أين تجد هذه القيم.',
  'code.note.every-shard': 'كل الأجزاء',
  'code.note.server': 'الخادم يجمع',
  'code.note.shared': 'إجمالي يتشاركه كل القرّاء',
  'code.note.exactly-once': 'مرة واحدة بالضبط: كل دفعة كتابة تنشئ علامة، وهذا يعني عمليتَي كتابة.',
  'code.note.at-least-once': 'عدّاد ثانٍ، مرة واحدة على الأقل: عملية كتابة أقل.',
  'code.note.twice': 'إذا ضاع الردّ، فقد تُحتسب زيادته مرتين.',
  'code.note.lose': 'من هنا فصاعدًا تضيع كل الردود.',
  'code.note.back': 'بعد نصف ثانية تصل الردود من جديد.',
  'code.note.timestamp': 'حسب الطابع الزمني',
  'code.note.handled': 'تعرض الصفحة الخطأ، فلا حاجة إلى أن يعرضه العنصر.',
  'shard-grid.summary': '{shards, plural, zero {لا يوجد أي جزء} one {جزء واحد يستقبل كل عمليات الكتابة} two {جزآن، ومتوسط عمليات الكتابة في الثانية '
    + 'لكلٍّ منهما {writes, number}} few {# أجزاء، ومتوسط عمليات الكتابة في الثانية لكلٍّ منها {writes, number}} many {# جزءًا، ومتوسط عمليات الكتابة '
    + 'في الثانية لكلٍّ منها {writes, number}} other {# جزء، ومتوسط عمليات الكتابة في الثانية لكلٍّ منها {writes, number}}}.',
  'shard-grid.shards': 'الأجزاء',
  'shard-grid.writes': 'عمليات الكتابة في الثانية لكل جزء',
  'price-bars.summary': 'تكلفة الشهر لكل طريقة على حدة: طريقتان للزيادات، وطريقتان للإجماليات.',
  'price-bars.what': 'العملية',
  'price-bars.reads': 'القراءات في الشهر',
  'price-bars.writes': 'عمليات الكتابة في الشهر',
  'price-bars.dollars': 'السعر',
  'price.exactly-once': 'زيادات، مرة واحدة بالضبط: لكل زيادة علامة',
  'price.at-least-once': 'زيادات، مرة واحدة على الأقل',
  'price.sum': 'إجماليات يجمعها الخادم',
  'price.shards': 'إجماليات من قراءة كل الأجزاء',
  'like.press': 'أعجبني',
  'like.create': 'إنشاء العدّاد',
  'like.denied': 'ترفض قواعد الأمان ذلك. في ظل قواعد الخطوة السابقة لا تستطيع أي صفحة إنشاء العدّاد، ولا يحق العدّ إلا لمستخدم. أنشئ العدّاد كما هو موضَّح في تلك الخطوة، واتصل باستخدام الرمز المميّز للمعرّف لأحد المستخدمين.',
  'like.denied.public': 'ترفض قواعد الأمان ذلك. في ظل قواعد الخطوة السابقة لا تستطيع أي صفحة إنشاء العدّاد. أنشئه كما هو موضَّح في تلك الخطوة.',
  'like.created': 'تم إنشاء العدّاد، وعدد أجزائه {count, number}. في ظل قواعد الخطوة السابقة لا يستطيع أحد العدّ قبل ذلك، ومن دون قواعد يستطيعه '
    + 'الجميع.',
  'like.kept': 'العدّاد موجود من قبل، وعدد أجزائه {count, number}.',
  'like.state.loading': 'جارٍ طلب الإجمالي…',
  'like.state.live': 'تحديث مباشر. في الطريق: {pending}.',
  'like.state.offline': 'لا توجد شبكة. في الطريق: {pending}.',
  'like.state.error': 'تتعذّر قراءة الإجمالي. في الطريق: {pending}.',
  'like.element.pending': 'جارٍ الحفظ…',
  'like.element.offline': 'لا توجد شبكة: قد يكون هذا العدد قديمًا.',
  'like.element.error': 'تتعذّر قراءة الإجمالي: قد يكون هذا العدد قديمًا.',
  'like.app.title': 'زر «أعجبني»',
  'like.app.refused': 'ربما لا يوجد العدّاد posts/p1: أنشئه. وإن كان موجودًا، فالقواعد ترفض ذلك.',

  'lanes.waiting': 'في الانتظار',
  'lanes.again': 'في الانتظار بعد إعادة الإرسال',
  'lanes.done': 'احتُسبت',
  'lanes.refused': 'رُفضت',
  'lanes.pausing': 'متوقّفة قبل محاولة جديدة',
  'lanes.shard': 'المستند',
  'lanes.count': 'قيمته',
  'lanes.summary': 'بعد {time}: '
    + '{asked, plural, zero {لم تُطلب أي زيادة} one {طُلبت زيادة واحدة} two {طُلبت زيادتان} few {طُلبت # زيادات} many {طُلبت # زيادة} other {طُلبت # زيادة}}، واحتُسب منها {counted, number}. '
    + '{waiting, plural, zero {لا طلبات تنتظر} one {طلب واحد ينتظر} two {طلبان ينتظران} few {# طلبات تنتظر} many {# طلبًا تنتظر} other {# طلب تنتظر}}، '
    + '{pausing, plural, zero {ولا شيء متوقّف} one {وواحد متوقّف} two {واثنان متوقّفان} few {و# متوقّفة} many {و# متوقّفة} other {و# متوقّفة}} قبل محاولة جديدة، وفشل نهائيًا {failed, number}.',
  'series.counter': 'الزيادات حتى الآن',
  'series.rate': 'الزيادات في الثانية',
  'series.documents': 'المستندات في الثانية',
  'series.ids': 'المعرّفات حتى الآن',
  'series.asked': 'المطلوبة',
  'series.counted': 'المحتسبة',
  'series.written': 'المكتوبة',
  'series.given': 'المعطاة',
  'series.duplicates': 'المكرّرة',
  'series.time': 'الوقت',
  'series.value': '{label} {n, number}',
  'series.summary': '{title} بعد {time}: {values}.',
  'tablets.title': '\u2067الفهرس: {index}\u2069',
  'tablets.section': '\u2067الجزء {shard}\u2069',
  'tablets.legend': '▼ حيث تذهب الإدخالات الجديدة. العدد والمساحة الملوَّنة: عمليات الكتابة المطلوبة من اللوح في الثانية. الأحمر: ساخن.',
  'tablets.index': 'الفهرس',
  'tablets.shard': 'الجزء',
  'tablets.range': 'المدى الزمني',
  'tablets.load': 'عمليات الكتابة المطلوبة في الثانية',
  'tablets.summary': 'بعد {time}: في الفهرس «{index}» {tablets, plural, zero {# لوح} one {لوح واحد} two {لوحان} few {# ألواح} many {# لوحًا} other {# '
    + 'لوح}}، والساخن منها {hot, number}. ويُطلب من أكثرها ازدحامًا {load, plural, zero {# عملية كتابة} one {عملية كتابة واحدة} two {عمليتا كتابة} '
    + 'few {# عمليات كتابة} many {# عملية كتابة} other {# عملية كتابة}} في الثانية.',
  'ids.numbers': 'المعرّفات المعطاة: {given, number}، والمكرّرة منها: {duplicates, number}',
  'ids.summary': 'بعد {time}: المعرّفات المعطاة {given, number}، والمكرّرة منها {duplicates, number}.',
  'ids.again': 'المالك رقم {owners, number}',
  'ids.id': 'المعرّف',
  'ids.owners': 'رقم المالك',
  'ways.shards': 'قراءة كل الأجزاء',
  'ways.sum': 'الخادم يجمع',
  'ways.shared': 'إجمالي مشترك',
  'ways.reads': '{reads, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}',
  'ways.way': 'الطريقة',
  'ways.totals': 'الإجماليات',
  'ways.billed': 'القراءات المُفوتَرة',
  'ways.each': 'القراءات لكل إجمالي',
  'ways.summary': 'القراءات المُفوتَرة بعد {time}: {shards, number} بقراءة كل الأجزاء، و{sum, number} حين يجمع الخادم، و{shared, number} بإجمالي '
    + 'مشترك.',

  'unit.likes': '{count, plural, zero {# إعجاب} one {إعجاب واحد} two {إعجابان} few {# إعجابات} many {# إعجابًا} other {# إعجاب}}',
  'unit.increments-per-second': '{count, plural, zero {# زيادة} one {زيادة واحدة} two {زيادتان} few {# زيادات} many {# زيادة} other {# زيادة}} في الثانية',
  'unit.documents-per-second': '{count, plural, zero {# مستند} one {مستند واحد} two {مستندان} few {# مستندات} many {# مستندًا} other {# مستند}} في الثانية',
  'unit.reads': '{count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}',
  'unit.duplicates': '{count, plural, zero {لا معرّفات مكرّرة} one {معرّف مكرّر واحد} two {معرّفان مكرّران} few {# معرّفات مكرّرة} many {# معرّفًا مكرّرًا} other {# معرّف مكرّر}}',
  'unit.shard-values': '{count, plural, zero {# قيمة جزء} one {قيمة جزء واحدة} two {قيمتا جزء} few {# قيم أجزاء} many {# قيمة جزء} other {# قيمة '
    + 'جزء}}',
  'unit.unused-ids': '{count, plural, zero {# معرّف بلا استخدام} one {معرّف واحد بلا استخدام} two {معرّفان بلا استخدام} few {# معرّفات بلا استخدام} '
    + 'many {# معرّفًا بلا استخدام} other {# معرّف بلا استخدام}}',
  'unit.ms': '{ms}\u00a0ملي ثانية',
  'unit.seconds': '{seconds}\u00a0ث',
  'unit.minutes': '{minutes}\u00a0د',
  'unit.minutes-seconds': '{minutes}\u00a0د و{seconds}\u00a0ث',
  'unit.bytes': '{bytes, plural, zero {#\u00a0بايت} one {#\u00a0بايت} two {#\u00a0بايت} few {#\u00a0بايتات} many {#\u00a0بايتًا} other {#\u00a0بايت}}',
  'unit.kilobytes': '{kilobytes}\u00a0كيلوبايت',

  'state.closed': 'غير متصل',
  'state.connecting': 'جارٍ الاتصال بـ {host}…',
  'state.connected': 'متصل بـ {host}',
  'state.silent': 'لا ردّ من {host}',
  'state.failed': 'غير متصل',
  'place.embedded': '\u200fFirestore في هذه الصفحة',
  'meter.reads': '{count, plural, zero {قراءة} one {قراءة} two {قراءة} few {قراءات} many {قراءة} other {قراءة}}',
  'meter.writes': '{count, plural, zero {عملية كتابة} one {عملية كتابة} two {عملية كتابة} few {عمليات كتابة} many {عملية كتابة} other {عملية كتابة}}',

  'connect.title': 'الاتصال',
  'connect.about': 'اتصِل بـ Firestore داخل هذه الصفحة، أو بمحاكي Google، أو بمشروع لك.',
  'connect.kind': 'أين يوجد Firestore؟',
  'connect.embedded': 'في هذه الصفحة',
  'connect.emulator': 'محاكي Google',
  'connect.project': 'مشروع Firebase',
  'connect.host': 'المضيف والمنفذ',
  'connect.host.hint': 'يشغّله الأمر <code>scripts/emulator run --port 8080</code>.',
  'connect.host.wrong': 'اكتب مضيفًا ومنفذًا، مثل \u2068127.0.0.1:8080\u2069.',
  'connect.project-id': 'معرّف المشروع',
  'connect.project-id.missing': 'اكتب معرّف مشروعك. المحاكي يقبل أي معرّف، مثل demo.',
  'connect.database-id': 'قاعدة البيانات',
  'connect.api-key': 'مفتاح واجهة برمجة التطبيقات للويب',
  'connect.api-key.hint': 'تجده في إعدادات المشروع. يبقى في هذه الصفحة.',
  'connect.id-token': 'الرمز المميّز للمعرّف (اختياري)',
  'connect.id-token.hint': 'اكتب الرمز المميّز لمستخدم سجّل الدخول، إذا اشترطته قواعدك. في تطبيقك يعطيك إياه <code>await '
    + 'auth.currentUser.getIdToken()</code>. يبقى في هذه الصفحة.',
  'connect.submit': 'اتصال',
  'connect.change': 'تغيير',
  'connect.summary.closed': 'لا يُرسَل شيء قبل أن تتصل.',
  'connect.summary.failed': 'لا يوجد اتصال.',
  'connect.summary.connecting': 'في انتظار أول ردّ من {host}…',
  'connect.summary.unkept': 'أنت متصل بـ Firestore داخل هذه الصفحة: بلا شبكة ولا حساب. لا يسمح هذا المتصفّح للصفحة بحفظ البيانات: ما تخزّنه يزول عند إغلاق الصفحة.',
  'connect.summary.embedded': 'أنت متصل بـ Firestore داخل هذه الصفحة: بلا شبكة ولا حساب. ما تخزّنه يبقى في هذا المتصفّح، وتتشاركه كل علامات التبويب المفتوحة على هذه الصفحة.',
  'connect.summary.emulator': 'أنت متصل بالمحاكي على {host}، المشروع {project}.',
  'connect.summary.project': 'أنت متصل بالمشروع {project} على {host}.',
  'connect.silent.embedded': 'ضاع الردّ الأخير.',
  'connect.silent.emulator': 'لم يصل ردّ من {host} على الطلب الأخير. هل توقّف المحاكي؟ أعِد تشغيله على المنفذ نفسه وسيجده الطلب التالي. (سيبدأ فارغًا.)',
  'connect.silent.project': 'لم يصل ردّ من {host} على الطلب الأخير. هل هذا الجهاز متصل بالإنترنت؟ سيتبيّن ذلك مع الطلب التالي.',
  'connect.denied': 'Firestore يردّ، لكن قواعد الأمان فيه لا تسمح لهذه الصفحة بقراءة {path}. استخدم مسارات تسمح بها القواعد، أو اتصِل بالرمز المميّز '
    + 'للمعرّف لمستخدم يحق له ذلك.',

  'simulator.title': 'Firestore في هذه الصفحة',
  'simulator.about': 'لقاعدة Firestore الحقيقية حدود، وقد تتأخّر ردودها، وأحيانًا لا تردّ أصلًا. وكذلك Firestore في هذه الصفحة، كما تضبطه أنت.',
  'simulator.limits': 'حدود Firestore: عملية كتابة واحدة تقريبًا في الثانية للمستند، و500 لنطاق من الفهرس',
  'simulator.latency': 'زمن الردّ',
  'simulator.latency.value': 'حتى {ms}',
  'simulator.lost': 'الردود الضائعة',
  'simulator.documents': 'المستندات',
  'simulator.price': 'السعر',
  'simulator.waited': 'اضطرّت إلى الانتظار',
  'simulator.aborted': 'رُفضت',
  'simulator.reset': 'حذف كل البيانات',
  'simulator.reset.done': 'حُذفت كل البيانات، ويبدأ القياس من الصفر.',
  'hot.title': 'أين تنتظر عمليات الكتابة',
  'hot.none': 'لا عملية كتابة تنتظر. في عدّاد من جزء واحد، اختر «التحقّق قبل الكتابة» واضغط \u200e+1\u200e مرات كثيرة، ثم انظر هنا ثانيةً.',
  'hot.off': 'الحدود معطّلة، فلا تنتظر أي عملية كتابة أبدًا.',
  'hot.documents': 'مستندات على عملية الكتابة أن تنتظرها',
  'hot.document': 'المستند',
  'hot.wait': 'الانتظار',
  'hot.tablets': 'نطاقات الفهارس التي تجري الكتابة فيها',
  'hot.tablet': 'نطاق من فهرس',
  'hot.tablet.all': '{index}',
  'hot.tablet.from': '\u2067{index}، ابتداءً من {start}\u2069',
  'hot.rate': 'عمليات الكتابة في الثانية',
  'hot.rate.value': '{rate} من {most, number}',

  'counter.title': 'العدّاد الموزَّع',
  'counter.about': 'المستند الواحد يتحمّل عملية كتابة واحدة تقريبًا في الثانية. أما العدّاد الموزَّع فهو مستندات كثيرة هي أجزاؤه: تذهب كل زيادة إلى جزء منها يُختار عشوائيًا، والإجمالي هو مجموعها.',
  'counter.path': 'المسار',
  'counter.layout': 'البنية',
  'counter.shards': 'الأجزاء',
  'counter.shards.hint': 'عملية كتابة واحدة تقريبًا في الثانية لكل جزء.',
  'counter.delivery': 'إذا ضاع الردّ',
  'counter.create': 'إنشاء العدّاد',
  'counter.created': 'تم إنشاء <code>{path}</code> في دفعة كتابة واحدة لا تتجزأ، وعدد أجزائه {count, number}.',
  'counter.kept': '<code>{path}</code> موجود من قبل، وعدد أجزائه {count, number}. وقد بقي عدده كما كان.',
  'counter.increment': '\u200e+1',
  'counter.increment-10': '\u200e+10',
  'counter.delta': 'المقدار',
  'counter.delta.wrong': 'اكتب عددًا، مثل {whole, number} أو {negative, number} أو {fraction, number}.',
  'counter.add': 'إضافة',
  'counter.follow': 'قراءة الإجمالي بعد الزيادات (قراءة واحدة)',
  'counter.pending': 'في الطريق: {pending}',
  'counter.read-sum': 'قراءة الإجمالي',
  'counter.read-shards': 'قراءة كل الأجزاء',
  'counter.read-shared': 'قراءة الإجمالي المشترك',
  'counter.reads': '{count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}',
  'counter.reads.each': 'قراءة لكل جزء',
  'counter.care': 'إدارة العدّاد',
  'counter.live': 'متابعة الإجمالي مباشرة: قراءة واحدة في الثانية على الأكثر',
  'counter.stats': 'كيف يتوزّع الحِمل',
  'counter.stats.result': 'دفعات الكتابة التي أرسلتها هذه الصفحة: {attempts, number}. وما صادف منها غيره عند الجزء نفسه: {aborted, number}. عدد '
    + 'الأجزاء الذي يقترحه Shardline: {suggested, number}.',
  'counter.resize': 'تغيير عدد الأجزاء إلى العدد أعلاه',
  'counter.resized': 'عدد أجزاء <code>{path}</code> الآن {count, number}، وعدد المستندات التي ضُمّت إلى الأجزاء الباقية {folded, number}. وبقي العدد كما هو.',
  'counter.rules': 'قواعد الأمان لمثل هذه العدّادات',

  'layout.web-sample': 'الويب',
  'layout.web-sample.hint': 'يحتوي <code>{path}</code> على <code>num_shards</code>، وتحتوي <code>{path}/shards/0</code> وما يليها على <code>count</code>.',
  'layout.mobile-sample': 'Swift وObjective-C وJava وKotlin',
  'layout.mobile-sample.hint': 'يحتوي <code>{path}</code> على <code>numShards</code>، وتحتوي <code>{path}/shards/0</code> وما يليها على <code>count</code>.',
  'layout.node-sample': 'Node.js وPython و\u2068C#\u2069',
  'layout.node-sample.hint': 'تحتوي <code>{path}/shards/0</code> وما يليها على <code>count</code>. ولا يوجد مستند رئيسي.',
  'layout.go-sample': 'Go',
  'layout.go-sample.hint': 'تحتوي <code>{path}/shards/0</code> وما يليها على <code>Count</code>. ولا يوجد مستند رئيسي.',
  'layout.php-sample': 'PHP',
  'layout.php-sample.hint': 'المسار مجموعة: تحتوي <code>{path}/0</code> وما يليها على <code>Cnt</code>.',
  'layout.ruby-sample': 'Ruby',
  'layout.ruby-sample.hint': 'المسار مجموعة: تحتوي <code>{path}/0</code> وما يليها على <code>count</code>.',
  'layout.collection': 'مجموعة من الأجزاء',
  'layout.collection.hint': 'المسار مجموعة: تحتوي <code>{path}/0</code> وما يليها على <code>count</code>.',

  'delivery.exactly-once': 'البحث عن العلامة',
  'delivery.exactly-once.hint': 'مرة واحدة بالضبط: عمليتا كتابة، لأن Shardline يكتب علامة إلى جانب العدد. ويخزّن Shardline الزيادات المنتظِرة، '
    + 'ويرسلها حتى بعد إعادة تحميل الصفحة.',
  'delivery.at-least-once': 'إعادة الإرسال',
  'delivery.at-least-once.hint': 'مرة واحدة على الأقل: عملية كتابة واحدة بلا قراءة. والزيادة التي ضاع الردّ عليها قد تُحتسب مرتين.',
  'delivery.transaction': 'التحقّق قبل الكتابة',
  'delivery.transaction.hint': 'اقرأ، ثم أضف، ثم اكتب إن لم يتغيّر شيء: قراءة واحدة وعملية كتابة واحدة.',

  'reading.title': 'الإجمالي',
  'reading.none': '–',
  'reading.none.hint': 'لم يُقرأ بعد.',
  'reading.no-shards': 'لا توجد أجزاء هنا بعد: أنشئ العدّاد أو زِده.',
  'reading.sum': 'عملية <code>sum</code> واحدة على الأجزاء في الخادم: {count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}، {ms}',
  'reading.shared': 'إجمالي يتشاركه كل القرّاء، عمره ثانية على الأكثر: {count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}، {ms}',
  'reading.renewed': 'لم يوجد إجمالي مشترك حديث بما يكفي، فجمع الخادم من جديد: {count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}، {ms}',
  'reading.shards': 'كل مستندات الأجزاء، وقد جُمعت قيمها هنا: {count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}، {ms}',
  'comparison.sum': 'الجمع في الخادم',
  'comparison.shards': 'كل الأجزاء',
  'comparison.reads': '{count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}',

  'bars.title': 'الأجزاء',
  'bars.region': 'قيمة كل جزء',
  'bars.shard': 'الجزء',
  'bars.count': 'العدد',
  'bars.caption': '{count, plural, zero {لا أجزاء في الساعة {time}} one {جزء واحد في الساعة {time}} two {جزآن في الساعة {time}} few {# أجزاء في الساعة {time}} many {# جزءًا في الساعة {time}} other {# جزء في الساعة {time}}}',
  'bars.empty': 'اقرأ كل الأجزاء لترى كيف توزّعت الزيادات.',
  'bars.stale': 'حدثت زيادات بعد ذلك.',

  'instruments.title': 'الطوابع الزمنية المجزّأة',
  'instruments.about': 'الفهرس على طوابع زمنية متزايدة يتحمّل نحو 500 عملية كتابة في الثانية. وإذا تصدّره حقل <code>shard</code>، أضافت كل قيمة من '
    + 'قيمه 500 أخرى. عندها يسأل الاستعلام كل الأجزاء معًا، ويدمج ردودها في قائمة واحدة.',
  'instruments.path': 'المجموعة',
  'instruments.path.hint': 'أسهم وصناديق، كما في وثائق Firestore.',
  'instruments.shards': 'قيم الأجزاء',
  'instruments.shards.hint': 'قائمة، أو عدد n للقيم من 0 إلى \u2068n − 1\u2069.',
  'instruments.insert-samples': 'إدراج الأمثلة الثلاثة',
  'instruments.insert-random': 'إدراج 100 مستند عشوائي',
  'instruments.inserted': '{count, plural, zero {لم يُدرَج أي مستند خلال {ms}:} one {أُدرج مستند واحد خلال {ms}، في جزء عشوائي:} two {أُدرج مستندان خلال {ms}، كلٌّ منهما في جزء عشوائي:} '
    + 'few {أُدرجت # مستندات خلال {ms}، كلٌّ منها في جزء عشوائي:} many {أُدرج # مستندًا خلال {ms}، كلٌّ منها في جزء عشوائي:} other {أُدرج # مستند خلال {ms}، كلٌّ منها في جزء عشوائي:}}',
  'instruments.times': '× {count, number}',

  'query.title': 'الاستعلام',
  'query.commonstock': 'الأسهم العادية',
  'query.exchange': 'البورصة 1',
  'query.currency': 'بالدولار الأمريكي',
  'query.direction': 'الترتيب',
  'query.desc': 'الأحدث أولًا',
  'query.asc': 'الأقدم أولًا',
  'query.limit': 'الحد الأقصى',
  'query.run': 'تنفيذ الاستعلام',

  'plan.title': 'الخطة',
  'plan.chunks': 'الحِزم',
  'plan.chunks.value': '{count, number} (قيم الأجزاء فيها: {sizes})',
  'plan.requests': 'الطلبات',
  'plan.reads': 'القراءات على الأكثر',
  'plan.reads.all': 'الكل',
  'plan.none': '–',
  'plan.index': 'الفهرس',
  'plan.ascending': '↑',
  'plan.descending': '↓',
  'plan.index-file': 'إلى ملف firestore.indexes.json',

  'results.caption': 'الصفوف من {first, number} إلى {last, number}، مدموجة من كل الأجزاء',
  'results.number': 'الرقم',
  'results.symbol': 'الرمز',
  'results.type': 'النوع',
  'results.exchange': 'البورصة',
  'results.price': 'السعر',
  'results.timestamp': 'الطابع الزمني (UTC)',
  'results.shard': 'الجزء',
  'results.missing': '–',
  'results.none': 'لا مستند يطابق الاستعلام. هل أدرجتَ الأمثلة؟',
  'results.no-more': 'لا مزيد من المستندات.',
  'results.cost': 'الصفوف من {first, number} إلى {last, number}: {requests}، {count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}، {ms}.',
  'results.requests': '{count, plural, zero {# طلب} one {طلب واحد} two {طلبان} few {# طلبات} many {# طلبًا} other {# طلب}}',
  'results.raw': 'ككائنات JavaScript',
  'pager.title': 'صفحات النتيجة',
  'pager.previous': 'الصفحة السابقة',
  'pager.next': 'الصفحة التالية',
  'sequence.title': 'معرّفات فريدة',
  'sequence.about': 'لكل جزء معرّفاته الخاصة به، وتأخذ الصفحة كتلة منها دفعة واحدة. لا يُعطى معرّف مرتين أبدًا، وما لا تستعمله الصفحة يترك فجوة.',
  'sequence.shards.hint': 'كتلة واحدة تقريبًا في الثانية لكل جزء.',
  'sequence.block': 'المعرّفات في الكتلة',
  'sequence.block.hint': 'تؤخذ معًا، في دفعة كتابة واحدة.',
  'sequence.create': 'إنشاء التسلسل',
  'sequence.created': 'تم إنشاء <code>{path}</code>، وعدد أجزائه {count, number}.',
  'sequence.kept': '<code>{path}</code> موجود من قبل، وعدد أجزائه {count, number}. ويتابع التسلسل بعد آخر معرّف فيه.',
  'sequence.next': 'المعرّف التالي',
  'sequence.take': 'أخذ {count, number} معًا',
  'sequence.given': 'المعرّفات التي أُعطيت لهذه الصفحة، الأحدث أولًا',

  'experiments.title': 'التجارب',
  'experiments.about': 'اختبار حِمل على عدّاد واحد: ما يصل إلى 1,000 مستخدم، بمعدّل عشرة إضافيين كل ثانية، ويضيف كلٌّ منهم واحدًا مرة بعد مرة طوال دقيقتين. '
    + 'يستخدم العملاء المكتبة الحقيقية، وFirestore هو الذي داخل هذه الصفحة وحدوده مفعّلة، والوقت افتراضي: فلا يستغرق الأمر إلا ثوانيَ.',
  'experiments.choice': 'أين يُحفظ العدد',
  'experiments.singleDocument': 'مستند واحد',
  'experiments.singleDocument.about': 'قراءة ثم إضافة ثم كتابة',
  'experiments.tenShards': '10 أجزاء',
  'experiments.tenShards.about': 'يُزاد جزء عشوائي منها',
  'experiments.fiftyShards': '50 جزءًا',
  'experiments.fiftyShards.about': 'يُزاد جزء عشوائي منها',
  'experiments.run': 'تشغيل اختبار الحِمل',
  'experiments.stop': 'إيقاف',
  'experiments.progress': 'تقدّم اختبار الحِمل',
  'experiments.done': '{seconds, number} ث من الحِمل خلال {ms}: {count, plural, zero {لم تُؤكَّد أي زيادة.} one {أُكّدت زيادة واحدة، وقد احتُسبت.} two {أُكّدت زيادتان، وقد احتُسبتا كلتاهما.} '
    + 'few {أُكّدت # زيادات، وقد احتُسبت كلها.} many {أُكّدت # زيادة، وقد احتُسبت كلها.} other {أُكّدت # زيادة، وقد احتُسبت كلها.}}',
  'experiments.done.lost': '{seconds, number} ث من الحِمل خلال {ms}: {count, plural, zero {لم تُؤكَّد أي زيادة} one {أُكّدت زيادة واحدة} two {أُكّدت زيادتان} few {أُكّدت # زيادات} many {أُكّدت # زيادة} other {أُكّدت # زيادة}}، '
    + '{lost, plural, zero {ولم يضِع شيء منها.} one {ولم تُحتسب واحدة منها.} two {ولم تُحتسب اثنتان منها.} few {ولم تُحتسب # منها.} many {ولم تُحتسب # منها.} other {ولم تُحتسب # منها.}}',
  'experiments.results': 'نتائج اختبارات الحِمل',
  'experiments.throughput': 'الزيادات في الثانية',
  'experiments.p50': 'نصفها خلال',
  'experiments.p95': '95% منها خلال',
  'experiments.p99': '99% منها خلال',
  'experiments.retries': 'إعادات المحاولة',
  'experiments.failed': 'المتروكة',
  'experiments.acknowledged': 'المؤكَّدة',
  'experiments.found': 'المحتسبة في النهاية',
  'experiments.chart': 'الزيادات المؤكَّدة في الثانية',

  'log.title': 'الطلبات',
  'log.about': 'كل طلب أرسلته هذه الصفحة، وتكلفته في Firestore.',
  'log.caption': '{count, plural, zero {لا طلبات} one {آخر طلب} two {آخر طلبين} few {آخر # طلبات، والأحدث أولًا} many {آخر # طلبًا، والأحدث أولًا} '
    + 'other {آخر # طلب، والأحدث أولًا}}',
  'log.region': 'سجلّ الطلبات',
  'log.request': 'الطلب',
  'log.status': 'الحالة',
  'log.time': 'المدة',
  'log.size': 'حجم الردّ',
  'log.reads': 'القراءات المُفوتَرة',
  'log.writes': 'عمليات الكتابة المُفوتَرة',
  'log.reads.value': '{count, plural, zero {# قراءة} one {قراءة واحدة} two {قراءتان} few {# قراءات} many {# قراءة} other {# قراءة}}',
  'log.writes.value': '{count, plural, zero {# عملية كتابة} one {عملية كتابة واحدة} two {عمليتا كتابة} few {# عمليات كتابة} many {# عملية كتابة} '
    + 'other {# عملية كتابة}}',
  'log.no-answer': 'لا ردّ',
  'log.empty': 'لا طلبات بعد.',
  'log.clear': 'مسح',
  'log.total.requests': 'الطلبات',
  'log.total.reads': 'القراءات',
  'log.total.writes': 'عمليات الكتابة',
  'log.total.deletes': 'عمليات الحذف',
  'log.total.bytes': 'المستلَم',

  'error.other': 'حدث خطأ ما.',
  'error.start': 'تعذّر تشغيل المكتبة.',
  'error.invalid-argument': 'هذا الطلب غير صالح.',
  'error.permission-denied': 'قواعد الأمان ترفض ذلك.',
  'error.unauthenticated': 'الرمز المميّز للمعرّف غير مقبول.',
  'error.not-found': 'هذا غير موجود.',
  'error.already-exists': 'هذا موجود من قبل.',
  'error.failed-precondition': 'ينقص شيء يلزم لذلك.',
  'error.resource-exhausted': 'طلبات كثيرة دفعة واحدة، أو استُنفدت حصة.',
  'error.aborted': 'كتب عدد كبير من العملاء في المستندات نفسها في آنٍ واحد.',
  'error.unavailable': 'لا ردّ من {host}.',
  'error.outcome-unknown': 'ربما نفّذ الخادم ذلك وربما لم ينفّذه.',
  'error.unimplemented': 'لا يدعم Shardline ذلك بعد.',
  'error.original': 'بعبارة المكتبة (بالإنجليزية)',
  'advice.no-answer.embedded': 'تحدّد اللوحة «Firestore في هذه الصفحة» كم ردًّا يضيع.',
  'advice.no-answer.emulator': 'هل المحاكي يعمل هناك؟ شغّله بالأمر <code>scripts/demo</code> أو <code>scripts/emulator</code>، وتحقّق من المضيف والمنفذ، ثم أعِد المحاولة.',
  'advice.no-answer.project': 'تأكّد من أن هذا الجهاز متصل بالإنترنت، ومن أنه لا توجد إضافة في المتصفّح تحظر {host}، ثم أعِد المحاولة.',
  'advice.permission-denied': 'استخدم مسارًا تسمح به القواعد، أو اتصِل بالرمز المميّز للمعرّف لمستخدم يحق له ذلك. وللسماح للمستخدمين الذين سجّلوا '
    + 'الدخول باستخدام هذا المسار، أضف قاعدة مثل <code>{rule}</code> في وحدة تحكّم Firebase، ضمن «Firestore Database» ثم «القواعد».',
  'advice.unauthenticated': 'صلاحية الرمز المميّز للمعرّف ساعة واحدة: احصل على رمز جديد واتصِل مجددًا.',
  'advice.resource-exhausted': 'انتظر قليلًا. وإذا استمر ذلك، فراجِع حصص المشروع.',
  'advice.aborted': 'أعِد المحاولة. زيادة عدد الأجزاء تجعل ذلك أندر.',
  'advice.outcome-unknown': 'اقرأ الإجمالي قبل أن تعيد المحاولة.',
  'advice.other': 'هذا خطأ في الصفحة أو في المكتبة. أعِد تحميل الصفحة، ونرجو أن تبلغنا به إذا تكرّر.',

  'reason.argument-not-allowed': 'هذه القيمة للخيار <code>{argument}</code> غير مسموح بها.',
  'reason.argument-missing': 'الخيار <code>{argument}</code> ناقص.',
  'reason.argument-unknown': 'لا يوجد خيار باسم <code>{argument}</code>.',
  'reason.argument-unreadable': 'تعذّرت قراءة <code>{argument}</code>.',
  'reason.arguments-conflict': 'لا يتوافق الخياران <code>{argument}</code> و<code>{other}</code>.',
  'reason.path-not-allowed': 'لا يقبل Firestore هذا المسار، أو لا يقبله هنا.',
  'reason.field-not-allowed': 'لا يقبل Firestore اسم الحقل هذا.',
  'reason.value-not-allowed': 'لا يمكن أن يحمل الحقل <code>{field}</code> هذه القيمة.',
  'reason.document-too-large': 'المستند أكبر من 1 ميبيبايت.',
  'reason.document-lacks-order-field': 'ينقص المستند الحقل <code>{field}</code>، ومن دونه لن يعثر عليه أي استعلام.',
  'reason.request-too-large': 'هذا أكبر مما يتّسع له طلب واحد.',
  'reason.increment-too-large': 'الزيادة أكبر من أن تتّسع لها دفعة كتابة واحدة.',
  'reason.query-filter-not-allowed': 'لا يدعم Firestore هذا الفلتر على <code>{field}</code>.',
  'reason.query-order-not-allowed': 'لا يدعم Firestore هذا الترتيب.',
  'reason.query-cursor-not-allowed': 'لا يمكن أن يبدأ الاستعلام أو ينتهي هناك.',
  'reason.query-aggregation-not-allowed': 'لا يمكن عدّ نتائج هذا الاستعلام أو جمعها.',
  'reason.query-too-large': 'في الاستعلام فلاتر أو قيم أكثر مما يقبله Firestore.',
  'reason.token-of-another-query': 'هذه الصفحة ليست من هذا الاستعلام: اقرأ من البداية.',
  'reason.index-file-unreadable': 'هذا ليس ملف فهارس لواجهة سطر الأوامر في Firebase.',
  'reason.rules-file-unreadable': 'هذا ليس ملف قواعد أمان لـ Firestore.',
  'reason.index-link-unreadable': 'لا يوجد في هذا النص رابط مقروء إلى فهرس ناقص.',
  'reason.counter-not-found': 'لا يوجد عدّاد في <code>{path}</code>. أنشئه أولًا.',
  'reason.counter-exists': 'يوجد عدّاد في <code>{path}</code> من قبل.',
  'reason.counter-of-another-layout': 'للعدّاد في <code>{path}</code> بنية أخرى: في الحقل <code>{field}</code> شيء آخر.',
  'reason.counter-full': 'بلغ أحد الأجزاء أكبر عدد يمكنه حمله، وما زاد على ذلك لم يُحتسب.',
  'reason.total-too-large': 'الإجمالي أكبر من أن يتّسع له عدد من 64 بتًا.',
  'reason.resize-overruled': 'اختار عميل آخر في هذه الأثناء عددًا آخر من الأجزاء، وهذا العدد هو الساري.',
  'reason.ids-not-found': 'لا يوجد تسلسل معرّفات في <code>{path}</code>. أنشئه أولًا.',
  'reason.ids-path-taken': 'في <code>{path}</code> شيء آخر، أو بقايا تسلسل معرّفات. اختر مسارًا آخر.',
  'reason.ids-too-many-shards': 'أُنشئ تسلسل المعرّفات لعدد أقل من الأجزاء.',
  'reason.ids-damaged': 'حذف عميل آخر <code>{document}</code> أو غيّره. ولو أُنشئ من جديد لكرّر المعرّفات.',
  'reason.ids-used-up': 'بلغ تسلسل المعرّفات نهايته: لا عدد أكبر يتّسع له 64 بتًا.',
  'reason.ids-perhaps-lost': 'لم يصل ردّ عند أخذ المعرّفات. ربما ضاع بعضها، لكن لا يُعطى أي منها مرتين: حاول مرة أخرى.',
  'reason.too-much-contention': 'ظلّ عملاء آخرون يكتبون في المستندات نفسها.',
  'reason.document-not-found': 'لا يوجد مستند كهذا.',
  'reason.server-refused': 'رفض الخادم الطلب: <code>{status}</code>.',
  'reason.answer-unreadable': 'ما ردّ ليس Firestore، أو أن ردّه غير مقروء (HTTP {http}).',
  'reason.no-network': 'تعذّر الوصول إلى الخادم، أو انقطع الاتصال.',
  'reason.timed-out': 'لم يردّ الخادم في الوقت المحدّد.',
  'reason.page-too-large': 'هذه الصفحة من النتائج أكبر من 64 ميبيبايت: اطلب مستندات أقل في كل مرة.',
  'reason.write-in-doubt': 'ضاع الردّ على عملية كتابة: ربما نُفّذت وربما لم تُنفَّذ.',
  'reason.increment-in-doubt': 'ربما احتُسبت الزيادة وربما لم تُحتسب.',
  'reason.token-not-given': 'لا يوجد رمز مميّز صالح: <code>{function}</code>.',
  'reason.closed': 'الاتصال مغلق.',
  'reason.increments-not-sent': 'يتعذّر حاليًا إرسال الزيادات المنتظِرة.',
  'reason.module-not-loaded': 'تعذّر تحميل <code>{file}</code> وتشغيله.',
  'reason.module-crashed': 'تعطّلت وحدة WebAssembly، والأرجح أن الذاكرة نفدت. يُعاد تشغيلها.',
  'reason.memory-full': 'لم تبقَ ذاكرة.',
  'reason.storage-not-readable': 'تعذّرت قراءة مساحة تخزين المتصفّح.',
  'reason.storage-not-writable': 'لا يخزّن المتصفّح شيئًا هنا: تضيع الزيادات التي لم تُرسَل عند إغلاق الصفحة.',
  'reason.storage-altered': 'تعذّرت قراءة الزيادات المخزّنة: غيّرها شيء آخر.',
  'reason.internal-fault': 'هذا خطأ في المكتبة، أو في خدمة بينها وبين الخادم.',
  'reason.result-in-doubt': 'حدث خلل أثناء الكتابة: ربما نُفّذت وربما لم تُنفَّذ.',
  'reason.worker-not-started': 'تعذّر تشغيل عامل الويب (worker) ‏<code>{file}</code>، أو أنه تعطّل.',
  'reason.storage-missing': 'لا يستطيع هذا المتصفّح التخزين هنا: يلزم لذلك <code>https://</code> أو <code>localhost</code>.',
  'reason.kept-data-unreadable': 'تعذّرت قراءة البيانات المحفوظة باسم «{name}».',
  'reason.taken-over': 'يعمل Firestore الخاص بهذه الصفحة الآن في علامة تبويب أخرى.',
};
