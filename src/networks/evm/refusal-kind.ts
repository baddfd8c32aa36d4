// What a refusal of a node asks us to do. The words decide before the codes: providers use one code
// for several things (-32000, -32003, -32005 and -32600 above all). The words are of geth, bor,
// Erigon, Nethermind, reth, OP's proxyd, and of Alchemy, Ankr, drpc, Infura, publicnode, QuickNode;
// each is a row in test/fakes/evm-providers.ts.

type RefusalKind =
  /** Fewer questions at once, or questions with a shorter answer. */
  | 'fewer'
  /** The same, later. */
  | 'later'
  /** The method is not offered. */
  | 'method'
  /** The state of that block is not kept. */
  | 'state'
  | 'no';

const words: readonly (readonly [RefusalKind, RegExp])[] = [
  // What a contract says is not said by the node.
  ['no', /revert/i],
  ['fewer', /batch.*(too|more than|exceed|limit|maximum|size)|too many.*batch/i],
  ['method', /method.*(not|un)[ -]?(found|support|available|allowed|exist|whitelist|included)/i],
  ['method', /(not |un)supported.*method|method is disabled|unknown method/i],
  ['method', /eth_\w+.*(not |un)(supported|available)|freetier|current plan/i],
  ['later', /rate.?limit|request limit|too many requests|compute units|throttl|quota|credits/i],
  ['later', /rate exceeded|request count exceeded|capacity limit|too much load|usage limit/i],
  ['fewer', /(response|answer|result|body|entity|content).*(too large|too big|exceed)/i],
  ['fewer', /too large|timed? ?out|returned more than|exceeds max results/i],
  ['state', /trie|state|archiv|prun|histor|header not found|unknown block|block not found/i],
  ['state', /missing|not available|too old|no longer/i],
];

const codes: ReadonlyMap<number, RefusalKind> = new Map([
  [-32601, 'method'],
  [-32004, 'method'],
  [35, 'method'],
  [429, 'later'],
  [-32005, 'later'],
  [-32007, 'later'],
  [-32012, 'later'],
  [-32016, 'later'],
  [15, 'later'],
  [31, 'fewer'],
  [-32014, 'fewer'],
  [-32020, 'fewer'],
  [-32701, 'state'],
]);

export function kindOfRefusal({
  code,
  said,
}: {
  readonly code: number;
  readonly said: string;
}): RefusalKind {
  if (code === 3) return 'no';
  return words.find(([, pattern]) => pattern.test(said))?.[0] ?? codes.get(code) ?? 'no';
}
