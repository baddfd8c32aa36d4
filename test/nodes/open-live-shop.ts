// A shop with a live key and an https receiver at a server process of its own, which watches a network
// that was opened before. What was opened is closed together, also when a later part does not open.

import {
  openServerProcess,
  type ServerProcess,
  type Settings,
} from '#test/support/server-process.ts';
import { openShop, type Shop, waitForOffer } from '#test/support/shop.ts';

export type LiveShop = Omit<Shop, 'open' | 'checkBooks' | 'close'> & {
  readonly server: ServerProcess;
  /** Those of the shop, and what is held on the network is what the custody account says. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
};

type Close = () => Promise<void>;

export type Opening = {
  closeLater(close: Close): void;
  /** Our server, started with these settings, and the shop. */
  startShop(settings: Settings): Promise<{ readonly server: ServerProcess; readonly shop: Shop }>;
};

export async function openLiveShop<Acts>(
  open: (opening: Opening) => Promise<Acts>,
): Promise<Acts & { close: Close }> {
  const closers: Close[] = [];
  const close = async () => {
    const ends = await Promise.allSettled(closers.splice(0).map((closeOne) => closeOne()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  const opening: Opening = {
    closeLater: (closeOne) => void closers.push(closeOne),
    async startShop(settings) {
      // As it is where money is taken: each simulated network is looked at all the time, too.
      const always = { WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8', SANDBOX: 'off' };
      const server = await openServerProcess({ settings: { ...always, ...settings } });
      closers.push(() => server.close());
      await server.start();
      const shop = await openShop(server, 'live');
      closers.push(() => shop.close());
      await waitForOffer(shop.client);
      return { server, shop };
    },
  };
  try {
    return { ...(await open(opening)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
