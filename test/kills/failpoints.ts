// The places at which a process is killed, in the order in which an order passes them: reserved,
// handed over, drafted, asked, signed, stored, sent, seen, recognised, booked; and which kinds of
// orders come by there.
import { ORDER_KINDS, type OrderKind } from './order-kinds.ts';
import type { Failpoint, Victim } from './trap.ts';

const SERVICE: readonly Victim[] = ['service'];
const SIGNER: readonly Victim[] = ['signer'];
const BOTH: readonly Victim[] = ['service', 'signer'];

/** Before the statement that does it reaches the database, and after its COMMIT before it is told. */
function around(name: string, about: RegExp, kinds: readonly OrderKind[]): KindsFailpoint[] {
  return [
    { name: `${name}: not written`, at: 'statement', about, victims: SERVICE, kinds },
    { name: `${name}: committed`, at: 'committed', about, victims: SERVICE, kinds },
  ];
}

export type KindsFailpoint = Failpoint & { readonly kinds: readonly OrderKind[] };

const ALL = ORDER_KINDS;
const TRANSFERS = ALL.filter((kind) => kind !== 'sweep');
/** The operator orders a return by a command, which is a process of its own. */
const BY_SERVICE = TRANSFERS.filter((kind) => kind !== 'return');
const SWEEPS: readonly OrderKind[] = ['sweep'];

const ORDER = /"ask":"sign"/;
const SIGNED = /"answer":"signed"/;
/** What was signed before is given out once more: its line is on disk for long. */
const SIGNED_NOW = /^new .*"answer":"signed"/;
export const SEND = /"method": ?"(?:sendrawtransaction|eth_sendRawTransaction)"/;

const PLACES: readonly KindsFailpoint[] = [
  ...around(
    'reserve',
    /(?:insert into transfer\b|update transfer set state = 'RESERVED')/,
    BY_SERVICE,
  ),
  ...around('hand over', /update transfer set state = 'TO_SEND', by_hand/, TRANSFERS),
  ...around('question', /insert into attempt\b/, TRANSFERS),
  ...around('question of a sweep', /update sweep_move set terms/, SWEEPS),
  { name: 'asked: service', at: 'to-signer', about: ORDER, victims: SERVICE, kinds: ALL },
  { name: 'asked: signer', at: 'to-signer', about: ORDER, victims: SIGNER, kinds: ALL },
  { name: 'asked: both', at: 'to-signer', about: ORDER, victims: BOTH, kinds: ALL },
  {
    name: 'signed, half a line in the log: signer',
    at: 'from-signer',
    about: SIGNED_NOW,
    victims: SIGNER,
    cutsLog: true,
    kinds: ALL,
  },
  ...[SERVICE, SIGNER, BOTH].map((victims) => ({
    name: `signed, not answered: ${victims.length > 1 ? 'both' : victims[0]}`,
    at: 'from-signer' as const,
    about: SIGNED,
    victims,
    kinds: ALL,
  })),
  ...around('answer stored', /update attempt set signed_transaction/, TRANSFERS),
  ...around('answer of a sweep stored', /update sweep_move set state = 'SIGNED'/, SWEEPS),
  { name: 'stored, not sent', at: 'to-node', about: SEND, victims: SERVICE, kinds: ALL },
  { name: 'sent, not told', at: 'from-node', about: SEND, victims: SERVICE, kinds: ALL },
  ...around('seen', /insert into departure\b/, ALL),
  ...around('recognised', /update transfer set state = 'SUBMITTED'/, TRANSFERS),
  ...around('booked', /update transfer set state = \$\d+, failure/, TRANSFERS),
  ...around('departure closed', /update departure set booked_at/, ALL),
  ...around('sweep ended', /update sweep_move set state = \$\d+/, SWEEPS),
];

/** Where orders of these kinds come by, and which of them do at each. */
export function failpointsOf(kinds: readonly OrderKind[]): KindsFailpoint[] {
  return PLACES.map((place) => {
    return { ...place, kinds: place.kinds.filter((kind) => kinds.includes(kind)) };
  }).filter((place) => place.kinds.length > 0);
}
