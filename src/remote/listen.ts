// Events of the account on the machine of a developer: printed, and sent on to a program there as
// the installation would send them, without an address that it could reach.

import { acceptedText, Refusal } from '#base/refusal.ts';
import { textOption, type Values, wholeOption } from '#cli/command.ts';
import { EVENT_TYPES } from '#event/event.ts';
import { signWebhook } from '#webhook/sign-webhook.ts';
import { type HeardEvent, hearEvents } from './hear-events.ts';
import { keepOfListen, keptOfListen } from './profile.ts';
import {
  LIVE_EXPLAINED,
  LIVE_OPTION,
  LIVE_USAGE,
  openTestRemote,
  PROFILE_EXPLAINED,
  PROFILE_OPTION,
  PROFILE_USAGE,
  type Remote,
  type RemoteCommand,
  type RemoteContext,
} from './remote-command.ts';

const SECRET_BYTES = 32;
/** As for any receiver: whoever takes longer has not answered. */
const ANSWER_MS = 15_000;
const EXCERPT_MOST = 200;
const COUNT_MOST = 100_000;

export const listenToEvents: RemoteCommand = {
  name: 'listen',
  summary: 'print events while they happen, and send them on to a program on this machine',
  usage:
    '[--forward URL] [--events TYPE,TYPE] [--replay EVENT_ID] [--resume] [--most N] ' +
    `${LIVE_USAGE} ${PROFILE_USAGE}`,
  options: {
    ...PROFILE_OPTION,
    ...LIVE_OPTION,
    forward: { type: 'string' },
    events: { type: 'string' },
    replay: { type: 'string' },
    resume: { type: 'boolean' },
    most: { type: 'string' },
  },
  explains: {
    '--forward URL': 'send each on to a program here, signed with the secret that is printed',
    '--events TYPE,TYPE': 'only these',
    '--replay EVENT_ID': 'one that was told before, and end',
    '--resume': 'begin with what happened since it was ended',
    '--most N': 'end after so many',
    ...LIVE_EXPLAINED,
    ...PROFILE_EXPLAINED,
  },
  async run(context, { values }) {
    const target = targetOf(values);
    const types = typesOf(values);
    const most = wholeOption(values, 'most', { initial: COUNT_MOST, least: 1, most: COUNT_MOST });
    const replayed = textOption(values, 'replay');
    const remote = await openTestRemote(context, values);
    const kept = keptOfListen(context.environment, remote.profile);
    const secret = kept?.secret ?? newSecret(context);
    const listener: Listener = { context, remote, target, secret, isJson: values.json === true };
    if (replayed !== undefined) return replay(listener, replayed);
    const count = await listenOn(listener, {
      types,
      most,
      after: values.resume === true ? kept?.after : undefined,
    });
    return { text: `${count} heard.`, json: { heard: count } };
  },
};

type Listener = {
  readonly context: RemoteContext;
  readonly remote: Remote;
  readonly target: string | undefined;
  /** What this program signs with: it is not the installation’s own. */
  readonly secret: string;
  readonly isJson: boolean;
};

type Listening = {
  readonly types: ReadonlySet<string> | undefined;
  readonly most: number;
  readonly after: string | undefined;
};

async function listenOn(listener: Listener, { types, most, after }: Listening): Promise<number> {
  const { context, remote, secret } = listener;
  const { environment, random, clock, ended } = context;
  const keep = (last: string | undefined) =>
    keepOfListen(environment, remote.profile, { secret, after: last });
  const events = hearEvents(remote.client, {
    ...{ clock, random, after },
    signal: ended,
    onReady(begun) {
      keep(begun);
      context.complain(readyText(listener));
    },
    onLost: (why) => context.complain(`the connection is lost, trying again: ${why}`),
    onFound: () => context.complain('connected again; nothing was missed'),
  });
  let count = 0;
  for await (const event of events) {
    if (types === undefined || types.has(event.eventType)) {
      await pass(listener, event);
      count += 1;
    }
    keep(event.id);
    if (count >= most) break;
  }
  return count;
}

function readyText({ remote, target, secret }: Listener): string {
  const onward =
    target === undefined
      ? 'Events are printed alone: --forward sends them on.'
      : `Events are sent on to ${target}, signed with ${secret}\n` +
        'and, for plugins that check X-Webhook-Auth, with the secret of the API key.';
  return `Listening at ${remote.client.url}. ${onward}`;
}

async function replay(listener: Listener, id: string) {
  const { json } = await listener.remote.client.get('/event', { id });
  const event = json.event as unknown as HeardEvent;
  if (listener.target !== undefined) listener.context.complain(readyText(listener));
  const forwarded = await pass(listener, event);
  const isTaken = forwarded === undefined || isSuccess(forwarded);
  return {
    text: isTaken ? 'Sent again.' : 'It was not taken.',
    json: { replayed: id, taken: isTaken },
    exitCode: isTaken ? 0 : 1,
  };
}

type Forwarded = {
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** The first characters of what was answered, or what went wrong. */
  readonly answer: string;
};

async function pass(listener: Listener, event: HeardEvent): Promise<Forwarded | undefined> {
  const { context, target, isJson } = listener;
  const forwarded = target === undefined ? undefined : await forward(listener, target, event);
  const { id, eventType, body } = event;
  if (isJson) context.say(JSON.stringify({ id, eventType, body, forwarded: forwarded ?? null }));
  else context.say(eventLine(context, event, forwarded));
  return forwarded;
}

function eventLine(
  { clock }: RemoteContext,
  { id, eventType, body }: HeardEvent,
  forwarded: Forwarded | undefined,
): string {
  const time = clock.now().toString({ smallestUnit: 'second' });
  const line = `${time}  ${eventType.padEnd(27)} ${id}  ${subjectOf(body)}`;
  if (forwarded === undefined) return line;
  const { status, milliseconds, answer } = forwarded;
  const said = isSuccess(forwarded) || answer === '' ? '' : `: ${answer}`;
  return `${line}  -> ${status ?? 'no answer'} in ${milliseconds} ms${said}`;
}

/** `checkout abc…`: what it is about. */
function subjectOf(body: string): string {
  const { data = {} } = JSON.parse(body) as { data?: Record<string, { id?: string } | undefined> };
  const [name, about] = Object.entries(data)[0] ?? ['', undefined];
  return about?.id === undefined ? name : `${name} ${about.id}`;
}

function isSuccess({ status }: Forwarded): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** The same bytes and headers as a webhook has. Nothing is tried again: --replay does. */
async function forward(
  { context: { clock, ended }, remote, secret }: Listener,
  target: string,
  { id, body }: HeardEvent,
): Promise<Forwarded> {
  const secrets = { current: secret, previous: undefined };
  const apiSecret = remote.profile.secret;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Quittance-Webhooks/1',
    ...signWebhook({ id, body, at: clock.now(), secrets, apiSecret }),
  };
  const startedMs = clock.monotonicMs();
  const took = () => Math.round(clock.monotonicMs() - startedMs);
  try {
    const response = await fetch(target, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ended]),
    });
    const milliseconds = took();
    return { status: response.status, milliseconds, answer: printable(await response.text()) };
  } catch (error) {
    return { status: undefined, milliseconds: took(), answer: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code ?? (cause instanceof Error ? printable(cause.message) : 'failed');
}

/** One line that does nothing to a terminal. */
function printable(text: string): string {
  return text
    .slice(0, EXCERPT_MOST * 4)
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, EXCERPT_MOST);
}

/** @throws Refusal */
function targetOf(values: Values): string | undefined {
  const target = textOption(values, 'forward');
  if (target === undefined || /^https?:$/.test(URL.parse(target)?.protocol ?? '')) return target;
  throw new Refusal('invalid', 'usage', ['--forward: must be like http://localhost:3000/hook']);
}

/** @throws Refusal that names what is near */
function typesOf(values: Values): ReadonlySet<string> | undefined {
  const named = textOption(values, 'events')?.split(',');
  const known: readonly string[] = EVENT_TYPES;
  const unknown = named?.find((type) => !known.includes(type));
  if (unknown === undefined) return named && new Set(named);
  throw new Refusal('invalid', 'usage', [
    `--events: there is no ${unknown}; ${acceptedText(unknown, known, 'the manual at /docs/events')}`,
  ]);
}

function newSecret({ random }: RemoteContext): string {
  return `whsec_${random.bytes(SECRET_BYTES).toBase64()}`;
}
