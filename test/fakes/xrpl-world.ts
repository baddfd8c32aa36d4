// A shop that takes XRP: a ledger in memory, a server of it on loopback, an account that is funded,
// and the real adapter over it in a world of its own.

import { chainOf } from '#catalog/chain.ts';
import { XRPL_CHAINS } from '#networks/xrpl/xrpl-chain.ts';
import { xrplNetwork } from '#networks/xrpl/xrpl-network.ts';
import { openXrplServer } from '#networks/xrpl/xrpl-server.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import {
  type FakeXrpl,
  fakeXrpl,
  type PayOptions,
  seededXrplKey,
  type XrplKey,
} from './xrpl-ledger.ts';
import { type FakeXrplServer, startFakeXrplServer } from './xrpl-server.ts';

export const XRP = 'XRP:NATIVE';
export const REQUIRE_DEST_TAG = 0x0002_0000;

export type XrplWorld = ForgedWorld & {
  readonly xrpl: FakeXrpl;
  readonly server: FakeXrplServer;
  /** A second server over the same ledger, where asked for. */
  readonly second: FakeXrplServer | undefined;
  readonly account: string;
  readonly key: XrplKey;
  readonly customer: XrplKey;
  readonly time: ManualClock;
  /** A payment of the customer to the account, in a ledger of its own. Gives its hash. */
  pay(payment: Partial<PayOptions> & { drops: bigint }): string;
};

export type XrplWorldOptions = {
  readonly withSecond?: boolean;
  readonly seed?: number;
  /** What a server that does not answer costs; a slow machine must not be taken for one. */
  readonly timeoutMs?: number;
};

export async function openXrplWorld(options: XrplWorldOptions = {}): Promise<XrplWorld> {
  const { timeoutMs = 10_000 } = options;
  const time = manualClock('2026-01-01T12:00:00Z');
  const now = () => time.now();
  const xrpl = fakeXrpl(now);
  const [key, customer] = [seededXrplKey(1), seededXrplKey(2)];
  const account = key.address;
  xrpl.addAccount(key, 1_000_000_000n).flags = REQUIRE_DEST_TAG;
  xrpl.addAccount(customer);
  xrpl.close();
  const server = await startFakeXrplServer(xrpl, now);
  const second = options.withSecond ? await startFakeXrplServer(xrpl, now) : undefined;
  const urls = [server, second].flatMap((one) => (one === undefined ? [] : [one.url]));
  const chain = chainOf('live', 'XRP_LEDGER');
  const world = await openForgedWorld({
    clock: time,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    networks: (parts) => {
      const servers = urls.map((url) =>
        openXrplServer({ what: chain, url, timeoutMs, mostAnswerBytes: 2 ** 21 }),
      );
      const parameters = XRPL_CHAINS.main;
      const network = xrplNetwork({ ...parts, chain, parameters, servers, account });
      return [{ network, isTestChain: false }];
    },
  });
  return {
    ...world,
    xrpl,
    server,
    second,
    account,
    key,
    customer,
    time,
    pay(payment) {
      const hash = xrpl.pay({ from: customer, to: account, ...payment });
      xrpl.close();
      return hash;
    },
    async close() {
      await world.close();
      await server.close();
      await second?.close();
    },
  };
}
