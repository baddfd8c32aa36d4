// How nodes and providers of Ethereum JSON-RPC refuse, in their own words: laid before a node in this
// process (evm-node.ts), each changes one thing about its answers. The words come from the sources of
// the programs, the error references of the providers, and answers that people quoted.
import type { PostedText, PostText } from '#networks/evm/json-rpc.ts';

export type Question = { readonly id: unknown; readonly method: string };

/** Answers instead of the node, or lets the question through (undefined). */
export type Refusal = (asked: readonly Question[], isBatch: boolean) => PostedText | undefined;

export type ProviderRow = { readonly name: string; readonly source: string };
export type RefusingRow = ProviderRow & { readonly refuse: Refusal };
/** What is said of one question. */
export type AnswerRow = ProviderRow & {
  readonly code: number;
  readonly message: string;
  readonly status?: number;
  readonly retryAfter?: string;
};

type Failure = { readonly code: number; readonly message: string };

export function behind(refuse: Refusal, post: PostText): PostText {
  return async (body) => {
    const question: unknown = JSON.parse(body);
    const isBatch = Array.isArray(question);
    const asked = (isBatch ? question : [question]) as Question[];
    return refuse(asked, isBatch) ?? post(body);
  };
}

const errorOf = (id: unknown, error: Failure) => ({ jsonrpc: '2.0', id, error });

/** One error for all. */
export function refusesAll(failure: Failure, status = 200, retryAfter?: string): Refusal {
  return (asked, isBatch) => {
    const id = isBatch ? null : asked[0]?.id;
    return { status, text: JSON.stringify(errorOf(id, failure)), retryAfter };
  };
}

/** An error for each question. */
export function refusesEach(failure: Failure, status = 200, retryAfter?: string): Refusal {
  return (asked, isBatch) => {
    const answers = asked.map(({ id }) => errorOf(id, failure));
    return { status, text: JSON.stringify(isBatch ? answers : answers[0]), retryAfter };
  };
}

const above =
  (most: number, refuse: Refusal): Refusal =>
  (asked, isBatch) =>
    asked.length > most ? refuse(asked, isBatch) : undefined;

const inText =
  (status: number, text: string): Refusal =>
  () => ({ status, text });

/** Fewer questions at once. */
export const BATCH_ROWS: readonly RefusingRow[] = [
  {
    name: 'geth: a list of one error, with the number of the first question',
    source: 'go-ethereum, rpc/handler.go: respondWithBatchTooLarge',
    refuse: above(10, ([first]) => ({
      status: 200,
      text: JSON.stringify([errorOf(first?.id, { code: -32600, message: 'batch too large' })]),
    })),
  },
  {
    name: 'Erigon: one error for all',
    source: 'erigon, rpc/server.go',
    refuse: above(10, refusesAll({ code: -32000, message: 'batch limit 10 exceeded: 20 given' })),
  },
  {
    name: 'Besu: one error with the code of a rate limit',
    source: 'besu, RpcErrorType: EXCEEDS_RPC_MAX_BATCH_SIZE',
    refuse: above(
      10,
      refusesAll({ code: -32005, message: 'Number of requests in batch exceeds max batch size' }),
    ),
  },
  {
    name: 'reth: one error for all',
    source: 'jsonrpsee, TOO_BIG_BATCH_REQUEST_MSG',
    refuse: above(10, refusesAll({ code: -32010, message: 'The batch request was too large' })),
  },
  {
    name: 'the public nodes of OP chains: one error for all',
    source: 'proxyd, ErrTooManyBatchRequests',
    refuse: above(
      10,
      refusesAll({ code: -32014, message: 'too many RPC calls in batch request' }, 413),
    ),
  },
  {
    name: 'drpc without an account: an error for each question, as a fault of the server',
    source: 'drpc.org, answers quoted in public code',
    refuse: above(
      3,
      refusesEach(
        { code: 31, message: 'Batch of more than 3 requests are not allowed on free plan' },
        500,
      ),
    ),
  },
  {
    name: 'a proxy: a page',
    source: 'nginx, client_max_body_size',
    refuse: above(10, inText(413, '<html><title>413 Request Entity Too Large</title></html>')),
  },
  {
    name: 'a gateway: a bare sentence',
    source: 'roninchain.com, quoted in public code',
    refuse: above(10, inText(400, 'too many requests in batch')),
  },
  {
    name: 'a gateway that waited too long',
    source: 'AWS API Gateway, 504',
    refuse: above(10, inText(504, '{"message": "Endpoint request timed out"}')),
  },
  {
    name: 'a relay that knows no batches at all',
    source: 'hedera-json-rpc-relay, issue 1820',
    refuse: above(1, refusesAll({ code: -32600, message: 'Invalid Request' })),
  },
];

/** The answers together are too long: what fits is given. */
export const SIZE_ROWS: readonly (ProviderRow & { readonly failure: Failure })[] = [
  {
    name: 'geth and bor',
    source: 'go-ethereum, rpc/errors.go: errcodeResponseTooLarge',
    failure: { code: -32003, message: 'response too large' },
  },
  {
    name: 'geth, out of time',
    source: 'go-ethereum, rpc/errors.go: errcodeTimeout',
    failure: { code: -32002, message: 'request timed out' },
  },
  {
    name: 'reth',
    source: 'jsonrpsee, TOO_BIG_BATCH_RESPONSE_MSG',
    failure: { code: -32011, message: 'The batch response was too large' },
  },
];

/** eth_getBlockReceipts is not given. */
export const RECEIPT_ROWS: readonly AnswerRow[] = [
  {
    name: 'geth before 1.13',
    source: 'go-ethereum, rpc/errors.go',
    code: -32601,
    message: 'the method eth_getBlockReceipts does not exist/is not available',
  },
  {
    name: 'Alchemy, a chain without it',
    source: 'Alchemy, error reference',
    code: -32600,
    message: 'Unsupported method: eth_getBlockReceipts. See available methods in the documentation',
  },
  {
    name: 'EIP-1474',
    source: 'EIP-1474: method not supported',
    code: -32004,
    message: 'Method not supported',
  },
  {
    name: 'a plan without it',
    source: 'QuickNode, error references',
    code: -32000,
    message: 'eth_getBlockReceipts is not available on your current plan',
  },
  {
    name: 'drpc without an account',
    source: 'drpc.org, answers quoted in public code',
    code: 35,
    message: 'method is not available on freetier',
    status: 400,
  },
  {
    name: 'proxyd',
    source: 'proxyd, ErrMethodNotWhitelisted',
    code: -32001,
    message: 'rpc method is not whitelisted',
    status: 403,
  },
  {
    name: 'a code and no words',
    source: 'EIP-1474 with another wording',
    code: -32600,
    message: 'no',
  },
  {
    name: 'the public node of Base, of a heavy block',
    source: 'proxyd, ErrBackendResponseTooLarge; mainnet.base.org, quoted in public code',
    code: -32020,
    message: 'backend response too large',
    status: 500,
  },
];

/** Later. */
export const RATE_ROWS: readonly AnswerRow[] = [
  {
    name: 'Alchemy',
    source: 'Alchemy, error reference; answers quoted in issues',
    code: 429,
    message: 'Your app has exceeded its compute units per second capacity.',
  },
  {
    name: 'Alchemy, at the end of the month',
    source: 'xmtpd, issue 672',
    code: -32600,
    message: 'Monthly capacity limit exceeded.',
    status: 403,
  },
  {
    name: 'Infura',
    source: 'Infura, errors',
    code: -32005,
    message: 'project ID request rate exceeded',
    status: 429,
    retryAfter: '7',
  },
  {
    name: 'QuickNode, by the second',
    source: 'QuickNode, answers quoted in public code',
    code: -32007,
    message: '50/second request limit reached - reduce calls per second or upgrade your account',
  },
  {
    name: 'QuickNode, by credits',
    source: 'mud, issue 1522',
    code: -32012,
    message: 'credits limited to 6000/sec',
  },
  {
    name: 'QuickNode, by the day',
    source: 'QuickNode, error references',
    code: -32003,
    message: 'daily request limit reached - upgrade your account',
  },
  {
    name: 'the public nodes of OP chains',
    source: 'proxyd, ErrOverRateLimit',
    code: -32016,
    message: 'over rate limit',
    status: 429,
  },
  {
    name: 'Ankr without an account',
    source: 'Ankr, quoted in public code',
    code: -32000,
    message: 'You reached Public endpoint rate limit',
  },
];

/** The state of an old block is not kept. */
export const STATE_ROWS: readonly AnswerRow[] = [
  {
    name: 'geth and bor',
    source: 'bor, issue 1303',
    code: -32000,
    message: 'missing trie node c6eb (path ) state 0xc6eb is not available, not found',
  },
  {
    name: 'geth, state by path',
    source: 'go-ethereum, core/state',
    code: -32000,
    message: 'historical state 0xc6eb is not available',
  },
  {
    name: 'a node that is behind',
    source: 'go-ethereum, eth/api_backend.go',
    code: -32000,
    message: 'header not found',
  },
  {
    name: 'Nethermind',
    source: 'nethermind, ErrorCodes.ResourceUnavailable',
    code: -32002,
    message: 'No state available for block 0xc6eb',
  },
  {
    name: 'Erigon and reth',
    source: 'erigon, rpc/rpchelper; reth, StateForNumberNotFound',
    code: -32000,
    message: 'state at block #100 is pruned',
  },
  {
    name: 'Besu',
    source: 'besu, RpcErrorType: WORLD_STATE_UNAVAILABLE',
    code: -32000,
    message: 'World state unavailable',
  },
  {
    name: 'publicnode without an account',
    source: 'publicnode.com, quoted in issues',
    code: -32701,
    message: 'Archive, Debug and Trace requests require a personal token',
    status: 403,
  },
];

/** There is no final block yet; undefined answers null. */
export const FINAL_ROWS: readonly (ProviderRow & { readonly failure: Failure | undefined })[] = [
  {
    name: 'execution-apis and Erigon',
    source: 'bsc-erigon, issue 376',
    failure: { code: -39001, message: 'Unknown block' },
  },
  {
    name: 'geth without a consensus client',
    source: 'go-ethereum, eth/api_backend.go',
    failure: { code: -32000, message: 'finalized block not found' },
  },
  { name: 'a node that says null', source: 'execution-apis', failure: undefined },
];
