// The API over a real database, with a merchant, its keys and a way to call it as clients do:
// signed, over `fetch` of the application or over a socket. Time stands still and randomness
// repeats, so that whole answers can be compared. The networks are real adapters whose nodes are
// never asked.
import { HDKey } from '@scure/bip32';
import { basicValue, createApiKey, type NewApiKey } from '#access/api-key.ts';
import { createApi } from '#api/http/create-api.ts';
import type { RateLimitSettings } from '#api/http/limits.ts';
import { type Log, silentLog } from '#base/log.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import type { Network } from '#deposit/network.ts';
import { keyringOf } from '#installation/keyring.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { accountValidator } from '#networks/families.ts';
import { openSandboxExecutors } from '#networks/open-executors.ts';
import { controlSandbox } from '#networks/sandbox/control-sandbox.ts';
import { openSandboxNetworks } from '#networks/sandbox/sandbox-network.ts';
import { openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { UTXO_CHAINS } from '#networks/utxo/utxo-chain.ts';
import { utxoNetwork } from '#networks/utxo/utxo-network.ts';
import { redrawLogo } from '#pages/branding/redraw-logo.ts';
import { createRateBook } from '#rates/rate-book.ts';
import { requestSettlement } from '#settle/queue.ts';
import { createTargetAdmission, type TargetAdmissionParts } from '#webhook/admit-target.ts';
import { type ResolveAddresses, STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import { digestSignature } from './digest-signature.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';
import { openTestDatabase } from './test-database.ts';

export type CallOptions = {
  /** Text is sent as it is. */
  readonly body?: string | object;
  readonly query?: string;
  readonly auth?: 'digest' | 'basic' | 'none';
  readonly key?: NewApiKey;
  readonly headers?: Record<string, string>;
  /** What is signed, where it differs from what is sent. */
  readonly signedBody?: string;
  /** Seconds to add to the timestamp. */
  readonly skew?: number;
};

export type Called = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: JsonTree;
};

/** Parsed JSON, to be looked into with `?.` and compared. */
export interface JsonTree {
  readonly [name: string]: JsonTree | undefined;
}

export type TestApi = Awaited<ReturnType<typeof openTestApi>>;

export type ApiOptions = {
  readonly log?: Log;
  readonly seed?: number;
  /** With the simulated networks and what drives them. */
  readonly simulated?: boolean;
  readonly rateLimits?: RateLimitSettings;
  /** Of names of receivers: a public address unless given. */
  readonly resolve?: ResolveAddresses;
  /** Everything is reached unless given. */
  readonly reach?: TargetAdmissionParts['reach'];
};

const noLimits: RateLimitSettings = { perKey: 0, perAddress: 0 };
const start = '2026-11-21T10:00:00Z';

export async function openTestApi(options: ApiOptions = {}) {
  const { log = silentLog, seed = 1, simulated = false } = options;
  const database = await openTestDatabase({ unsafeFast: true });
  const { db } = database;
  const clock = manualClock(start);
  const random = seededRandom(seed);
  const keyring = keyringOf(new Uint8Array(32).fill(7), random);
  const rates = await createRateBook({ db, clock });
  const networks = new Map<ChainId, Network>();
  const opened = simulated
    ? openSandboxNetworks({ db, clock, keyring, log })
    : ['BITCOIN', 'LITECOIN'].map((id) => silentNetwork(id, clock));
  for (const network of opened) networks.set(network.chain, network);
  const core = {
    db,
    clock,
    random,
    keyring,
    rates,
    networks,
    executors: new Map(
      openSandboxExecutors({ db, clock }).map((executor) => [executor.chain, executor] as const),
    ),
    accounts: accountValidator(networks),
    drawLogo: redrawLogo,
    log,
    publicUrl: 'http://pay.example',
    webhookTargets: createTargetAdmission({
      clock,
      rules: { ...STRICT_TARGET_RULES, loopbackForTest: true },
      resolve: options.resolve ?? (async () => ['93.184.215.14']),
      // Nothing leaves this machine.
      reach: options.reach ?? (async () => undefined),
    }),
    config: { trustedProxies: [] as string[], rateLimits: options.rateLimits ?? noLimits },
  };
  const sandboxApp = {
    ...core,
    policy: {
      requiredConfirmations: () => 1,
      isHeldByBrake: () => false,
      targetBlockSeconds: () => undefined,
    },
    onAffected: requestSettlement,
    onRecorded: () => undefined,
    onCheckoutChanged: () => undefined,
  };
  const app = { ...core, sandbox: simulated ? controlSandbox(sandboxApp) : undefined };
  const merchant = await createMerchant(app, { name: 'Book shop' });
  const { id: merchantId } = merchant;
  const key = await createApiKey(app, { merchantId, environment: 'test' });
  const liveKey = await createApiKey(app, { merchantId, environment: 'live' });
  const api = createApi(app);

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Called> {
    const { query = '' } = options;
    const body = method === 'GET' ? undefined : bodyText(options);
    const headers = signedHeaders(clock, method, path, { key, ...options });
    const url = `http://pay.example/api/v1${path}${query}`;
    const response = await api.fetch(new Request(url, { method, headers, body }), {});
    const text = await response.text();
    const { status } = response;
    return { status, headers: response.headers, text, json: text === '' ? null : JSON.parse(text) };
  }
  return {
    app,
    api,
    db,
    clock,
    merchantId,
    key,
    liveKey,
    call,
    sign: (method: string, path: string, options: CallOptions = {}) =>
      signedHeaders(clock, method, path, { key, ...options }),
    otherMerchant: async () => {
      const other = await createMerchant(app, { name: 'Other shop' });
      return createApiKey(app, { merchantId: other.id, environment: 'test' });
    },
    close: () => database.close(),
  };
}

function bodyText({ body }: CallOptions): string | undefined {
  return typeof body === 'object' ? JSON.stringify(body) : body;
}

function signedHeaders(
  clock: ManualClock,
  method: string,
  path: string,
  options: CallOptions & { readonly key: NewApiKey },
): Record<string, string> {
  const { auth = 'digest', key, skew = 0, headers = {} } = options;
  if (auth === 'none') return headers;
  if (auth === 'basic') return { 'x-basic': basicValue(key.key, key.secret), ...headers };
  const timestampText = String(Math.floor(clock.now().epochMilliseconds / 1000) + skew);
  const signed = options.signedBody ?? bodyText(options) ?? '';
  const body = new TextEncoder().encode(signed);
  return {
    'x-digest-key': key.key,
    'x-digest-timestamp': timestampText,
    'x-digest-signature': digestSignature({ path, timestampText, method, body }, key.secret),
    ...headers,
  };
}

/** Derives addresses for ever; its node does not exist. */
function silentNetwork(id: string, clock: ManualClock): Network {
  const chain = chainOf('test', id);
  const scheme = id.toLowerCase();
  const parameters = UTXO_CHAINS.find(
    ({ uriScheme, nodeChain }) => uriScheme === scheme && nodeChain === 'regtest',
  );
  if (parameters === undefined) throw new Error(`no regtest chain of ${id}`);
  const versions = { private: 0x04358394, public: parameters.extendedPublicVersion };
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(id.length), versions);
  const account = root.derive(`m/84'/${parameters.coinType}'/0'`);
  const rpc = openCoreRpc({
    what: chain,
    url: 'http://nobody:nothing@127.0.0.1:9/',
  });
  const descriptor = account.publicExtendedKey;
  return utxoNetwork({ chain, parameters, rpc, descriptor, clock, log: silentLog });
}
