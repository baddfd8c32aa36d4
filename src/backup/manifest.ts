// What a backup says of itself: in full as the first file of the archive, and in short beside it,
// where nobody needs an identity to read it. It holds no secret: the check of the key file is a MAC
// that tells a key again and gives nothing of it away.

import { z } from 'zod';
import { damaged } from './tar.ts';

const moment = z.string().transform((text, context) => {
  try {
    return Temporal.Instant.from(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a moment' });
    return z.NEVER;
  }
});

const head = z
  .object({ number: z.string(), lastEntry: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/) })
  .nullable();

const facts = z.object({
  format: z.literal(1),
  createdAt: moment,
  /** Of the service that made it. */
  version: z.string(),
  postgres: z.string(),
  installationId: z.string().nullable(),
  keyFile: z.object({ path: z.string(), check: z.string(), isIncluded: z.boolean() }),
  ledgerHead: head,
});

const sealedManifest = facts.extend({
  migrations: z.array(
    z.object({ number: z.number(), name: z.string(), checksum: z.string() }).readonly(),
  ),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  sequences: z.array(
    z.object({
      table: z.string(),
      column: z.string(),
      lastValue: z.string().regex(/^\d{1,19}$/),
      isCalled: z.boolean(),
    }),
  ),
});

const shownManifest = facts.extend({
  name: z.string().regex(/^quittance-\d{8}T\d{6}Z$/),
  migration: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  rows: z.string().regex(/^\d+$/),
  recipients: z.number().int(),
});

/** The first file of an archive. */
export type SealedManifest = z.output<typeof sealedManifest>;
/** The file beside it. */
export type ShownManifest = z.output<typeof shownManifest>;
export type Sequence = SealedManifest['sequences'][number];

/** @throws Refusal `backup_damaged` */
export function parseSealed(text: string): SealedManifest {
  return parse(sealedManifest, text);
}

/** @throws Refusal `backup_damaged` */
export function parseShown(text: string): ShownManifest {
  return parse(shownManifest, text);
}

export function manifestText(manifest: SealedManifest | ShownManifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** `quittance-20261124T001500Z`: in the order of time. */
export function backupName(createdAt: Temporal.Instant): string {
  const second = createdAt.toString({ smallestUnit: 'second', roundingMode: 'floor' });
  return `quittance-${second.replaceAll(/[-:]/g, '')}`;
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged('its manifest is no JSON', error);
  }
  const { format } = Object(value) as { readonly format?: unknown };
  if (typeof format === 'number' && format > 1) {
    throw damaged(`its format ${format} is one of a later version of this program`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damaged(`its manifest is not one of ours (${parsed.error.issues[0]?.path.join('.')})`);
}
