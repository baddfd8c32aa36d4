// The commands of a script of SQL, one by one: Citus takes no several at once to a worker.

/**
 * What ends nowhere inside: texts, names, comments, bodies of functions. A backslash ends nothing
 * either: `standard_conforming_strings` is on, and no migration writes `E'…'`.
 */
const PART =
  /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$[A-Za-z_]*\$)[\s\S]*?\1|[^;'"$/-]+|[$/-]|;/g;

/** Joined by `;` they are the script again; what is of comments alone is left out. */
export function splitScript(text: string): readonly string[] {
  const commands: string[] = [];
  let [command, isEmpty] = ['', true];
  for (const [part] of text.matchAll(PART)) {
    if (part === ';') {
      if (!isEmpty) commands.push(command);
      [command, isEmpty] = ['', true];
      continue;
    }
    command += part;
    isEmpty &&= /^(?:\s*|--.*|\/\*[\s\S]*)$/.test(part);
  }
  return isEmpty ? commands : [...commands, command];
}
