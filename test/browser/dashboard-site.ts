// The pages of the dashboard over a test app whose time stands still, for a browser: passkeys belong
// to the name of its host.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

export type DashboardSite = {
  readonly world: DashboardWorld;
  readonly origin: string;
  close(): Promise<void>;
};

export async function openDashboardSite(): Promise<DashboardSite> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const world = await openDashboardWorld({ publicUrl: origin });
  server.on('request', getRequestListener(world.pages.fetch));
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await world.close();
  };
  return { world, origin, close };
}
