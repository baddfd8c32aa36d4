// What a report that came back says of a mail of ours: a bounce (RFC 3464) or a complaint (ARF, RFC
// 5965). Pure. Strangers write these: nothing is decoded, nothing is believed but a few fields in
// their own lines, and what it cannot read is no report.

export type MailReport = {
  /** Undefined: the mail may still arrive, or it is no report. */
  readonly cause: 'BOUNCED' | 'COMPLAINED' | undefined;
  readonly detail: string;
  /** Of the mails that it brings back, as they stand in our Message-IDs. */
  readonly mailIds: readonly string[];
};

/** Longer than any report with the headers of its mail. */
export const REPORT_BYTES_MOST = 1_000_000;

const IDS_MOST = 10;
const DETAIL_MOST = 300;

/** `domain`: the one in our Message-IDs. */
export function readMailReport(raw: string, domain: string): MailReport {
  const text = raw.slice(0, REPORT_BYTES_MOST).replaceAll('\r\n', '\n');
  const ids = [...text.matchAll(/^message-id:[ \t]*(?:\n[ \t]+)?<([a-z0-9]{12})@([^<>\s]+)>/gim)]
    .filter(([, , of = '']) => of.toLowerCase() === domain.toLowerCase())
    .flatMap(([, id = '']) => id);
  const mailIds = [...new Set(ids)].slice(0, IDS_MOST);
  if (/^content-type:[ \t]*message\/feedback-report/im.test(text)) {
    const kind = fieldOf(text, 'feedback-type')?.toLowerCase();
    // "not-spam" takes a complaint back.
    const isComplaint = kind !== undefined && kind !== 'not-spam';
    return { cause: isComplaint ? 'COMPLAINED' : undefined, detail: shown(kind ?? ''), mailIds };
  }
  if (/^content-type:[ \t]*message\/delivery-status/im.test(text)) {
    const status = fieldOf(text, 'status') ?? '';
    const isForGood = fieldOf(text, 'action')?.toLowerCase() === 'failed' && /^5\./.test(status);
    const said = fieldOf(text, 'diagnostic-code') ?? status;
    return { cause: isForGood ? 'BOUNCED' : undefined, detail: shown(said), mailIds };
  }
  return { cause: undefined, detail: '', mailIds };
}

function fieldOf(text: string, name: string): string | undefined {
  const line = new RegExp(`^${name}:[ \\t]*([^\\n]*(?:\\n[ \\t]+[^\\n]*)*)`, 'im').exec(text);
  return line?.[1]?.trim();
}

function shown(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, DETAIL_MOST);
}
