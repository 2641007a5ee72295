// The words that a shell offers when you press the tabulator key. The shells' scripts ask the program, so that they know no command.

import { COMMANDS, findCommand } from './commands.js';
import { flagOf, optionsOf } from './options.js';

/** The first word of a command line that asks for completions. Users never type it. */
export const COMPLETE = '__complete';

/** @typedef {[word: string, sentence: string]} Candidate */

/**
 * @param {string[]} words Behind the name of the program, up to the one that is being written, which may be empty.
 * @returns {Candidate[]} Empty if a file, or any text, may follow.
 */
export function complete(words) {
  const { before, partial, isValue } = taken(words);
  if (before[0] === 'help') before.shift();
  const { command, rest } = findCommand(before);
  if (!command) return beginning(commandsBehind(before), partial);
  const options = optionsOf(command);
  const optionOf = (/** @type {string} */ word) => options.find((option) => word === `--${flagOf(option)}` && option.type !== 'flag');
  const [, flag = '', value] = /^(--[\w-]+)=(.*)$/.exec(partial) ?? [];
  if (value !== undefined) return beginning(wordsOf(optionOf(flag)), value).map(([word, sentence]) => [`${flag}=${word}`, sentence]);
  const asking = optionOf(rest.at(-1) ?? '');
  if (asking || isValue) return beginning(wordsOf(asking), partial);
  if (partial.startsWith('-')) {
    const open = options.filter((option) => option.many || !rest.some((word) => word.split('=')[0] === `--${flagOf(option)}`));
    return beginning(open.map((option) => [`--${flagOf(option)}`, option.sentence]), partial);
  }
  const place = rest.filter((word, i) => !word.startsWith('-') && !optionOf(rest[i - 1] ?? '')).length;
  return beginning(wordsOf(command.takes?.[place]), partial);
}

/** Bash takes `--source=sum` for three words. @param {string[]} words */
function taken(words) {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  if (last === '=') return { before, partial: '', isValue: true };
  const isValue = before.at(-1) === '=';
  return { before: isValue ? before.slice(0, -1) : before, partial: last, isValue };
}

/** @param {string[]} before @returns {Candidate[]} The next words of all commands that begin so. */
function commandsBehind(before) {
  const begun = before.map((word) => `${word} `).join('');
  const found = COMMANDS.filter(({ name }) => name.startsWith(begun));
  const next = found.map(({ name, sentence }) => /** @type {Candidate} */ ([name.slice(begun.length).split(' ')[0], sentence]));
  const groups = new Map(next.map(([word, sentence]) => [word, next.filter(([other]) => other === word).length > 1 ? '' : sentence]));
  if (before.length === 0) groups.set('help', 'Explains a command.');
  return [...groups];
}

/** @param {import('./options.js').Argument} [argument] @returns {Candidate[]} */
function wordsOf(argument) {
  return (argument?.words ?? []).map((word) => [word, '']);
}

/** @param {Candidate[]} candidates @param {string} partial */
function beginning(candidates, partial) {
  return candidates.filter(([word]) => word.startsWith(partial));
}

/** By shell. @type {Record<string, string>} */
export const SCRIPTS = {
  bash: `_shardline() {
  local IFS=$'\\n'
  COMPREPLY=($(shardline ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
}
complete -o default -F _shardline shardline
`,
  zsh: `#compdef shardline
_shardline() {
  local -a lines candidates
  local line
  lines=("\${(@f)$(shardline ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do candidates+=("\${line%%$'\\t'*}:\${line#*$'\\t'}"); done
  if (( $#candidates )); then _describe shardline candidates; else _files; fi
}
compdef _shardline shardline
`,
  fish: `function __shardline_complete
  set -l words (commandline --tokenize --cut-at-cursor --current-process)
  set -l partial (commandline --current-token --cut-at-cursor)
  set -l lines (shardline ${COMPLETE} $words[2..-1] "$partial" 2>/dev/null)
  if test (count $lines) -gt 0
    printf '%s\\n' $lines
  else
    __fish_complete_path "$partial"
  end
end
complete --command shardline --no-files --arguments '(__shardline_complete)'
`,
};
