/**
 * A chapter is data for elements/chapter_view.js. Its texts are in languages/ under `chapter.<id>.…`:
 *
 *   title, about                        of the chapter; `about` is one line for the table of contents
 *   <step>.title, .text                 for the reader to begin with
 *   <step>.question, .choice.<choice>   of the prediction
 *   <step>.result                       the result so far, with the numbers of `figures`
 *   <step>.recipe.<part>
 *   <step>.task.<task>
 *   <step>.sandbox                      of the link to another chapter's sandbox
 *   <step>.outcome, .code               of the challenge, with the figures of its `judge` and its `judgeCode`
 *
 * and of knobs, which chapters share, under `knob.<name>`, `knob.<name>.<word>`.
 *
 * @typedef {import('../languages/languages.js').Language} Language
 *
 * @typedef {object} Chapter
 * @property {string} id As in the address.
 * @property {Step<any>[]} steps
 */

/**
 * @template Recording
 * @typedef {object} Step
 * @property {string} id As in the address.
 * @property {{title?: import('../text.js').TextId, text?: import('../text.js').TextId, result?: import('../text.js').TextId}} [texts] In place of its
 *   own: those that several steps share.
 * @property {{[name: string]: Knob}} [knobs]
 * @property {number} [seed] The seed of the run that the text is about. Default 1.
 * @property {Prediction<Recording>} [prediction]
 * @property {Code} [given] The code that the prediction asks about, shown until the reader has answered.
 * @property {(knobs: Knobs, seed: number, signal: AbortSignal) => Promise<Recording & Timed>} [record] The run to see. A run without
 *   a duration is computed rather than played.
 * @property {boolean} [computed] Whether the record is so quick that the reader need not start it.
 * @property {() => Promise<OpenTool>} [tool] In place of `record`: loads a tool, only for readers who open the step.
 * @property {(recording: Recording, knobs: Knobs) => Picture[]} [pictures]
 * @property {(recording: Recording, atMs: number) => import('../text.js').TextValues} [figures]
 * @property {{id: string, reached: (recording: Recording, atMs: number, knobs: Knobs) => boolean}[]} [tasks]
 * @property {(knobs: Knobs, recording: Recording) => {chapter: string, knobs: Knobs}} [sandbox] The chapter whose sandbox plays this, and its settings
 *   there: the step links to it.
 * @property {Challenge<Recording>} [challenge]
 * @property {(knobs: Knobs, recording: Recording | null) => Code} [code] The code that the reader would write.
 * @property {Trial} [trial] For a step whose code runs by itself against one database: the reader may change the code, and run it in the page.
 * @property {RecipePart<Recording>[]} [recipe] The reader's steps, one after the other.
 */

/**
 * One file; or several, each with its name in `code.<file>`.
 * @typedef {string | {[file: string]: string}} Code
 */

/**
 * @typedef {object} Trial
 * @property {(knobs: Knobs) => string} [code] In place of the step's code, if that needs more than a database.
 * @property {(knobs: Knobs) => GivenDocument[]} [documents] That are there when the code begins.
 *
 * @typedef {import('../model/code_program.js').GivenDocument} GivenDocument
 *
 * @typedef {object} CodeOutcome
 * @property {import('../model/code_run.js').Id[] | null} returned The ids in the returned list or page; null if there is none.
 * @property {import('../model/code_run.js').Bill} bill
 * @property {Knobs} knobs
 * @property {GivenDocument[]} documents That were there.
 */

/**
 * @template Recording
 * @typedef {object} RecipePart
 * @property {string} id The last part of its text's id.
 * @property {(knobs: Knobs) => boolean} [needed] By default it always is.
 * @property {(recording: Recording) => import('../text.js').TextValues} [values] The values in its text.
 * @property {(knobs: Knobs, recording: Recording) => Code} [code]
 */

/**
 * @typedef {object} Timed
 * @property {number} durationMs 0: there is no time in it.
 * @property {{atMs: number}[]} [events] In order: where the player's steps lead to.
 * @property {ArrayLike<number>} [eventTimes] In place of the events, if there are many.
 *
 * @typedef {NumberKnob | WordKnob} Knob
 * @typedef {{[name: string]: any}} Knobs Their values: numbers and words.
 *
 * @typedef {object} NumberKnob
 * @property {number} default
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [step] 1
 * @property {number[]} [choices] In place of the three: the numbers that can be chosen.
 * @property {(knobs: Knobs) => boolean} [applies] Whether it makes a difference beside the other knobs' present values. If it does not, the reader
 *   cannot turn it, and `knob.<name>.idle` says why.
 * @property {import('../text.js').TextId} [idle] A text that says why, in place of that one.
 *
 * @typedef {object} WordKnob
 * @property {string[]} words
 * @property {string} default
 *
 * @typedef {object} Picture
 * @property {HTMLElement | SVGElement} element
 * @property {(atMs: number) => void} show
 * @property {(atMs: number) => string} summary A sentence or two about the picture.
 * @property {(atMs: number) => HTMLTableElement} [table] The same in numbers.
 * @property {() => void} [close] It is not shown any more.
 */

/**
 * `answer` is the run's answer, at its end or at `askedAtMs`. A number is guessed with its unit (`unit.<unit>` in languages/), else one of the
 * choices. The question is about the run with all knobs at their defaults, or about the runs that `isAsked` accepts.
 * @template Recording
 * @typedef {({unit: string, answer: (recording: Recording) => number} | {choices: string[], answer: (recording: Recording) => string})
 *   & {askedAtMs?: number, isAsked?: (recording: Recording) => boolean}} Prediction
 */

/**
 * A goal that a run reaches or misses. Among the runs that reach it, the least or the most score is the best; it is said with its unit.
 * @template Recording
 * @typedef {object} Challenge
 * @property {string} unit
 * @property {'least' | 'most'} best
 * @property {(recording: Recording) => Verdict & {score: number}} judge At the end of the run.
 * @property {(outcome: CodeOutcome) => Verdict} [judgeCode] At the end of the reader's code, if code can reach the goal, too.
 */

/**
 * @typedef {{isReached: boolean, score: number | null, figures: import('../text.js').TextValues}} Verdict Without a score it is not compared.
 */

/**
 * @typedef {object} ToolHost
 * @property {Knobs} knobs The values of the step's knobs.
 * @property {{[name: string]: string}} words The words in the address.
 * @property {(words: {[name: string]: string}) => void} keep Puts it there.
 * @property {(state: any) => void} changed Asks the tasks whether this state reaches them, like for a recording.
 *
 * @typedef {(host: ToolHost) => Tool} OpenTool
 *
 * @typedef {object} Tool
 * @property {HTMLElement} element
 * @property {(knobs: Knobs) => void} [turn] The reader has turned the knobs.
 * @property {() => void} [close]
 */

export {};
