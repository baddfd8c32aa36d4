// Which program a command line belongs to. What holds keys, and what asks an installation over HTTP, is a
// program of its own, which loads nothing of the service.
const REMOTE_WORDS = [
  ...['login', 'logout', 'profiles', 'listen', 'trigger', 'logs', 'open', 'mcp', 'completion'],
];
const BY_FIRST_WORD = new Map([
  ['sign', 'src/cli/sign-main.ts'],
  ['trade', 'src/cli/trade-main.ts'],
  ...REMOTE_WORDS.map((word) => [word, 'src/remote/remote-main.ts']),
]);
const REMOTE = ['checkout create', 'sandbox advance'];
/** There beside the database too: the profile makes the difference. */
const BOTH = ['checkout show'];

/** The path of the program within the repository. */
export function chooseProgram(words, environment) {
  const names = words.filter((word) => !word.startsWith('-'));
  const own = BY_FIRST_WORD.get(names[0]);
  if (own !== undefined) return own;
  const two = names.slice(0, 2).join(' ');
  const hasProfile =
    words.some((word) => /^--profile(?:=|$)/.test(word)) || environment.QUITTANCE_URL !== undefined;
  const isRemote = REMOTE.includes(two) || (BOTH.includes(two) && hasProfile);
  return isRemote ? 'src/remote/remote-main.ts' : 'src/cli/main.ts';
}
