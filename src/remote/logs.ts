// What programs of the shop asked of the API, from a terminal.

import { Outage } from '#base/refusal.ts';
import { textOption, wholeOption } from '#cli/command.ts';
import type { InstallationClient } from './remote-client.ts';
import {
  openRemote,
  PROFILE_EXPLAINED,
  PROFILE_OPTION,
  PROFILE_USAGE,
  type RemoteCommand,
  type RemoteContext,
} from './remote-command.ts';

const INITIAL = 20;
const MOST = 250;
const FOLLOW_MS = 2_000;
/** A request is in the log a second after its answer, and may come after a later one. */
const REMEMBERED_MOST = 5_000;
/** What this command and `listen` ask would fill the log that they show. */
const OWN = ['/api/v1/requests', '/api/v1/request', '/api/v1/events/follow'];

type Listed = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly timestamp?: string;
  /** The same as a key of version 2026-11-24, and an older installation, are answered. */
  readonly at?: string;
};

export const logs: RemoteCommand = {
  name: 'logs',
  summary: 'requests of the last seven days to the API of the account, newest last',
  usage:
    '[--follow] [--limit 1-250] [--status 4xx] [--path /api/v1/checkout] [--id REQUEST_ID] ' +
    PROFILE_USAGE,
  options: {
    ...PROFILE_OPTION,
    follow: { type: 'boolean' },
    limit: { type: 'string' },
    status: { type: 'string' },
    path: { type: 'string' },
    id: { type: 'string' },
  },
  explains: {
    '--follow': 'go on until Ctrl-C',
    '--limit N': `how many of the last ones, ${INITIAL} unless told`,
    '--status 4xx': 'those with this status, 404 or 4xx',
    '--path PATH': 'those of this path, such as /api/v1/checkout',
    '--id REQUEST_ID': 'one of them with headers and bodies, without secrets',
    ...PROFILE_EXPLAINED,
  },
  async run(context, { values }) {
    const { client } = openRemote(context, values);
    const id = textOption(values, 'id');
    if (id !== undefined) return showRequest(client, id);
    const limit = wholeOption(values, 'limit', { initial: INITIAL, least: 1, most: MOST });
    const filter = { status: textOption(values, 'status'), path: textOption(values, 'path') };
    const read = async () => {
      const { json } = await client.get('/requests', { ...filter, limit: String(MOST) });
      const listed = json.requests as unknown as readonly Listed[];
      return listed.filter(({ path }) => !OWN.includes(path)).toReversed();
    };
    const all = await read();
    if (values.follow !== true) {
      const last = all.slice(-limit);
      const text = last.map(lineOf).join('\n') || 'No request is in the log.';
      return { text, json: { requests: last } };
    }
    const shown = await follow(context, read, { all, limit }, values.json === true);
    return { text: `${shown} shown.`, json: { shown } };
  },
};

async function follow(
  { clock, ended, say, complain }: RemoteContext,
  read: () => Promise<readonly Listed[]>,
  { all, limit }: { readonly all: readonly Listed[]; readonly limit: number },
  isJson: boolean,
): Promise<number> {
  // Those before the first that is shown are known too: they are not news.
  const known = new Set(all.slice(0, -limit).map(({ id }) => id));
  let shown = 0;
  let isLost = false;
  const show = (listed: readonly Listed[]) => {
    for (const one of listed.filter(({ id }) => !known.has(id))) {
      known.add(one.id);
      say(isJson ? JSON.stringify(one) : lineOf(one));
      shown += 1;
    }
    for (const id of known) {
      if (known.size <= REMEMBERED_MOST) break;
      known.delete(id);
    }
  };
  show(all);
  while (!ended.aborted) {
    await clock.sleep(FOLLOW_MS, ended).catch(() => undefined);
    if (ended.aborted) break;
    try {
      show(await read());
      isLost = false;
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      if (!isLost) complain(`the connection is lost, trying again: ${error.message}`);
      isLost = true;
    }
  }
  return shown;
}

async function showRequest(client: InstallationClient, id: string) {
  const { json } = await client.get('/request', { id });
  const request = json.request as unknown as Listed & Readonly<Record<string, string | null>>;
  const { requestHeaders, requestBody, answerHeaders, answerBody } = request;
  const parts = [requestHeaders, requestBody, answerHeaders, answerBody].map((part) => part ?? '');
  return { text: [lineOf(request), ...parts].join('\n\n').trimEnd(), json: { request } };
}

function lineOf({
  timestamp,
  at,
  method,
  path,
  status,
  errorCode,
  durationMs,
  id,
}: Listed): string {
  const what = `${method} ${path}`.padEnd(44);
  const refused = errorCode ? `  ${errorCode}` : '';
  return `${timestamp ?? at}  ${status}  ${what} ${durationMs} ms  ${id}${refused}`;
}
