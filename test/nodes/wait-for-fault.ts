import type { ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';

/** Until health gives such an error for the network. */
export function waitForFault(server: ServerProcess, chain: string, pattern: RegExp): Promise<void> {
  return waitUntil('health to say it', async () => {
    const { body } = await server.health();
    return pattern.test(String(body.chains.find((one) => one.chain === chain)?.error));
  });
}
