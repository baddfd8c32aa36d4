// The places at which a process is killed, in the order in which an order passes them: reserved,
// handed over, drafted, asked, signed, stored, sent, seen, recognised, booked.
import type { Failpoint, Victim } from './trap.ts';

const SERVICE: readonly Victim[] = ['service'];
const SIGNER: readonly Victim[] = ['signer'];
const BOTH: readonly Victim[] = ['service', 'signer'];

/** Before the statement that does it reaches the database, and after its COMMIT before it is told. */
function around(name: string, about: RegExp): Failpoint[] {
  return [
    { name: `${name}: not written`, at: 'statement', about, victims: SERVICE },
    { name: `${name}: committed`, at: 'committed', about, victims: SERVICE },
  ];
}

const ORDER = /"ask":"sign"/;
const SIGNED = /"answer":"signed"/;
/** What was signed before is given out once more: its line is on disk for long. */
const SIGNED_NOW = /^new .*"answer":"signed"/;
const SEND = /"method": ?"(?:sendrawtransaction|eth_sendRawTransaction)"/;

export const FAILPOINTS: readonly Failpoint[] = [
  ...around('reserve', /insert into transfer\b/),
  ...around('hand over', /update transfer set state = 'TO_SEND', by_hand/),
  ...around('question', /insert into attempt\b/),
  { name: 'asked: service', at: 'to-signer', about: ORDER, victims: SERVICE },
  { name: 'asked: signer', at: 'to-signer', about: ORDER, victims: SIGNER },
  { name: 'asked: both', at: 'to-signer', about: ORDER, victims: BOTH },
  {
    name: 'signed, half a line in the log: signer',
    at: 'from-signer',
    about: SIGNED_NOW,
    victims: SIGNER,
    cutsLog: true,
  },
  { name: 'signed, not answered: service', at: 'from-signer', about: SIGNED, victims: SERVICE },
  { name: 'signed, not answered: signer', at: 'from-signer', about: SIGNED, victims: SIGNER },
  { name: 'signed, not answered: both', at: 'from-signer', about: SIGNED, victims: BOTH },
  ...around('answer stored', /update attempt set signed_transaction/),
  { name: 'stored, not sent', at: 'to-node', about: SEND, victims: SERVICE },
  { name: 'sent, not told', at: 'from-node', about: SEND, victims: SERVICE },
  ...around('seen', /insert into departure\b/),
  ...around('recognised', /update transfer set state = 'SUBMITTED'/),
  ...around('booked', /update transfer set state = \$\d+, failure/),
  ...around('departure closed', /update departure set booked_at/),
];
