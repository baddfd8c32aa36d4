// Increments of a backup from the command line: what was written since the one before.

import { doNoted } from '#audit/act.ts';
import { openPlace } from '#backup/find-backup.ts';
import { backupSource } from '#backup/make-backup.ts';
import { Refusal } from '#base/refusal.ts';
import { fileOf } from '#increment/chain.ts';
import { makeIncrement } from '#increment/make-increment.ts';
import { VERSION } from '#server/config.ts';
import { BY_OPTION, BY_USAGE, type Command, textOption, whoOf } from './command.ts';
import { inDirectory } from './sealed-input.ts';

export const backupWal: Command = {
  name: 'backup wal',
  summary: 'add what was written since to a chain of increments, or begin a chain',
  usage: `[--to FOLDER|s3://BUCKET/PREFIX] [--recipients age1…,…] [--base] [--keep CHAINS] ${BY_USAGE}`,
  options: {
    to: { type: 'string' },
    recipients: { type: 'string' },
    base: { type: 'boolean' },
    keep: { type: 'string' },
    ...BY_OPTION,
  },
  async run(context, { values, positionals }) {
    if (positionals.length > 0) {
      throw new Refusal('invalid', 'usage', [`too many: ${positionals.join(' ')}`]);
    }
    const app = await context.openApp();
    const settings = app.config.backup;
    const to = textOption(values, 'to') ?? settings.to;
    if (to === undefined) {
      throw new Refusal('invalid', 'usage', ['--to: say where to, or set BACKUP_TO']);
    }
    const keep = textOption(values, 'keep') ?? `${settings.walKeep}`;
    if (!/^[1-9]\d{0,3}$/.test(keep)) {
      throw new Refusal('invalid', 'usage', ['--keep: how many chains stay, 1 or more']);
    }
    const recipients = textOption(values, 'recipients')?.split(',') ?? settings.recipients;
    const place = openPlace({ ...app, s3: settings.s3 }, inDirectory(context, to));
    const act = { actor: whoOf(values), verb: 'backup', subject: 'database:this' };
    const details = { to: place.name, withKey: 'false' };
    await doNoted(app, { ...act, details }, async () => undefined);
    const { owner } = await context.openDatabase();
    const source = backupSource(app, { connection: owner, version: VERSION, withKey: false });
    const { links, begun, removed } = await makeIncrement(source, place, {
      ...{
        recipients,
        base: values.base === true ? 'it was asked for' : undefined,
        keep: Number(keep),
      },
      ...{ now: () => app.clock.now(), onProgress: context.onProgress },
    });
    const text = [
      ...(begun === undefined ? [] : [`A chain is begun: ${begun}.`]),
      ...links.map((link) => `${fileOf(link, '')}: ${Math.ceil(link.bytes / 1000)} kB`),
      ...(links.length === 0 ? ['Nothing was written since the last one.'] : []),
      ...removed.map((name) => `${name} is removed: newer chains stay`),
    ].join('\n');
    return { text, json: { begun: begun ?? null, links, removed } };
  },
};
