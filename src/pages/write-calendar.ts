// One thing that is due, as a file that calendars take in (RFC 5545). Pure. Guarantees: texts of
// strangers stay texts (commas, semicolons, backslashes and ends of lines are escaped, other
// control characters left out); no line has more than 75 octets, and none is cut in a character.

type CalendarEntry = {
  /** The same for the same thing, so that it is taken in once. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly url?: string | undefined;
  /** A day (2026-03-01) without a time, or the moment at which it is over. */
  readonly due: string | Temporal.Instant;
  readonly now: Temporal.Instant;
};

const LINE_OCTETS = 75;
/** Before it is due. */
const ALARM = '-P1D';

export function writeCalendar({ id, title, description, url, due, now }: CalendarEntry): string {
  const start =
    typeof due === 'string' ? `;VALUE=DATE:${due.replaceAll('-', '')}` : `:${stamp(due)}`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Quittance//Quittance//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART${start}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(description)}`,
    // A URI is no text: nothing in it is escaped.
    ...(url === undefined ? [] : [`URL:${url}`]),
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(title)}`,
    `TRIGGER:${ALARM}`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function stamp(moment: Temporal.Instant): string {
  return moment.round('second').toString().replaceAll(/[-:]/g, '');
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');
}

/** Continued lines begin with a space, which counts. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      parts.push(part);
      part = ' ';
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n');
}
