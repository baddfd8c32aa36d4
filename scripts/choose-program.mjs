// Which program a command line belongs to. What holds keys, and what asks an installation over HTTP, is a
// program of its own, which loads nothing of the service. Whatever no program knows goes to the one that
// asks over HTTP: its help is the help of all.
const SERVICE_WORDS = [
  ...[
    'alert',
    'allow-list',
    'approval',
    'audit',
    'backup',
    'bank',
    'chain',
    'custody',
    'distribute',
  ],
  ...[
    'doctor',
    'key',
    'language',
    'ledger',
    'limit',
    'mail',
    'merchant',
    'migrate',
    'parked',
    'person',
  ],
  ...[
    'report',
    'restore',
    'restored',
    'send',
    'settings',
    'setup',
    'suspense',
    'treasury',
    'webhook',
  ],
];
const BY_FIRST_WORD = new Map([
  ['sign', 'src/cli/sign-main.ts'],
  ['trade', 'src/cli/trade-main.ts'],
  ...SERVICE_WORDS.map((word) => [word, 'src/cli/main.ts']),
]);
const BESIDE = ['sandbox replace', 'sandbox reorg', 'sandbox freeze'];
/** There over HTTP too: the profile makes the difference. Its help tells of both. */
const BOTH = ['checkout show', 'sandbox pay', 'sandbox mine', 'sandbox expire'];

/** The path of the program within the repository. */
export function chooseProgram(words, environment) {
  const names = words.filter((word) => !word.startsWith('-'));
  const own = BY_FIRST_WORD.get(names[0]);
  if (own !== undefined) return own;
  const two = names.slice(0, 2).join(' ');
  const hasProfile =
    words.some((word) => /^--profile(?:=|$)/.test(word)) || environment.QUITTANCE_URL !== undefined;
  const isHelp = words.includes('--help') || words.includes('-h');
  const isBeside = BESIDE.includes(two) || (BOTH.includes(two) && !hasProfile && !isHelp);
  return isBeside ? 'src/cli/main.ts' : 'src/remote/remote-main.ts';
}
