import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { noteTrouble } from '#alert/alert.ts';
import { sendDueMessages } from '#alert/send-alerts.ts';
import { alertSender, sendTestAlert } from '#alert/tell-alert.ts';
import { jsonLog } from '#base/log.ts';
import { sql } from '#db/db.ts';
import { listMails } from '#mail/mail.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import {
  type Behave,
  ok,
  openWebhookReceiver,
  type WebhookReceiver,
} from '#test/support/webhook-receiver.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import type { App } from './app.ts';
import { createFacts, type Facts } from './facts.ts';
import { lookForAlerts } from './watch-alerts.ts';

const BOT = '4711:secret-of-the-telegram-bot';
const TOKENS = { webhook: 'secret-of-the-webhook', ntfy: 'tk_secret_of_ntfy' };

let world: TestApp;
let receiver: WebhookReceiver;
let behave: Behave = ok;
let app: App;
const lines: string[] = [];

before(async () => {
  world = await openTestApp();
  receiver = await openWebhookReceiver((...request) => behave(...request));
  const { origin } = receiver;
  const targets = {
    webhook: { url: `${origin}/hook/secret-path`, token: TOKENS.webhook },
    ntfy: { url: `${origin}/`, topic: 'secret-topic', token: TOKENS.ntfy },
    telegram: { origin, chat: '-100123', token: BOT },
  };
  const rules = {
    ...STRICT_TARGET_RULES,
    httpForLive: true,
    ports: [receiver.port],
    allowedRanges: ['127.0.0.0/8'],
  };
  const mailTo = ['anna@shop.example'];
  const alerts = { mailTo, targets, rules, backup: undefined, balances: [] };
  const config = { ...world.app.config, alerts };
  const log = jsonLog((line) => lines.push(line), 'debug', world.clock);
  app = { ...world.app, config, log };
});
after(async () => {
  await receiver.close();
  await world.close();
});
beforeEach(() => {
  behave = ok;
  receiver.received.length = 0;
});

async function lookWith(more: Partial<Facts>, on: App = app): Promise<void> {
  const facts = await createFacts(world.app)();
  assert.ok(facts !== undefined);
  await lookForAlerts(on, async () => ({ ...facts, at: world.clock.now(), ...more }));
}

async function passMinutes(minutes: number, more: Partial<Facts>): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await world.clock.advance(60_000);
    await lookWith(more);
  }
}

const send = () => sendDueMessages(alertSender(app), new AbortController().signal);
const AWAY = { signers: [{ chain: 'live:LITECOIN' as const, fault: 'no socket' }] };

test('what is wrong for minutes is told once to each channel, in its form, and told to be over', async () => {
  await passMinutes(8, AWAY);
  // Another process looks at the same moment, and it is not its turn.
  await Promise.all([lookWith(AWAY), lookWith(AWAY)]);
  await send();
  const told = new Map(receiver.received.map((one) => [one.path, one]));
  assert.equal(receiver.received.length, 3);
  const webhook = told.get('/hook/secret-path');
  assert.equal(webhook?.headers.authorization, `Bearer ${TOKENS.webhook}`);
  const { id, at, installation, ...said } = JSON.parse(webhook?.body ?? '');
  assert.deepEqual(said, {
    stage: 'ON',
    kind: 'signer',
    subject: 'live:LITECOIN',
    title: 'Who signs does not answer: live:LITECOIN',
    detail: 'no socket (since 2026-01-01T12:01:00Z)',
  });
  assert.deepEqual([at, installation], ['2026-01-01T12:01:00Z', app.publicUrl]);
  assert.equal(webhook?.headers['x-alert-id'], id);
  const ntfy = told.get('/');
  assert.equal(ntfy?.headers.authorization, `Bearer ${TOKENS.ntfy}`);
  assert.deepEqual(JSON.parse(ntfy?.body ?? ''), {
    topic: 'secret-topic',
    title: said.title,
    message: said.detail,
    priority: 4,
    tags: ['rotating_light'],
    click: `${app.publicUrl}/dashboard/operator`,
  });
  const telegram = told.get(`/bot${BOT}/sendMessage`);
  assert.equal(telegram?.headers.authorization, undefined);
  const { chat_id: chat, text } = JSON.parse(telegram?.body ?? '');
  assert.equal(chat, '-100123');
  assert.ok(text.startsWith(`${said.title}\n${said.detail}\n`));

  await passMinutes(4, {});
  await send();
  const over = receiver.received.filter(({ path }) => path === '/hook/secret-path');
  assert.deepEqual(
    over.map(({ body }) => JSON.parse(body).stage),
    ['ON', 'OFF'],
  );
  const mails = await listMails(app.db, { state: undefined, most: 10 });
  assert.deepEqual(
    mails.map(({ kind, receiver: to }) => `${kind} ${to}`),
    ['ALERT anna@shop.example', 'ALERT anna@shop.example'],
  );
});

test('a channel that fails is asked again, later when it says so, and takes none from the others', async () => {
  behave = (response, { path }) => {
    const isTelegram = path.startsWith('/bot');
    const isLater = path === '/';
    response.writeHead(
      isTelegram ? 500 : isLater ? 429 : 200,
      isLater ? { 'retry-after': '60' } : {},
    );
    response.end('{"ok":false}');
  };
  await sendTestAlert(app, app);
  await send();
  const states = () =>
    app.db.query<{ channel: string; state: string; attempts: number }>(sql`
      select channel, state, attempt_count as attempts from alert_message
      where stage = 'TEST' order by channel`);
  const row = (channel: string, state: string, attempts: number) => ({ channel, state, attempts });
  const first = [
    row('NTFY', 'PENDING', 1),
    row('TELEGRAM', 'PENDING', 1),
    row('WEBHOOK', 'SENT', 1),
  ];
  assert.deepEqual(await states(), first);
  behave = ok;
  await world.clock.advance(10_000);
  await send();
  assert.deepEqual((await states())[1], row('TELEGRAM', 'SENT', 2));
  assert.deepEqual((await states())[0], row('NTFY', 'PENDING', 1));
  await world.clock.advance(60_000);
  await send();
  assert.deepEqual((await states())[0], row('NTFY', 'SENT', 2));
});

test('a channel inside a network that was not allowed is not reached', async () => {
  const { alerts } = app.config;
  const rules = { ...alerts.rules, allowedRanges: [] };
  const guarded: App = { ...app, config: { ...app.config, alerts: { ...alerts, rules } } };
  await sendTestAlert(guarded, guarded);
  await sendDueMessages(alertSender(guarded), new AbortController().signal);
  assert.equal(receiver.received.length, 0);
  const [message] = await app.db.query<{ answer: string }>(sql`
    select last_answer as answer from alert_message where state = 'PENDING'`);
  assert.equal(message?.answer, 'refused: the host is not a public address');
  await app.db.single((tx) => tx.query(sql`delete from alert_message`));
});

test('what a command found wrong is told until it finds it right', async () => {
  await noteTrouble(app.db, 'ledger', '1 fault: npx quittance ledger verify', world.clock.now());
  await passMinutes(1, {});
  await noteTrouble(app.db, 'ledger', undefined, world.clock.now());
  await passMinutes(2, {});
  const stages = await app.db.query<{ stage: string }>(sql`
    select stage from alert_message where channel = 'NTFY' and kind = 'ledger' order by created_at`);
  assert.deepEqual(
    stages.map(({ stage }) => stage),
    ['ON', 'OFF'],
  );
});

test('no token, topic or address of a channel is in the log or in the database', async () => {
  const rows = await app.db.query(sql`select * from alert_message`);
  const text = `${lines.join('\n')}${JSON.stringify(rows, (_, one) => (typeof one === 'bigint' ? `${one}` : one))}`;
  assert.match(lines.join('\n'), /"message":"alert","stage":"ON","kind":"signer"/);
  for (const secret of [BOT, TOKENS.webhook, TOKENS.ntfy, 'secret-path', 'secret-topic']) {
    assert.ok(!text.includes(secret), secret);
  }
});
