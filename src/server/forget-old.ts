// Loops that delete rows whose time is over.

import { forgetEvents } from '#event/forget-events.ts';
import { forgetRates } from '#rates/forget-rates.ts';
import { forgetRequests } from '#request-log/api-request.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import { forgetOldForms, forgetSessions } from '#staff/session.ts';
import type { App } from './app.ts';

const OLD_ROWS_MS = 3_600_000;
const OLD_FORMS_MS = 600_000;

export function forgetOld(app: App): Loop[] {
  return [
    forgetOldRates(app),
    forgetOldEvents(app),
    forgetOldRequests(app),
    forgetOldSessions(app),
    forgetKeptForms(app),
  ];
}

function forgetOldRates(app: App): Loop {
  let after = 0n;
  const step = async () => {
    const keptDays = app.config.ratesKeptDays;
    const { after: next } = await forgetRates(app, { keptDays, after });
    after = next ?? 0n;
    return next === undefined ? ('idle' as const) : ('busy' as const);
  };
  return startLoop({ name: 'old rates', step, idleMs: OLD_ROWS_MS, ...app });
}

function forgetOldEvents(app: App): Loop {
  let after: Parameters<typeof forgetEvents>[1]['after'];
  const step = async () => {
    const keptDays = app.config.eventsKeptDays;
    ({ after } = await forgetEvents(app, { keptDays, after }));
    return after === undefined ? ('idle' as const) : ('busy' as const);
  };
  return startLoop({ name: 'old events', step, idleMs: OLD_ROWS_MS, ...app });
}

function forgetOldRequests(app: App): Loop {
  const step = async () => ((await forgetRequests(app)).hasMore ? 'busy' : 'idle');
  return startLoop({ name: 'old requests', step, idleMs: OLD_ROWS_MS, ...app });
}

function forgetKeptForms(app: App): Loop {
  const step = async () => {
    await forgetOldForms(app);
    return 'idle' as const;
  };
  return startLoop({ name: 'old forms', step, idleMs: OLD_FORMS_MS, ...app });
}

function forgetOldSessions(app: App): Loop {
  const step = async () => {
    await forgetSessions(app);
    return 'idle' as const;
  };
  return startLoop({ name: 'old sessions', step, idleMs: OLD_ROWS_MS, ...app });
}
