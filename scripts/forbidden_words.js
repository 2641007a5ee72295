// Words that no English text of the project uses: scripts/words.js looks for them in README and guides, tests/tutorial in the tutorial.

/** A clause in place of a noun: `what …`, `those of …`. */
export const CLAUSE = /\b(what|whatever|whoever|whichever|those (of|that|who|which|in|on|with))\b|(?<=^|[.;:,] )who\b/gi;
export const FORBIDDEN = [
  /\banew\b/gi, /\bmend(s|ed)?\b/gi, /\blikewise\b/gi, /\bbut for\b/gi, /\bnone\b/gi, /\btold\b/gi, /\bso many\b/gi, /\b(some|no)body\b/gi,
  /\bstands?\b(?! for\b)/gi, /\blies?\b/gi, /, for (?!example\b|instance\b)/g, /, as (?!well\b)/g, /(?<=^|[.!?] )(It is so|That is|None is)\b/g,
];
