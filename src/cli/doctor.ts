// Looks at everything an operator would look at first, and says what to do about what is wrong.

import type { App } from '#app.ts';
import { environmentOf } from '#catalog/chain.ts';
import { type ChainStatus, isBehind, listChainStatuses } from '#deposit/chain-status.ts';
import type { Network } from '#deposit/network.ts';
import type { Command } from './command.ts';

type Finding = { readonly ok: boolean; readonly what: string; readonly detail: string };

export const doctor: Command = {
  name: 'doctor',
  summary: 'check database, key file, networks and webhooks',
  usage: '',
  options: {},
  async run(context) {
    const app = await context.openApp();
    const database = await context.openDatabase();
    const findings: Finding[] = [
      { ok: true, what: 'database', detail: `${database.description} is durable and up to date` },
      { ok: true, what: 'key file', detail: `${app.config.keyFile} fits the database` },
      ...(await networkFindings(app)),
    ];
    const ok = findings.every((finding) => finding.ok);
    const lines = findings.map(
      (finding) => `${finding.ok ? 'ok  ' : 'BAD '} ${finding.what.padEnd(18)} ${finding.detail}`,
    );
    return { text: lines.join('\n'), json: { ok, findings }, exitCode: ok ? 0 : 1 };
  },
};

async function networkFindings(app: App): Promise<Finding[]> {
  const statuses = await listChainStatuses(app.db);
  const networks = [...app.networks.values()];
  return Promise.all(
    networks.map(async (network) => {
      const status = statuses.find(({ chain }) => chain === network.chain);
      const detail = await networkDetail(app, network, status);
      return { what: network.chain, ...detail };
    }),
  );
}

async function networkDetail(
  app: App,
  network: Network,
  status: ChainStatus | undefined,
): Promise<Omit<Finding, 'what'>> {
  const isSandbox = environmentOf(network.chain) === 'test';
  try {
    await network.checkIdentity();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, detail: `${reason}; look at the node and its settings` };
  }
  const { nodeVersion, description } = network.health();
  const node = [description, nodeVersion].filter((part) => part !== undefined).join(' ');
  const source = isSandbox ? '' : `; addresses from ${network.addressSource}`;
  if (status === undefined) {
    return { ok: isSandbox, detail: `${node}: not watched yet; start the server with role watch` };
  }
  const behind = isBehind(status, app.clock.now());
  const read = `at block ${status.cursor.height}, ${status.lag} behind, heard ${status.heardAt}`;
  const advice = behind && !isSandbox ? '; is the server running with role watch?' : '';
  return { ok: !behind || isSandbox, detail: `${node}: ${read}${source}${advice}` };
}
